// SPDX-License-Identifier: MIT
#include "table/listing.hpp"

#include <array>
#include <functional>

namespace grundy {
namespace {

/// No group lies deeper in a file of this program than `class/CODE`.
constexpr unsigned kDepth = 2;
constexpr hsize_t kMostAxes = 2;

/// The result of a library function that copies a name into a buffer.
std::string name_by(const std::function<ssize_t(char*, std::size_t)>& get) {
  const ssize_t length = get(nullptr, 0);
  if (length <= 0) return {};
  std::string name(static_cast<std::size_t>(length), '\0');
  get(name.data(), name.size() + 1);
  return name;
}

bool is_text(hid_t type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

}  // namespace

Listing::Listing(const std::filesystem::path& path, FileKind kind)
    : file_(open_sealed(path, kind)) {
  const h5::Guard guard;
  list_attributes(file_.root, "");
  list_members(file_.root, "", 0);
}

void Listing::list_attributes(const h5::Object& object, const std::string& prefix) {
  const h5::Context& context = object.context();
  const int count = context.check(H5Aget_num_attrs(object.id()), "listing attributes");
  for (int i = 0; i < count; ++i) {
    const std::string name = name_by([&](char* out, std::size_t size) {
      return H5Aget_name_by_idx(object.id(), ".", H5_INDEX_NAME, H5_ITER_INC,
                                static_cast<hsize_t>(i), out, size, H5P_DEFAULT);
    });
    const h5::Hid attribute(context.check(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), name),
                            H5Aclose);
    const h5::Hid type(context.check(H5Aget_type(attribute.get()), name), H5Tclose);
    const h5::Hid space(context.check(H5Aget_space(attribute.get()), name), H5Sclose);
    if (H5Sget_simple_extent_type(space.get()) != H5S_SCALAR) continue;  // of a dimension
    if (is_text(type.get())) {
      texts_[prefix + name] = object.text(name);
    } else if (H5Tequal(type.get(), H5T_STD_U64LE) > 0) {
      numbers_[prefix + name] = object.number(name);
    }
  }
}

void Listing::list_members(const h5::Object& group, const std::string& prefix, unsigned depth) {
  const h5::Context& context = group.context();
  H5G_info_t info{};
  context.check(H5Gget_info(group.id(), &info), "listing members");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const std::string name = name_by([&](char* out, std::size_t size) {
      return H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, out, size,
                                H5P_DEFAULT);
    });
    const h5::Object member = group.with(
        h5::Hid(context.check(H5Oopen(group.id(), name.c_str(), H5P_DEFAULT), name), H5Oclose));
    const std::string path = prefix + name;
    if (H5Iget_type(member.id()) == H5I_DATASET) {
      list_dataset(group, path, member);
    } else if (depth < kDepth) {
      list_attributes(member, path + "@");
      list_members(member, path + "/", depth + 1);
    }
  }
}

void Listing::list_dataset(const h5::Object& parent, const std::string& path,
                           const h5::Object& dataset) {
  const h5::Context& context = dataset.context();
  const h5::Hid type(context.check(H5Dget_type(dataset.id()), path), H5Tclose);
  const h5::Hid space(context.check(H5Dget_space(dataset.id()), path), H5Sclose);
  if (is_text(type.get())) {
    texts_[path] = parent.document(path.substr(path.rfind('/') + 1));
    return;
  }
  const int axes = context.check(H5Sget_simple_extent_ndims(space.get()), path);
  const bool is_column = H5Tget_class(type.get()) == H5T_INTEGER && axes >= 1 &&
                         static_cast<hsize_t>(axes) <= kMostAxes;
  if (!is_column) return;  // a dimension
  std::array<hsize_t, kMostAxes> shape{0, 1};
  context.check(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr), path);
  columns_[path] = {.bytes = static_cast<unsigned>(H5Tget_size(type.get())),
                    .rows = shape[0],
                    .width = static_cast<std::size_t>(shape[1])};
}

}  // namespace grundy
