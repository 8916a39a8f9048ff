// SPDX-License-Identifier: MIT
#include <variant>

#include <grundy/compute.hpp>

#include "session/compute_kinds.hpp"

namespace grundy {

Report compute(const Request& request, const Hooks& hooks) {
  if (std::holds_alternative<PositionGame>(request.game)) return compute_positions(request, hooks);
  CheckpointControl own;
  Hooks with_control = hooks;
  if (hooks.control == nullptr) with_control.control = &own;
  return std::holds_alternative<HeapGame>(request.game) ? compute_heaps(request, with_control)
                                                        : compute_lattice(request, with_control);
}

}  // namespace grundy
