/// @file
/// The parts of the extension module `grundy._core`; the package `grundy` is a layer over it.
///
/// The parts bind public types of the library. Texts for Python programmers are in the package.
// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace grundy::python {

void bind_errors(pybind11::module_& module);
void bind_nimbers(pybind11::module_& module);
void bind_reports(pybind11::module_& module);
void bind_games(pybind11::module_& module);
void bind_computations(pybind11::module_& module);
void bind_listed_games(pybind11::module_& module);
void bind_tables(pybind11::module_& module);

}  // namespace grundy::python
