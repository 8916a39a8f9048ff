// SPDX-License-Identifier: MIT
#include "table/h5.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <hdf5_hl.h>

namespace grundy::h5 {
namespace {

/// The one lock for the library, which has global state.
std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  // This must be the first call of the library; later calls of it have no effect.
  static const herr_t exit_handler_off = H5dont_atexit();
  static_cast<void>(exit_handler_off);
  return mutex;
}

constexpr unsigned kDeflateLevel = 1;
/// Attributes up to this number live in the object header, which carries a checksum.
constexpr unsigned kCompactAttributes = 64;
/// A dimension without coordinates has a name that begins so in netCDF-4 files. The length follows.
constexpr std::string_view kNetcdfDimension =
    "This is a netCDF dimension but not a netCDF variable.";

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

Hid access_list(const Context& context) {
  Hid list(context.check(H5Pcreate(H5P_FILE_ACCESS), "making properties"), H5Pclose);
  context.check(H5Pset_libver_bounds(list.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
                "choosing the file format");
  // Without blocks reserved for small objects, data that are written later lie later in the file.
  context.check(H5Pset_meta_block_size(list.get(), 0), "choosing the file layout");
  context.check(H5Pset_small_data_block_size(list.get(), 0), "choosing the file layout");
  return list;
}

/// Reads a scalar text through `read(type, buffer)`, after it has checked type and space.
template <class Read>
std::string read_text(const Context& context, const std::string& name, const Hid& type,
                      const Hid& space, Read&& read) {
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0 ||
      H5Tget_cset(type.get()) != H5T_CSET_UTF8 ||
      H5Sget_simple_extent_type(space.get()) != H5S_SCALAR) {
    context.corrupt(fmt::format("'{}' is not a UTF-8 text", name));
  }
  char* text = nullptr;
  context.check(read(type.get(), &text), "reading '" + name + "'");
  const std::unique_ptr<char, herr_t (*)(void*)> owner(
      text, [](void* p) -> herr_t { return H5free_memory(p); });
  return text == nullptr ? std::string() : std::string(text);
}

/// A list for the transfer of one text. The library clears a megabyte for each converting transfer,
/// unless it is told that little is converted.
Hid text_transfer(const Context& context) {
  constexpr std::size_t kBytes = 4096;
  Hid list(context.check(H5Pcreate(H5P_DATASET_XFER), "making properties"), H5Pclose);
  context.check(H5Pset_buffer(list.get(), kBytes, nullptr, nullptr), "making properties");
  return list;
}

const char* checked_text(const Context& context, const std::string& name, const std::string& text) {
  if (text.find('\0') != std::string::npos) {
    throw Error(ErrorCode::kFailure,
                fmt::format("the text '{}' for '{}' holds a zero byte", name, context.path));
  }
  return text.c_str();
}

/// Puts a scalar attribute: `data` is of type `memory` and is stored as `file`.
void put_attribute(const Object& object, const std::string& name, hid_t file, hid_t memory,
                   const void* data) {
  const Context& context = object.context();
  const Hid space = scalar_space(context);
  Hid id(context.check(
             H5Acreate2(object.id(), name.c_str(), file, space.get(), H5P_DEFAULT, H5P_DEFAULT),
             "creating '" + name + "'"),
         H5Aclose);
  context.check(H5Awrite(id.get(), memory, data), "writing '" + name + "'");
  id.close(context, "writing '" + name + "'");
}

/// An attribute that is to be read.
struct Attribute {
  Hid id, type, space;
};

Attribute open_attribute(const Object& object, const std::string& name) {
  const Context& context = object.context();
  Hid id(context.check(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), "opening '" + name + "'"),
         H5Aclose);
  Hid type(context.check(H5Aget_type(id.get()), "reading '" + name + "'"), H5Tclose);
  Hid space(context.check(H5Aget_space(id.get()), "reading '" + name + "'"), H5Sclose);
  return {std::move(id), std::move(type), std::move(space)};
}

/// Why a call of the library failed.
struct Reason {
  std::string words = "unknown reason";
  bool of_system = false;  ///< the words come from the operating system
};

/// The deepest reason in the library's error stack; a reason of the operating system comes first.
Reason reason() {
  Reason deepest;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* entry, void* result) -> herr_t {
        constexpr std::string_view kMark = "error message = '";
        auto& out = *static_cast<Reason*>(result);
        const std::string_view text = entry->desc == nullptr ? "" : entry->desc;
        const std::size_t at = text.find(kMark);
        if (at != std::string_view::npos) {
          const std::string_view tail = text.substr(at + kMark.size());
          out = {std::string(tail.substr(0, tail.find('\''))), true};
          return 1;  // ends the walk
        }
        if (!text.empty()) out.words = text;
        return 0;
      },
      &deepest);
  return deepest;
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
  const auto [why, of_system] = reason();
  switch (code) {
    case ErrorCode::kCorrupt:
      if (of_system) {  // this says nothing of the file
        throw Error(ErrorCode::kFailure,
                    fmt::format("cannot read '{}': {} failed: {}", path, action, why));
      }
      throw Error(code, fmt::format("'{}' is damaged: {} failed: {}", path, action, why));
    case ErrorCode::kUsage:
      throw Error(code, fmt::format("cannot create '{}': {}", path, why));
    default:
      throw Error(code, fmt::format("cannot write '{}': {} failed: {}", path, action, why));
  }
}

void Context::corrupt(std::string_view what) const {
  throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is damaged: {}", path, what));
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

Hid creation_list(hid_t cls, const Context& context) {
  Hid list(context.check(H5Pcreate(cls), "making properties"), H5Pclose);
  context.check(H5Pset_obj_track_times(list.get(), false), "switching times off");
  context.check(H5Pset_attr_phase_change(list.get(), kCompactAttributes, 0),
                "keeping attributes compact");
  return list;
}

Hid compressed_list(int axes, const hsize_t* edge, const Context& context) {
  Hid list = creation_list(H5P_DATASET_CREATE, context);
  context.check(H5Pset_chunk(list.get(), axes, edge), "choosing chunks");
  context.check(H5Pset_shuffle(list.get()), "choosing filters");
  context.check(H5Pset_deflate(list.get(), kDeflateLevel), "choosing filters");
  return list;
}

bool Object::has_attribute(const std::string& name) const {
  const Guard guard;
  return context_->check(H5Aexists(id(), name.c_str()), "looking for '" + name + "'") > 0;
}

void Object::put_text(const std::string& name, const std::string& text) {
  const Guard guard;
  const Hid type = text_type(*context_);
  const char* const data = checked_text(*context_, name, text);
  put_attribute(*this, name, type.get(), type.get(), &data);
}

void Object::replace_text(const std::string& name, const std::string& text) {
  const Guard guard;
  if (has_attribute(name)) {
    context_->check(H5Adelete(id(), name.c_str()), "replacing '" + name + "'");
  }
  put_text(name, text);
}

void Object::put_number(const std::string& name, std::uint64_t number) {
  const Guard guard;
  put_attribute(*this, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &number);
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
  const Attribute attribute = open_attribute(*this, name);
  return read_text(*context_, name, attribute.type, attribute.space,
                   [&](hid_t t, char** out) { return H5Aread(attribute.id.get(), t, out); });
}

std::uint64_t Object::number(const std::string& name) const {
  const Guard guard;
  const Attribute attribute = open_attribute(*this, name);
  if (H5Tequal(attribute.type.get(), H5T_STD_U64LE) <= 0 ||
      H5Sget_simple_extent_type(attribute.space.get()) != H5S_SCALAR) {
    context_->corrupt(fmt::format("'{}' is not a 64-bit number", name));
  }
  std::uint64_t number = 0;
  context_->check(H5Aread(attribute.id.get(), H5T_NATIVE_UINT64, &number),
                  "reading '" + name + "'");
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
  const Hid transfer = text_transfer(*context_);
  context_->check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, transfer.get(), &data),
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
  const Hid transfer = text_transfer(*context_);
  return read_text(*context_, name, type, space, [&](hid_t t, char** out) {
    return H5Dread(dataset.get(), t, H5S_ALL, H5S_ALL, transfer.get(), out);
  });
}

Object Object::create_dimension(const std::string& name, std::uint64_t size) {
  const Guard guard;
  const hsize_t extent = size;
  const Hid space(context_->check(H5Screate_simple(1, &extent, nullptr), "creating the dimension"),
                  H5Sclose);
  const Hid list = creation_list(H5P_DATASET_CREATE, *context_);
  // HDF5 allocates space when data are written. None are, so the dimension takes no space.
  Hid id(context_->check(H5Dcreate2(this->id(), name.c_str(), H5T_IEEE_F32BE, space.get(),
                                    H5P_DEFAULT, list.get(), H5P_DEFAULT),
                         "creating the dimension"),
         H5Dclose);
  const std::string title = fmt::format("{} {:10d}", kNetcdfDimension, size);
  context_->check(H5DSset_scale(id.get(), title.c_str()), "creating the dimension");
  return with(std::move(id));
}

void Object::attach(const Object& dimension, unsigned axis) {
  const Guard guard;
  context_->check(H5DSattach_scale(id(), dimension.id(), axis), "attaching the dimension");
}

void Object::close() {
  id_.close(*context_, "closing a part of it");
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

File File::open(const std::filesystem::path& path, unsigned flags, ErrorCode code) {
  auto context = std::make_shared<const Context>(Context{path.string(), code});
  const Hid access = access_list(*context);
  Hid file(context->check(H5Fopen(path.c_str(), flags, access.get()), "opening it"), H5Fclose);
  return {std::move(file), std::move(context)};
}

File File::open(const std::filesystem::path& path) {
  const Guard guard;  // for the flag, too, which calls the library
  return open(path, H5F_ACC_RDONLY, ErrorCode::kCorrupt);
}

File File::change(const std::filesystem::path& path) {
  const Guard guard;
  return open(path, H5F_ACC_RDWR, ErrorCode::kFailure);
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
