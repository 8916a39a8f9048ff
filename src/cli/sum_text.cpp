// SPDX-License-Identifier: MIT
#include "cli/sum_text.hpp"

#include <nlohmann/json.hpp>

namespace grundy::cli {

std::string outcome_sentence(std::uint64_t value) {
  return value == 0 ? "P: the player to move loses" : "N: the player to move wins";
}

Json written_json(const WrittenPosition& position) {
  return position.heaps.empty() ? Json(position.text) : Json(position.heaps);
}

Json sum_json(const GameSum& sum) {
  Json components = Json::array();
  for (const auto& component : sum.components()) {
    components.push_back({{"game", component->game()},
                          {"notation", component->notation()},
                          {"position", written_json(component->position())},
                          {"value", component->value()}});
  }
  return {{"components", components},
          {"value", sum.value()},
          {"outcome", sum.is_p_position() ? "P" : "N"}};
}

}  // namespace grundy::cli
