// SPDX-License-Identifier: MIT
#include "python/value_array.hpp"

namespace grundy::python {

namespace py = pybind11;

py::array ValueArray::release(const std::vector<py::ssize_t>& shape) {
  ValueBuffer* const buffer = buffer_.release();
  const py::capsule owner(buffer, [](void* kept) { delete static_cast<ValueBuffer*>(kept); });
  return buffer->values().visit([&](auto values) -> py::array {
    using T = typename decltype(values)::value_type;
    return py::array_t<T>(shape, values.data(), owner);
  });
}

std::vector<py::ssize_t> array_shape(const Layout& layout) {
  std::vector<py::ssize_t> shape;
  if (layout.sorted) {
    shape.push_back(static_cast<py::ssize_t>(layout.positions()));
  } else {
    shape.assign(layout.extent.begin(), layout.extent.begin() + layout.heaps);
  }
  if (layout.planes > 1) shape.push_back(layout.planes);
  return shape;
}

}  // namespace grundy::python
