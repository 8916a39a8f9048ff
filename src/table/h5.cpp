// SPDX-License-Identifier: MIT
#include "table/h5.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <hdf5_hl.h>

namespace grundy::h5 {
namespace {

/// The one lock in front of the library, which has global state of its own.
std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  // Before the first other call, or it has no effect.
  static const herr_t exit_handler_off = H5dont_atexit();
  static_cast<void>(exit_handler_off);
  return mutex;
}

constexpr std::array<H5Z_filter_t, 2> kFilters = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
constexpr unsigned kDeflateLevel = 1;
/// Attributes up to this number live in the object header, which carries a checksum.
constexpr unsigned kCompactAttributes = 64;
/// Rows of a compressed table in a chunk.
constexpr hsize_t kTableRows = 1u << 14;
/// Deflate makes nothing smaller than by a factor of 1032 (Deutsch, RFC 1951: 258 bytes in 2 bits).
constexpr hsize_t kLargestRatio = 1032;
/// Names of a dimension without coordinates begin so in netCDF-4 files; the length follows.
constexpr std::string_view kNetcdfDimension =
    "This is a netCDF dimension but not a netCDF variable.";

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

Hid scalar_space(const Context& context) {
  return {context.check(H5Screate(H5S_SCALAR), "making a scalar"), H5Sclose};
}

/// Scalar UTF-8 string of variable length.
Hid text_type(const Context& context) {
  Hid type(context.check(H5Tcopy(H5T_C_S1), "making a text type"), H5Tclose);
  context.check(H5Tset_size(type.get(), H5T_VARIABLE), "making a text type");
  context.check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "making a text type");
  return type;
}

/// A creation property list without times, so that equal content gives equal bytes.
Hid creation_list(hid_t cls, const Context& context) {
  Hid list(context.check(H5Pcreate(cls), "making properties"), H5Pclose);
  context.check(H5Pset_obj_track_times(list.get(), false), "switching times off");
  context.check(H5Pset_attr_phase_change(list.get(), kCompactAttributes, 0),
                "keeping attributes compact");
  return list;
}

/// The same with chunks and the filters that readers expect.
Hid compressed_list(int axes, const hsize_t* edge, const Context& context) {
  Hid list = creation_list(H5P_DATASET_CREATE, context);
  context.check(H5Pset_chunk(list.get(), axes, edge), "choosing chunks");
  context.check(H5Pset_shuffle(list.get()), "choosing filters");
  context.check(H5Pset_deflate(list.get(), kDeflateLevel), "choosing filters");
  return list;
}

using Dimensions = std::array<hsize_t, ChunkGrid::kMaxAxes>;

Dimensions dimensions(std::span<const std::uint64_t> axes) {
  Dimensions out{};
  std::ranges::copy(axes, out.begin());
  return out;
}

Hid access_list(const Context& context) {
  Hid list(context.check(H5Pcreate(H5P_FILE_ACCESS), "making properties"), H5Pclose);
  context.check(H5Pset_libver_bounds(list.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
                "choosing the file format");
  // Without blocks set aside for small objects, what is written later lies later in the file.
  context.check(H5Pset_meta_block_size(list.get(), 0), "choosing the file layout");
  context.check(H5Pset_small_data_block_size(list.get(), 0), "choosing the file layout");
  return list;
}

[[noreturn]] void corrupt(const Context& context, const std::string& what) {
  throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is damaged: {}", context.path, what));
}

/// Reads a scalar text through `read(type, buffer)` after looking at its type and space.
template <class Read>
std::string read_text(const Context& context, const std::string& name, const Hid& type,
                      const Hid& space, Read&& read) {
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0 ||
      H5Tget_cset(type.get()) != H5T_CSET_UTF8 ||
      H5Sget_simple_extent_type(space.get()) != H5S_SCALAR) {
    corrupt(context, fmt::format("'{}' is not a UTF-8 text", name));
  }
  char* text = nullptr;
  context.check(read(type.get(), &text), "reading '" + name + "'");
  const std::unique_ptr<char, herr_t (*)(void*)> owner(
      text, [](void* p) -> herr_t { return H5free_memory(p); });
  return text == nullptr ? std::string() : std::string(text);
}

const char* checked_text(const Context& context, const std::string& name, const std::string& text) {
  if (text.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kFailure,
                fmt::format("the text '{}' for '{}' holds a zero byte", name, context.path));
  }
  return text.c_str();
}

/// The reason that lies deepest in the library's error stack, in words of the operating system if
/// it has any.
std::string reason() {
  std::string deepest;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* entry, void* result) -> herr_t {
        constexpr std::string_view kMark = "error message = '";
        auto& out = *static_cast<std::string*>(result);
        const std::string_view text = entry->desc == nullptr ? "" : entry->desc;
        const std::size_t at = text.find(kMark);
        if (at != std::string_view::npos) {
          const std::string_view tail = text.substr(at + kMark.size());
          out = tail.substr(0, tail.find('\''));
          return 1;  // stops the walk
        }
        if (!text.empty()) out = text;
        return 0;
      },
      &deepest);
  return deepest.empty() ? "unknown reason" : deepest;
}

template <class T>
hid_t number_type(bool in_file) {
  if constexpr (sizeof(T) == sizeof(std::uint64_t)) {
    return in_file ? H5T_STD_U64LE : H5T_NATIVE_UINT64;
  } else {
    return in_file ? H5T_STD_U32LE : H5T_NATIVE_UINT32;
  }
}

/// Creates a dataset with the properties `list` and fills it, row by row.
template <class T>
void put_rows(hid_t at, const Context& context, const std::string& name, std::span<const T> numbers,
              std::size_t columns, const Hid& list) {
  const std::array<hsize_t, 2> shape = {numbers.size() / columns, columns};
  const Hid space(context.check(H5Screate_simple(columns == 1 ? 1 : 2, shape.data(), nullptr),
                                "creating '" + name + "'"),
                  H5Sclose);
  Hid dataset(context.check(H5Dcreate2(at, name.c_str(), number_type<T>(true), space.get(),
                                       H5P_DEFAULT, list.get(), H5P_DEFAULT),
                            "creating '" + name + "'"),
              H5Dclose);
  context.check(
      H5Dwrite(dataset.get(), number_type<T>(false), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
      "writing '" + name + "'");
  dataset.close(context, "writing '" + name + "'");
}

/// The inverse.
template <class T>
std::vector<T> rows(hid_t at, const Context& context, const std::string& name,
                    std::size_t columns) {
  const std::string action = "reading '" + name + "'";
  const Hid dataset(
      context.check(H5Dopen2(at, name.c_str(), H5P_DEFAULT), "opening '" + name + "'"), H5Dclose);
  const Hid type(context.check(H5Dget_type(dataset.get()), action), H5Tclose);
  const Hid space(context.check(H5Dget_space(dataset.get()), action), H5Sclose);
  const Hid list(context.check(H5Dget_create_plist(dataset.get()), action), H5Pclose);
  const int rank = columns == 1 ? 1 : 2;
  std::array<hsize_t, 2> shape = {0, 1};
  if (H5Tequal(type.get(), number_type<T>(true)) <= 0 ||
      H5Sget_simple_extent_ndims(space.get()) != rank ||
      H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr) != rank ||
      shape[1] != columns) {
    corrupt(context, fmt::format("'{}' is not an array of {}-bit numbers", name, 8 * sizeof(T)));
  }
  // The space on disk bounds what is allocated here: a shape alone may promise anything.
  const hsize_t stored = H5Dget_storage_size(dataset.get());
  const hsize_t row = columns * sizeof(T);
  const bool plain = H5Pget_nfilters(list.get()) == 0;
  if (plain ? stored % row != 0 || stored / row != shape[0]
            : shape[0] / kLargestRatio > stored / row + 1) {
    corrupt(context, fmt::format("the size of '{}' is not that of its data", name));
  }
  std::vector<T> numbers(shape[0] * columns);
  context.check(
      H5Dread(dataset.get(), number_type<T>(false), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
      action);
  return numbers;
}

}  // namespace

Guard::Guard() : lock_(library_mutex()) {
  restore_ = H5Eget_auto2(H5E_DEFAULT, &print_, &client_) >= 0;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Guard::~Guard() {
  if (restore_) H5Eset_auto2(H5E_DEFAULT, print_, client_);
}

void Context::fail(std::string_view action) const {
  const std::string why = reason();
  switch (code) {
    case ErrorCode::kCorrupt:
      throw Error(code, fmt::format("'{}' is damaged: {} failed: {}", path, action, why));
    case ErrorCode::kUsage:
      throw Error(code, fmt::format("cannot create '{}': {}", path, why));
    default:
      throw Error(code, fmt::format("cannot write '{}': {} failed: {}", path, action, why));
  }
}

Hid::~Hid() {
  if (id_ < 0) return;
  const Guard guard;
  closer_(id_);
}

void Hid::close(const Context& context, std::string_view action) {
  const Guard guard;
  context.check(closer_(std::exchange(id_, H5I_INVALID_HID)), action);
}

bool Object::has_attribute(const std::string& name) const {
  const Guard guard;
  return context_->check(H5Aexists(id(), name.c_str()), "looking for '" + name + "'") > 0;
}

void Object::put_text(const std::string& name, const std::string& text) {
  const Guard guard;
  const Hid type = text_type(*context_);
  const Hid space = scalar_space(*context_);
  const char* const data = checked_text(*context_, name, text);
  Hid attribute(context_->check(H5Acreate2(id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                           H5P_DEFAULT),
                                "creating '" + name + "'"),
                H5Aclose);
  context_->check(H5Awrite(attribute.get(), type.get(), &data), "writing '" + name + "'");
  attribute.close(*context_, "writing '" + name + "'");
}

void Object::put_number(const std::string& name, std::uint64_t number) {
  const Guard guard;
  const Hid space = scalar_space(*context_);
  Hid attribute(context_->check(H5Acreate2(id(), name.c_str(), H5T_STD_U64LE, space.get(),
                                           H5P_DEFAULT, H5P_DEFAULT),
                                "creating '" + name + "'"),
                H5Aclose);
  context_->check(H5Awrite(attribute.get(), H5T_NATIVE_UINT64, &number), "writing '" + name + "'");
  attribute.close(*context_, "writing '" + name + "'");
}

void Object::set_number(const std::string& name, std::uint64_t number) {
  const Guard guard;
  const std::string action = "writing '" + name + "'";
  Hid attribute(context_->check(H5Aopen(id(), name.c_str(), H5P_DEFAULT), action), H5Aclose);
  context_->check(H5Awrite(attribute.get(), H5T_NATIVE_UINT64, &number), action);
  attribute.close(*context_, action);
}

std::string Object::text(const std::string& name) const {
  const Guard guard;
  const Hid attribute(
      context_->check(H5Aopen(id(), name.c_str(), H5P_DEFAULT), "opening '" + name + "'"),
      H5Aclose);
  const Hid type(context_->check(H5Aget_type(attribute.get()), "reading '" + name + "'"), H5Tclose);
  const Hid space(context_->check(H5Aget_space(attribute.get()), "reading '" + name + "'"),
                  H5Sclose);
  return read_text(*context_, name, type, space,
                   [&](hid_t t, char** out) { return H5Aread(attribute.get(), t, out); });
}

std::uint64_t Object::number(const std::string& name) const {
  const Guard guard;
  const Hid attribute(
      context_->check(H5Aopen(id(), name.c_str(), H5P_DEFAULT), "opening '" + name + "'"),
      H5Aclose);
  const Hid type(context_->check(H5Aget_type(attribute.get()), "reading '" + name + "'"), H5Tclose);
  const Hid space(context_->check(H5Aget_space(attribute.get()), "reading '" + name + "'"),
                  H5Sclose);
  if (H5Tequal(type.get(), H5T_STD_U64LE) <= 0 ||
      H5Sget_simple_extent_type(space.get()) != H5S_SCALAR) {
    corrupt(*context_, fmt::format("'{}' is not a 64-bit number", name));
  }
  std::uint64_t number = 0;
  context_->check(H5Aread(attribute.get(), H5T_NATIVE_UINT64, &number), "reading '" + name + "'");
  return number;
}

bool Object::has_member(const std::string& name) const {
  const Guard guard;
  return context_->check(H5Lexists(id(), name.c_str(), H5P_DEFAULT), "looking for " + name) > 0;
}

Object Object::create_group(const std::string& name) {
  const Guard guard;
  const Hid list = creation_list(H5P_GROUP_CREATE, *context_);
  return {Hid(context_->check(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, list.get(), H5P_DEFAULT),
                              "creating '" + name + "'"),
              H5Gclose),
          context_};
}

Object Object::open_group(const std::string& name) const {
  const Guard guard;
  return {Hid(context_->check(H5Gopen2(id(), name.c_str(), H5P_DEFAULT), "opening '" + name + "'"),
              H5Gclose),
          context_};
}

Object Object::open_dataset(const std::string& name) const {
  const Guard guard;
  return {Hid(context_->check(H5Dopen2(id(), name.c_str(), H5P_DEFAULT), "opening '" + name + "'"),
              H5Dclose),
          context_};
}

void Object::put_array(const std::string& name, std::span<const std::uint64_t> numbers,
                       std::size_t columns) {
  const Guard guard;
  const Hid list = creation_list(H5P_DATASET_CREATE, *context_);
  put_rows(id(), *context_, name, numbers, columns, list);
}

std::vector<std::uint64_t> Object::array(const std::string& name, std::size_t columns) const {
  const Guard guard;
  return rows<std::uint64_t>(id(), *context_, name, columns);
}

void Object::put_table(const std::string& name, std::span<const std::uint32_t> numbers,
                       std::size_t columns) {
  const Guard guard;
  const std::size_t count = numbers.size() / columns;
  if (count == 0) {  // a chunk cannot be larger than a dataset of fixed size
    const Hid list = creation_list(H5P_DATASET_CREATE, *context_);
    return put_rows(id(), *context_, name, numbers, columns, list);
  }
  const std::array<hsize_t, 2> edge = {std::min<hsize_t>(count, kTableRows), columns};
  put_rows(id(), *context_, name, numbers, columns,
           compressed_list(static_cast<int>(edge.size()), edge.data(), *context_));
}

std::vector<std::uint32_t> Object::table(const std::string& name, std::size_t columns) const {
  const Guard guard;
  return rows<std::uint32_t>(id(), *context_, name, columns);
}

void Object::put_document(const std::string& name, const std::string& text) {
  const Guard guard;
  const Hid type = text_type(*context_);
  const Hid space = scalar_space(*context_);
  const Hid list = creation_list(H5P_DATASET_CREATE, *context_);
  const char* const data = checked_text(*context_, name, text);
  Hid dataset(context_->check(H5Dcreate2(id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                         list.get(), H5P_DEFAULT),
                              "creating '" + name + "'"),
              H5Dclose);
  context_->check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &data),
                  "writing '" + name + "'");
  dataset.close(*context_, "writing '" + name + "'");
}

std::string Object::document(const std::string& name) const {
  const Guard guard;
  const Hid dataset(
      context_->check(H5Dopen2(id(), name.c_str(), H5P_DEFAULT), "opening '" + name + "'"),
      H5Dclose);
  const Hid type(context_->check(H5Dget_type(dataset.get()), "reading '" + name + "'"), H5Tclose);
  const Hid space(context_->check(H5Dget_space(dataset.get()), "reading '" + name + "'"), H5Sclose);
  return read_text(*context_, name, type, space, [&](hid_t t, char** out) {
    return H5Dread(dataset.get(), t, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  });
}

Dataset Object::create_values(const std::string& name, ValueWidth width, const ChunkGrid& grid) {
  const Guard guard;
  const auto axes = static_cast<int>(grid.extent().size());
  const auto extent = dimensions(grid.extent());
  const auto edge = dimensions(grid.edge());
  // One axis without a limit makes the chunk index an extensible array; that of a dataset of fixed
  // size leaves gaps in the file, and for a single chunk HDF5 1.10 reports a wrong filter mask.
  auto limit = extent;
  limit[0] = H5S_UNLIMITED;
  const Nimber fill = std::numeric_limits<Nimber>::max();  // all ones at every width
  const Hid space(
      context_->check(H5Screate_simple(axes, extent.data(), limit.data()), "creating the values"),
      H5Sclose);
  const Hid list = compressed_list(axes, edge.data(), *context_);
  context_->check(H5Pset_fill_value(list.get(), file_type(width), &fill), "choosing a fill value");
  Hid id(context_->check(H5Dcreate2(this->id(), name.c_str(), file_type(width), space.get(),
                                    H5P_DEFAULT, list.get(), H5P_DEFAULT),
                         "creating the values"),
         H5Dclose);
  return {Object(std::move(id), context_), width, grid};
}

Dataset Object::open_values(const std::string& name) const {
  const Guard guard;
  const std::string action = "opening '" + name + "'";
  Hid id(context_->check(H5Dopen2(this->id(), name.c_str(), H5P_DEFAULT), action), H5Dclose);
  const Hid type(context_->check(H5Dget_type(id.get()), action), H5Tclose);
  const Hid space(context_->check(H5Dget_space(id.get()), action), H5Sclose);
  const Hid list(context_->check(H5Dget_create_plist(id.get()), action), H5Pclose);

  const std::size_t bytes = H5Tget_size(type.get());
  if ((bytes != 1 && bytes != 2 && bytes != 4) ||
      H5Tequal(type.get(), file_type(static_cast<ValueWidth>(bytes))) <= 0) {
    corrupt(*context_, fmt::format("'{}' holds no unsigned integers of 1, 2 or 4 bytes", name));
  }
  const int axes = H5Sget_simple_extent_ndims(space.get());
  Dimensions extent{};
  if (axes < 1 || axes > static_cast<int>(ChunkGrid::kMaxAxes) ||
      H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr) != axes) {
    corrupt(*context_, fmt::format("'{}' has not 1 to {} axes", name, ChunkGrid::kMaxAxes));
  }
  Dimensions edge{};
  if (H5Pget_layout(list.get()) != H5D_CHUNKED ||
      H5Pget_chunk(list.get(), axes, edge.data()) != axes) {
    corrupt(*context_, fmt::format("'{}' is not stored in chunks", name));
  }
  bool filters = H5Pget_nfilters(list.get()) == static_cast<int>(kFilters.size());
  for (unsigned i = 0; filters && i < kFilters.size(); ++i) {
    unsigned flags = 0;
    std::size_t parameters = 0;
    filters = H5Pget_filter2(list.get(), i, &flags, &parameters, nullptr, 0, nullptr, nullptr) ==
              kFilters[i];
  }
  if (!filters) corrupt(*context_, fmt::format("'{}' has other filters than 1 and 2", name));
  const auto used = [axes](const Dimensions& all) {
    return std::vector<std::uint64_t>(all.begin(), all.begin() + axes);
  };
  return {Object(std::move(id), context_), static_cast<ValueWidth>(bytes),
          ChunkGrid(used(extent), used(edge))};
}

void Object::put_dimension(const std::string& name, const Object& dataset, unsigned axis,
                           std::uint64_t size) {
  const Guard guard;
  const hsize_t extent = size;
  const Hid space(context_->check(H5Screate_simple(1, &extent, nullptr), "creating the dimension"),
                  H5Sclose);
  const Hid list = creation_list(H5P_DATASET_CREATE, *context_);
  // Space is allocated when written, and this is never written: the dimension takes no room.
  Hid id(context_->check(H5Dcreate2(this->id(), name.c_str(), H5T_IEEE_F32BE, space.get(),
                                    H5P_DEFAULT, list.get(), H5P_DEFAULT),
                         "creating the dimension"),
         H5Dclose);
  const std::string title = fmt::format("{} {:10d}", kNetcdfDimension, size);
  context_->check(H5DSset_scale(id.get(), title.c_str()), "creating the dimension");
  context_->check(H5DSattach_scale(dataset.id(), id.get(), axis), "attaching the dimension");
  id.close(*context_, "creating the dimension");
}

void Object::close() {
  id_.close(*context_, "closing a part of it");
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
    corrupt(context(), fmt::format("chunk {} has an impossible size, {} bytes", index, size));
  }
  Bytes encoded(size);
  std::uint32_t skipped_filters = 0;
  context().check(H5Dread_chunk(id(), H5P_DEFAULT, offset.data(), &skipped_filters, encoded.data()),
                  "reading a chunk");
  if (skipped_filters != 0) corrupt(context(), fmt::format("chunk {} skips filters", index));
  return encoded;
}

File File::create(const std::filesystem::path& path) {
  const Guard guard;
  auto context = std::make_shared<const Context>(Context{path.string(), ErrorCode::kFailure});
  const Context creating{path.string(), ErrorCode::kUsage};
  const Hid creation = creation_list(H5P_FILE_CREATE, *context);
  const Hid access = access_list(*context);
  return {Hid(creating.check(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.get(), access.get()),
                             "creating it"),
              H5Fclose),
          std::move(context)};
}

File File::open(const std::filesystem::path& path) {
  const Guard guard;
  auto context = std::make_shared<const Context>(Context{path.string(), ErrorCode::kCorrupt});
  const Hid access = access_list(*context);
  return {Hid(context->check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), "opening it"),
              H5Fclose),
          std::move(context)};
}

void File::flush() {
  const Guard guard;
  context_->check(H5Fflush(id_.get(), H5F_SCOPE_LOCAL), "flushing it");
}

void File::flush_without_gaps() {
  const Guard guard;
  flush();
  if (context_->check(H5Fget_freespace(id_.get()), "measuring it") != 0) {
    throw Error(ErrorCode::kFailure,
                fmt::format("'{}' has gaps, which its seal does not allow", context_->path));
  }
}

Object File::root() const {
  const Guard guard;
  return {Hid(context_->check(H5Gopen2(id_.get(), "/", H5P_DEFAULT), "opening '/'"), H5Gclose),
          context_};
}

}  // namespace grundy::h5
