// SPDX-License-Identifier: MIT
#include "python/module.hpp"

#include <grundy/version.hpp>

PYBIND11_MODULE(_core, module) {
  using namespace grundy::python;
  module.attr("__version__") = GRUNDY_VERSION;
  bind_errors(module);
  bind_nimbers(module);
  bind_reports(module);
  bind_games(module);
  bind_computations(module);
  bind_listed_games(module);
  bind_tables(module);
}
