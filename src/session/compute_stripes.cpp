// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "core/stopwatch.hpp"
#include "session/compute_kinds.hpp"
#include "session/entry_statistics.hpp"
#include "session/life_of_run.hpp"
#include "session/prediction.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

/// A rank's part in a table of two heaps, which all ranks compute as a pipeline of stripes.
class SharedPlane {
 public:
  SharedPlane(const LatticeSetup& setup, const Hooks& hooks)
      : setup_(setup),
        hooks_(hooks),
        team_(*setup.request.team),
        counted_(setup.kernels, setup.stored, setup.computed.sorted, kMilestoneZeros) {}

  Report run() {
    report_.threads = setup_.executor->threads();
    const auto needs = admit(setup_, hooks_.stop);
    if (is_first()) tell(needs, hooks_);
    const Stopwatch time;
    report_.complete = compute_values();
    report_.engine_seconds = time.seconds();
    gather();
    describe();
    report_.seconds = time_.seconds();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool is_first() const noexcept { return team_.rank() == 0; }

  bool compute_values() {
    std::vector<LatticeStripe> stripes;
    for (const std::size_t i : setup_.own_stripes()) {
      stripes.push_back({setup_.borders[i], setup_.borders[i + 1], &counted_});
    }
    return setup_.run_stripes(stripes, hooks_) == RunStatus::kComplete;
  }

  /// Rank 0 adds up what all have counted.
  void gather() {
    const auto all = team_.gather(is_first() ? std::string() : counted_.to_bytes());
    if (!all) throw Error(ErrorCode::kFailure, "a rank has left the others");
    for (std::size_t rank = 1; rank < all->size(); ++rank) counted_.add((*all)[rank]);
  }

  void describe() {
    const LatticeRule& rule = setup_.game.rule;
    report_.info = told_of(setup_.request.about, rule.canonical(), rule.describe());
    report_.info.layout = setup_.stored;
    report_.info.stats = counted_.stats();
    report_.info.computed = counted_.stats().count;
    report_.info.engine = setup_.engine.name();
    report_.info.kernel = setup_.kernels.name;
    report_.statistics.zeros = counted_.zeros();
  }

  const LatticeSetup& setup_;
  const Hooks& hooks_;
  Team& team_;
  EntryStatistics counted_;
  Report report_;
  Stopwatch time_;
};

}  // namespace

Report compute_stripes(const Request& request, const Hooks& hooks) {
  const LatticeSetup setup(request);
  return SharedPlane(setup, hooks).run();
}

}  // namespace grundy
