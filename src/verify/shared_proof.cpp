// SPDX-License-Identifier: MIT
#include "verify/shared_proof.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

namespace grundy {
namespace {

void keep_least(std::optional<WrongValue>& least, std::optional<WrongValue> wrong) {
  if (wrong && (!least || wrong->entry < least->entry)) least = std::move(wrong);
}

}  // namespace

SharedProof share_proof(Team& team, std::uint64_t pieces,
                        const std::function<std::optional<WrongValue>(std::uint64_t)>& prove,
                        const std::stop_token& stop) {
  std::optional<WrongValue> own;
  for (std::uint64_t i = team.next(); i < pieces; i = team.next()) {
    keep_least(own, prove(i));
    if (stop.stop_requested()) return {};
  }
  const auto all =
      team.gather(own ? fmt::format("{} {}", own->entry, own->sentence) : std::string());
  if (!all) return {};
  SharedProof proof{.complete = true};
  for (const std::string& text : *all) {
    if (text.empty()) continue;
    const std::size_t blank = text.find(' ');
    keep_least(proof.wrong, WrongValue{parse_count(text.substr(0, blank)), text.substr(blank + 1)});
  }
  return proof;
}

}  // namespace grundy
