// SPDX-License-Identifier: MIT
#include "verify/shared_proof.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "dist/listening.hpp"

namespace grundy {
namespace {

void keep_least(std::optional<WrongValue>& least, std::optional<WrongValue> wrong) {
  if (wrong && (!least || wrong->entry < least->entry)) least = std::move(wrong);
}

}  // namespace

SharedProof share_proof(Team& team, std::span<const Piece> pieces, const PieceProof& prove,
                        const std::stop_token& stop, ProgressSink* progress) {
  SharedProgress all_ranks(progress);
  all_ranks.expect(whole_of(pieces));
  const Listening listening(&team, [&](std::uint64_t i) { all_ranks.advance(pieces[i]); });
  std::optional<WrongValue> own;
  std::optional<std::uint64_t> finished;
  for (std::uint64_t i = team.next({}); i < pieces.size(); i = team.next(finished)) {
    PieceProgress piece(all_ranks, pieces[i]);
    keep_least(own, prove(i, piece));
    if (stop.stop_requested()) return {};
    piece.finish();
    finished = i;
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
