/// @file
/// Misère play of one heap, from the engine to the file.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/genera.hpp>

#include "core/atomic_file.hpp"
#include "core/shared_progress.hpp"
#include "session/genera_file.hpp"
#include "session/machine.hpp"
#include "session/provenance.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

/// The heap game of the request. @throws Error(kUsage) if it is of another kind
const HeapGame& misere_game(const Request& request) {
  const auto* game = std::get_if<HeapGame>(&request.game);
  if (game == nullptr || !game->misere) {
    throw Error(ErrorCode::kUsage, "genera are those of a game of one heap in misère play");
  }
  check_size(game->last, request.output.chunk);
  return *game;
}

}  // namespace

GeneraReport compute_genera(const Request& request, const Hooks& hooks) {
  const Life life;
  const HeapGame& game = misere_game(request);
  const std::string canonical = game.rule.canonical();
  GeneraReport report{
      .info = {.title = request.about.title.empty() ? canonical : request.about.title,
               .canonical = canonical,
               .description = game.describe()}};
  SharedProgress progress(hooks.progress);
  progress.expect(game.last + 1);
  const auto find = [&](const TakeGenera& take) {
    report.end = find_genera(
        game.rule, game.last,
        [&](HeapSize /*n*/, const MisereHeap& heap) {
          take(heap);
          progress.advance(1);
          return Flow::kContinue;
        },
        {.memory = request.machine.memory.value_or(memory_available()), .stop = hooks.stop});
    report.info.provenance_json =
        provenance_json(request.output.command_line, request.output.reproducible, 1, life);
  };
  if (request.output.path.empty()) {
    GeneraCounter counter(report.info);
    find([&](const MisereHeap& heap) { counter.add(heap); });
    counter.finish();
  } else {
    AtomicFile place(request.output.path, request.output.overwrite);
    write_genera_file(place.path(), report.info, find);
    if (report.end == MisereEnd::kComplete) {
      place.publish_if([&] {
        const GeneraReader back(place.path());
        back.recount();
        return back.info() == report.info;
      });
    }
  }
  report.seconds = life.time.seconds();
  return report;
}

}  // namespace grundy
