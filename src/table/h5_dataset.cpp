// SPDX-License-Identifier: MIT
#include "table/h5_dataset.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace grundy::h5 {
namespace {

using Dimensions = std::array<hsize_t, ChunkGrid::kMaxAxes>;

/// The fill value: all ones at every width.
constexpr Nimber kAllOnes = std::numeric_limits<Nimber>::max();

Dimensions dimensions(std::span<const std::uint64_t> axes) {
  Dimensions out{};
  std::ranges::copy(axes, out.begin());
  return out;
}

hid_t file_type(ValueWidth width) {
  switch (width) {
    case ValueWidth::kU8:
      return H5T_STD_U8LE;
    case ValueWidth::kU16:
      return H5T_STD_U16LE;
    case ValueWidth::kU32:
      break;
  }
  return H5T_STD_U32LE;
}

std::vector<std::uint64_t> used(const Dimensions& all, int axes) {
  return {all.begin(), all.begin() + axes};
}

/// A dataset of values, with any layout.
struct Opened {
  Hid id;
  ValueWidth width;
  std::vector<std::uint64_t> extent;
};

/// @pre the caller has a Guard
Opened open_values(const Object& parent, const std::string& name) {
  const Context& context = parent.context();
  const std::string action = "opening '" + name + "'";
  Hid id(context.check(H5Dopen2(parent.id(), name.c_str(), H5P_DEFAULT), action), H5Dclose);
  const Hid type(context.check(H5Dget_type(id.get()), action), H5Tclose);
  const Hid space(context.check(H5Dget_space(id.get()), action), H5Sclose);
  const std::size_t bytes = H5Tget_size(type.get());
  if ((bytes != 1 && bytes != 2 && bytes != 4) ||
      H5Tequal(type.get(), file_type(static_cast<ValueWidth>(bytes))) <= 0) {
    context.corrupt(fmt::format("'{}' holds no unsigned integers of 1, 2 or 4 bytes", name));
  }
  const int axes = H5Sget_simple_extent_ndims(space.get());
  Dimensions extent{};
  if (axes < 1 || axes > static_cast<int>(ChunkGrid::kMaxAxes) ||
      H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr) != axes) {
    context.corrupt(fmt::format("'{}' has not 1 to {} axes", name, ChunkGrid::kMaxAxes));
  }
  return {std::move(id), static_cast<ValueWidth>(bytes), used(extent, axes)};
}

}  // namespace

Dataset Dataset::create(const Object& parent, const std::string& name, ValueWidth width,
                        const ChunkGrid& grid) {
  const Guard guard;
  const Context& context = parent.context();
  const auto axes = static_cast<int>(grid.extent().size());
  const auto extent = dimensions(grid.extent());
  const auto edge = dimensions(grid.edge());
  // One axis has no limit, so the chunk index is an extensible array. The index of a dataset of
  // fixed size leaves gaps in the file, and for a single chunk HDF5 1.10 reports a wrong filter
  // mask.
  auto limit = extent;
  limit[0] = H5S_UNLIMITED;
  const Hid space(
      context.check(H5Screate_simple(axes, extent.data(), limit.data()), "creating the values"),
      H5Sclose);
  const Hid list = compressed_list(axes, edge.data(), context);
  context.check(H5Pset_fill_value(list.get(), file_type(width), &kAllOnes),
                "choosing a fill value");
  Hid id(context.check(H5Dcreate2(parent.id(), name.c_str(), file_type(width), space.get(),
                                  H5P_DEFAULT, list.get(), H5P_DEFAULT),
                       "creating the values"),
         H5Dclose);
  return {parent.with(std::move(id)), width, grid};
}

Dataset Dataset::open(const Object& parent, const std::string& name) {
  const Guard guard;
  const Context& context = parent.context();
  Opened opened = open_values(parent, name);
  const auto axes = static_cast<int>(opened.extent.size());
  const Hid list(context.check(H5Dget_create_plist(opened.id.get()), "opening '" + name + "'"),
                 H5Pclose);
  Dimensions edge{};
  if (H5Pget_layout(list.get()) != H5D_CHUNKED ||
      H5Pget_chunk(list.get(), axes, edge.data()) != axes) {
    context.corrupt(fmt::format("'{}' is not stored in chunks", name));
  }
  bool filters = H5Pget_nfilters(list.get()) == static_cast<int>(kFilters.size());
  for (unsigned i = 0; filters && i < kFilters.size(); ++i) {
    unsigned flags = 0;
    std::size_t parameters = 0;
    filters = H5Pget_filter2(list.get(), i, &flags, &parameters, nullptr, 0, nullptr, nullptr) ==
              kFilters[i];
  }
  if (!filters) context.corrupt(fmt::format("'{}' has other filters than 1 and 2", name));
  const ChunkGrid grid(opened.extent, used(edge, axes));
  return {parent.with(std::move(opened.id)), opened.width, grid};
}

Dataset Dataset::create_virtual(const Object& parent, const std::string& name, ValueWidth width,
                                std::span<const std::uint64_t> extent,
                                std::span<const Source> sources) {
  const Guard guard;
  const Context& context = parent.context();
  const std::string action = "creating '" + name + "'";
  const auto axes = static_cast<int>(extent.size());
  const auto shape = dimensions(extent);
  const Hid space(context.check(H5Screate_simple(axes, shape.data(), nullptr), action), H5Sclose);
  const Hid list = creation_list(H5P_DATASET_CREATE, context);
  context.check(H5Pset_fill_value(list.get(), file_type(width), &kAllOnes), action);
  for (const Source& source : sources) {
    auto part = shape;
    part[0] = source.count;
    Dimensions start{};
    start[0] = source.first;
    const Hid here(context.check(H5Screate_simple(axes, shape.data(), nullptr), action), H5Sclose);
    context.check(H5Sselect_hyperslab(here.get(), H5S_SELECT_SET, start.data(), nullptr,
                                      part.data(), nullptr),
                  action);
    const Hid there(context.check(H5Screate_simple(axes, part.data(), nullptr), action), H5Sclose);
    context.check(H5Pset_virtual(list.get(), here.get(), source.file.c_str(), ("/" + name).c_str(),
                                 there.get()),
                  action);
  }
  Hid id(context.check(H5Dcreate2(parent.id(), name.c_str(), file_type(width), space.get(),
                                  H5P_DEFAULT, list.get(), H5P_DEFAULT),
                       action),
         H5Dclose);
  return {parent.with(std::move(id)), width, ChunkGrid(extent, extent)};
}

Dataset Dataset::open_virtual(const Object& parent, const std::string& name, std::size_t sources) {
  const Guard guard;
  const Context& context = parent.context();
  Opened opened = open_values(parent, name);
  const Hid list(context.check(H5Dget_create_plist(opened.id.get()), "opening '" + name + "'"),
                 H5Pclose);
  std::size_t mapped = 0;
  if (H5Pget_layout(list.get()) != H5D_VIRTUAL || H5Pget_virtual_count(list.get(), &mapped) < 0 ||
      mapped != sources) {
    context.corrupt(fmt::format("'{}' is not a virtual dataset of {} files", name, sources));
  }
  const ChunkGrid grid(opened.extent, opened.extent);
  return {parent.with(std::move(opened.id)), opened.width, grid};
}

void Dataset::write_chunk(std::uint64_t index, std::span<const std::byte> encoded) {
  const Guard guard;
  const auto offset = dimensions(grid_.origin_of(index));
  context().check(
      H5Dwrite_chunk(id(), H5P_DEFAULT, 0, offset.data(), encoded.size(), encoded.data()),
      "writing values");
}

Bytes Dataset::read_chunk(std::uint64_t index) const {
  const Guard guard;
  const auto offset = dimensions(grid_.origin_of(index));
  hsize_t size = 0;
  context().check(H5Dget_chunk_storage_size(id(), offset.data(), &size), "finding a chunk");
  if (size == 0 || size > largest_encoded_size(chunk_bytes())) {
    context().corrupt(fmt::format("chunk {} has an impossible size, {} bytes", index, size));
  }
  Bytes encoded(size);
  std::uint32_t skipped_filters = 0;
  context().check(H5Dread_chunk(id(), H5P_DEFAULT, offset.data(), &skipped_filters, encoded.data()),
                  "reading a chunk");
  if (skipped_filters != 0) context().corrupt(fmt::format("chunk {} skips filters", index));
  return encoded;
}

}  // namespace grundy::h5
