// SPDX-License-Identifier: MIT
#include "table/h5_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <grundy/types.hpp>

namespace grundy::h5 {
namespace {

constexpr hsize_t kChunkRows = 1u << 16;
/// A column of at most this many bytes is not compressed: an index of chunks would cost more bytes
/// than that saves.
constexpr hsize_t kPlain = 4096;
/// The most by which deflate can make data smaller: 258 bytes in 2 bits (Deutsch, RFC 1951).
constexpr hsize_t kLargestRatio = 1032;

/// The types in memory and in the file of unsigned integers.
struct Types {
  hid_t memory, file;
};
template <class T>
Types types_of() {
  if constexpr (sizeof(T) == 1) return {H5T_NATIVE_UINT8, H5T_STD_U8LE};
  if constexpr (sizeof(T) == 2) return {H5T_NATIVE_UINT16, H5T_STD_U16LE};
  if constexpr (sizeof(T) == 4) return {H5T_NATIVE_UINT32, H5T_STD_U32LE};
  return {H5T_NATIVE_UINT64, H5T_STD_U64LE};
}

/// Makes a dataset of rows and columns. A dataset that grows, or is long, is in chunks.
template <class T>
Object create_column(const Object& parent, const std::string& name,
                     const std::array<hsize_t, 2>& shape, bool grows) {
  const Guard guard;
  const Context& context = parent.context();
  const std::string action = "writing '" + name + "'";
  const int rank = shape[1] == 1 ? 1 : 2;
  const std::array<hsize_t, 2> most{grows ? H5S_UNLIMITED : shape[0], shape[1]};
  const Hid space(context.check(H5Screate_simple(rank, shape.data(), most.data()), action),
                  H5Sclose);
  const std::array<hsize_t, 2> chunk{grows ? kChunkRows : std::min(shape[0], kChunkRows), shape[1]};
  const Hid list = grows || shape[0] * shape[1] * sizeof(T) > kPlain
                       ? compressed_list(rank, chunk.data(), context)
                       : creation_list(H5P_DATASET_CREATE, context);
  return parent.with(
      Hid(context.check(H5Dcreate2(parent.id(), name.c_str(), types_of<T>().file, space.get(),
                                   H5P_DEFAULT, list.get(), H5P_DEFAULT),
                        action),
          H5Dclose));
}

/// Some rows of a dataset, and the same number of rows in memory.
struct Rows {
  Hid file, memory;
};
/// @param rows the first row, and the number of rows
Rows select_rows(const Object& dataset, const std::array<hsize_t, 2>& rows, std::size_t columns,
                 const std::string& action) {
  const Context& context = dataset.context();
  const std::array<hsize_t, 2> start{rows[0], 0}, shape{rows[1], columns};
  Hid file(context.check(H5Dget_space(dataset.id()), action), H5Sclose);
  Hid memory(context.check(H5Screate_simple(columns == 1 ? 1 : 2, shape.data(), nullptr), action),
             H5Sclose);
  context.check(
      H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr),
      action);
  return {std::move(file), std::move(memory)};
}

/// A dataset of unsigned integers that may be read.
struct Column {
  Object dataset;
  hsize_t rows;
};

/// @param most_bytes the most bytes of one integer
Column open_column(const Object& parent, const std::string& name, std::size_t most_bytes,
                   std::size_t columns) {
  const Context& context = parent.context();
  const std::string action = "reading '" + name + "'";
  Object dataset = parent.open_dataset(name);
  const Hid type(context.check(H5Dget_type(dataset.id()), action), H5Tclose);
  const Hid space(context.check(H5Dget_space(dataset.id()), action), H5Sclose);
  const Hid file(context.check(H5Iget_file_id(dataset.id()), action), H5Fclose);
  const std::size_t bytes = H5Tget_size(type.get());
  const int rank = columns == 1 ? 1 : 2;
  std::array<hsize_t, 2> shape{0, 1};
  if (H5Tget_class(type.get()) != H5T_INTEGER || H5Tget_sign(type.get()) != H5T_SGN_NONE ||
      bytes == 0 || bytes > most_bytes || H5Sget_simple_extent_ndims(space.get()) != rank ||
      H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr) != rank ||
      shape[1] != columns) {
    context.corrupt(fmt::format("'{}' is no array of unsigned integers of the right shape", name));
  }
  // A damaged shape may claim any size. So the space on disk limits the allocation here.
  hsize_t file_bytes = 0;
  context.check(H5Fget_filesize(file.get(), &file_bytes), action);
  const hsize_t stored = std::min(H5Dget_storage_size(dataset.id()), file_bytes);
  const hsize_t row = bytes * columns;
  const Hid list(context.check(H5Dget_create_plist(dataset.id()), action), H5Pclose);
  const bool plain = H5Pget_nfilters(list.get()) == 0;
  if (plain ? stored % row != 0 || stored / row != shape[0]
            : shape[0] / kLargestRatio > stored / row + 1) {
    context.corrupt(fmt::format("'{}' promises more rows than it can hold", name));
  }
  return {std::move(dataset), shape[0]};
}

}  // namespace

template <class T>
void put_column(const Object& parent, const std::string& name, std::span<const T> numbers,
                std::size_t columns) {
  const Guard guard;
  const hsize_t rows = numbers.size() / columns;
  Object dataset = create_column<T>(parent, name, {rows, columns}, false);
  if (rows > 0) {
    parent.context().check(
        H5Dwrite(dataset.id(), types_of<T>().memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
        "writing '" + name + "'");
  }
  dataset.close();
}

void put_narrow_column(const Object& parent, const std::string& name,
                       std::span<const std::uint32_t> numbers) {
  const Nimber most = numbers.empty() ? 0 : std::ranges::max(numbers);
  const auto put_as = [&]<class T>(T /*width*/) {
    std::vector<T> narrow(numbers.size());
    std::ranges::transform(numbers, narrow.begin(), [](auto n) { return static_cast<T>(n); });
    put_column<T>(parent, name, narrow);
  };
  switch (width_for(most)) {
    case ValueWidth::kU8:
      return put_as(std::uint8_t{});
    case ValueWidth::kU16:
      return put_as(std::uint16_t{});
    case ValueWidth::kU32:
      put_column<std::uint32_t>(parent, name, numbers);
  }
}

template <class T>
std::uint64_t column_rows(const Object& parent, const std::string& name, std::size_t columns) {
  const Guard guard;
  return open_column(parent, name, sizeof(T), columns).rows;
}

template <class T>
std::vector<T> read_column(const Object& parent, const std::string& name, std::size_t columns) {
  const Guard guard;
  const Column column = open_column(parent, name, sizeof(T), columns);
  std::vector<T> numbers(column.rows * columns);
  parent.context().check(H5Dread(column.dataset.id(), types_of<T>().memory, H5S_ALL, H5S_ALL,
                                 H5P_DEFAULT, numbers.data()),
                         "reading '" + name + "'");
  return numbers;
}

template <class T>
ColumnWriter<T>::ColumnWriter(const Object& parent, const std::string& name, std::size_t columns)
    : action_("writing '" + name + "'"),
      dataset_(create_column<T>(parent, name, {0, columns}, true)),
      columns_(columns) {}

template <class T>
void ColumnWriter<T>::put(std::span<const T> numbers) {
  if (numbers.empty()) return;
  const Guard guard;
  const Context& context = dataset_.context();
  const hsize_t count = numbers.size() / columns_;
  const std::array<hsize_t, 2> shape{next_ + count, columns_};
  context.check(H5Dset_extent(dataset_.id(), shape.data()), action_);
  const Rows rows = select_rows(dataset_, {next_, count}, columns_, action_);
  context.check(H5Dwrite(dataset_.id(), types_of<T>().memory, rows.memory.get(), rows.file.get(),
                         H5P_DEFAULT, numbers.data()),
                action_);
  next_ += count;
}

template <class T>
std::vector<T> read_rows(const Object& parent, const std::string& name, std::uint64_t first,
                         std::uint64_t count, std::size_t columns) {
  const Guard guard;
  const Context& context = parent.context();
  const std::string action = "reading '" + name + "'";
  const Column column = open_column(parent, name, sizeof(T), columns);
  if (first > column.rows || count > column.rows - first) {
    context.corrupt(
        fmt::format("'{}' has {} rows, and {} are wanted", name, column.rows, first + count));
  }
  std::vector<T> numbers(count * columns);
  if (numbers.empty()) return numbers;
  const Rows rows = select_rows(column.dataset, {first, count}, columns, action);
  context.check(H5Dread(column.dataset.id(), types_of<T>().memory, rows.memory.get(),
                        rows.file.get(), H5P_DEFAULT, numbers.data()),
                action);
  return numbers;
}

template class ColumnWriter<std::uint8_t>;
template class ColumnWriter<std::uint16_t>;
template class ColumnWriter<std::uint32_t>;
template std::vector<std::uint8_t> read_rows(const Object&, const std::string&, std::uint64_t,
                                             std::uint64_t, std::size_t);
template std::vector<std::uint16_t> read_rows(const Object&, const std::string&, std::uint64_t,
                                              std::uint64_t, std::size_t);
template std::vector<std::uint32_t> read_rows(const Object&, const std::string&, std::uint64_t,
                                              std::uint64_t, std::size_t);
template std::vector<std::uint64_t> read_rows(const Object&, const std::string&, std::uint64_t,
                                              std::uint64_t, std::size_t);
template void put_column<std::uint8_t>(const Object&, const std::string&,
                                       std::span<const std::uint8_t>, std::size_t);
template void put_column<std::uint32_t>(const Object&, const std::string&,
                                        std::span<const std::uint32_t>, std::size_t);
template void put_column<std::uint64_t>(const Object&, const std::string&,
                                        std::span<const std::uint64_t>, std::size_t);
template std::uint64_t column_rows<std::uint8_t>(const Object&, const std::string&, std::size_t);
template std::uint64_t column_rows<std::uint32_t>(const Object&, const std::string&, std::size_t);
template std::uint64_t column_rows<std::uint64_t>(const Object&, const std::string&, std::size_t);
template std::vector<std::uint8_t> read_column(const Object&, const std::string&, std::size_t);
template std::vector<std::uint32_t> read_column(const Object&, const std::string&, std::size_t);
template std::vector<std::uint64_t> read_column(const Object&, const std::string&, std::size_t);

}  // namespace grundy::h5
