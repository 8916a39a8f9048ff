// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <grundy/nim.hpp>

#include "python/module.hpp"

namespace grundy::python {

namespace py = pybind11;

void bind_nimbers(py::module_& module) {
  module.def("nim_mul", py::vectorize(nim_product), py::arg("a"), py::arg("b"));
  module.def("nim_power", py::vectorize(nim_power), py::arg("a"), py::arg("exponent"));
  module.def("nim_inverse", py::vectorize(nim_inverse), py::arg("a"));
  module.def("nim_evaluate", nim_evaluate, py::arg("expression"));
  module.def(
      "mex", [](const std::vector<std::uint64_t>& values) { return mex(values); },
      py::arg("values"));
}

}  // namespace grundy::python
