// SPDX-License-Identifier: MIT
#include "engines/lattice/stripe_run.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/layout.hpp>
#include <grundy/machine.hpp>

#include "engines/lattice/line_border.hpp"
#include "engines/lattice/stripe_order.hpp"
#include "engines/lattice/stripe_schedule.hpp"
#include "engines/lattice/tile_work.hpp"

namespace grundy {
namespace {

/// The table without its slabs from `end` on. Values there are bounded by the smaller extents, so
/// the lines are shorter.
LatticeShape first_slabs(const LatticeShape& shape, std::uint32_t end) noexcept {
  LatticeShape first = shape;
  first.extent[0] = end;
  if (shape.sorted) first.extent[1] = end;
  return first;
}

/// The work of one rank.
class StripeRun {
 public:
  StripeRun(const LatticeTask& task, Team& team, std::span<const LatticeStripe> stripes);
  RunStatus run();
  [[nodiscard]] std::uint64_t line_bytes() { return work_.lines().most_bytes(); }

 private:
  /// A stripe and its progress.
  struct Stripe {
    std::uint64_t first, end;  ///< slabs of tiles
    ValueSink* sink;
    KnownTiles* known;
    std::uint64_t asked = 0;   ///< places whose tiles were asked for in `known`
    std::uint64_t handed = 0;  ///< places that were handed over
    std::uint64_t values = 0;  ///< values in these places
  };
  /// The data of a slab of tiles.
  struct Slab {
    Stripe* stripe;
    std::deque<std::unique_ptr<TileSlot>> slots{};  ///< slots of tiles that are still needed
    std::uint64_t first_slot = 0;                   ///< the place of the first slot
    std::deque<std::vector<Nimber>> known{};        ///< values of known tiles, not begun
  };
  /// The data of a belt.
  struct Belt {
    LineBorder upper, lower;
    std::deque<std::string> letters{};          ///< letters that have come and are not used yet
    std::array<std::vector<Nimber>, 2> rims{};  ///< values before the belt, of the last two places
  };
  /// The tile of a slab that is being computed, and its neighbours that are kept.
  struct Job {
    std::size_t slab;
    std::uint64_t place;
    TileSlot* slot;
    TileSlot* left = nullptr;    ///< the tile of the place before
    TileSlot* above = nullptr;   ///< the tile in the slab before
    TileSlot* corner = nullptr;  ///< the tile of the place before in the slab before
    std::string letter{};        ///< the letter for the tile, if its slab is the first of a belt
  };

  [[nodiscard]] TileArea area_of(std::uint64_t slab, std::uint64_t place) const noexcept {
    return tile_of_slab(task_.shape, edge_, slab, place);
  }
  /// The range of sizes of the smaller direction that a place covers.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> sizes_of(
      std::uint64_t place) const noexcept;
  /// The body of a thread that computes.
  void work();
  void work_until_end();
  /// @pre mutex_ is held, for the next three functions
  [[nodiscard]] std::optional<Job> take_up();
  void let_go(std::size_t slab);
  [[nodiscard]] TileSlot* slot_at(std::size_t slab, std::uint64_t place) const noexcept;

  [[nodiscard]] const StripeSchedule::Belt& belt_of(const Job& job) const noexcept {
    return schedule_.belts()[schedule_.slabs()[job.slab].belt];
  }
  [[nodiscard]] std::uint64_t number_of(const Job& job) const noexcept {
    return schedule_.slabs()[job.slab].number;
  }
  /// The index of the slab of tiles with this number in the belt of a job.
  [[nodiscard]] std::size_t slab_beside(const Job& job, std::uint64_t number) const noexcept {
    return job.slab - static_cast<std::size_t>(number_of(job) - number);
  }

  void compute(Job& job);
  void look_for_known(Job& job);
  void receive(Job& job);
  void send(const Job& job);
  void hand_over(const Job& job);
  [[nodiscard]] Nimber earlier(const Job& job, unsigned plane, std::int64_t x,
                               std::int64_t y) const;

  /// The bodies of the threads that wait for letters.
  void hear_from_before(std::size_t belt);
  void hear_from_behind(std::size_t belt);
  [[nodiscard]] std::string counts();
  void note_counts(std::string_view letter);
  /// Ends the run early, because of an error if there is one.
  void end(RunStatus how, std::exception_ptr error = nullptr) noexcept;

  const LatticeTask& task_;
  Team& team_;
  const bool sorted_;
  const std::uint32_t edge_;
  TileWork work_;
  std::vector<Stripe> stripes_;
  StripeSchedule schedule_;
  std::vector<Belt> belts_;  ///< in the order of the schedule, like the slabs
  std::deque<Slab> slabs_;

  std::mutex mutex_;  ///< guards all members above that change, except lines and values
  std::condition_variable changed_;
  std::optional<RunStatus> ended_;
  std::exception_ptr error_;
  std::vector<std::uint64_t> counts_;  ///< number of finished positions, by rank
  std::vector<std::unique_ptr<TileSlot>> free_;

  std::mutex known_mutex_;
  std::mutex sink_mutex_;
};

/// Channels of the letters of a belt: down from the belt before, and up to it.
std::uint64_t down(std::uint64_t belt) noexcept {
  return 2 * belt;
}
std::uint64_t up(std::uint64_t belt) noexcept {
  return 2 * belt + 1;
}

StripeRun::StripeRun(const LatticeTask& task, Team& team, std::span<const LatticeStripe> stripes)
    : task_(task),
      team_(team),
      sorted_(task.shape.sorted),
      edge_(tile_edge(task.rule, task.shape, task.tile)),
      work_(task, first_slabs(task.shape, stripes.back().end)),
      schedule_(task.shape, edge_, stripe_borders_of(task.shape, edge_), team.rank(), team.size(),
                task.executor.threads()),
      counts_(team.size()) {
  work_.lines().release_all();
  const auto& accesses = work_.lines().accesses();
  const auto border = [&](std::uint64_t slab) {
    const std::uint64_t size = std::min<std::uint64_t>(slab * edge_, task.shape.extent[0]);
    return LineBorder(task.shape, accesses, static_cast<std::uint32_t>(size));
  };
  for (const StripeSchedule::Belt& belt : schedule_.belts()) {
    belts_.push_back({.upper = border(belt.first), .lower = border(belt.end)});
  }
  for (const LatticeStripe& s : stripes) {
    stripes_.push_back({.first = s.begin / edge_,
                        .end = (s.end - 1) / edge_ + 1,
                        .sink = s.sink,
                        .known = s.known});
  }
  auto stripe = stripes_.begin();
  for (const StripeSchedule::Slab& slab : schedule_.slabs()) {
    while (slab.number >= stripe->end) ++stripe;
    slabs_.push_back({.stripe = &*stripe});
  }
}

RunStatus StripeRun::run() {
  std::vector<std::thread> listeners;
  for (std::size_t i = 0; i < belts_.size(); ++i) {
    const StripeSchedule::Belt& belt = schedule_.belts()[i];
    if (belt.before) listeners.emplace_back([this, i] { hear_from_before(i); });
    if (belt.behind) listeners.emplace_back([this, i] { hear_from_behind(i); });
  }
  const std::stop_callback wake(task_.stop, [this] { end(RunStatus::kCancelled); });
  try {
    task_.executor.parallel_for(task_.executor.threads(), [this](std::size_t) { work(); });
  } catch (...) {
    end(RunStatus::kCancelled, std::current_exception());
  }
  // All letters come, or a letter that says that no more will.
  for (std::thread& listener : listeners) listener.join();
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return ended_.value_or(RunStatus::kComplete);
}

std::pair<std::uint32_t, std::uint32_t> StripeRun::sizes_of(std::uint64_t place) const noexcept {
  const auto begin = static_cast<std::uint32_t>(place * edge_);
  return {begin, begin + std::min(edge_, task_.shape.extent[1] - begin)};
}

void StripeRun::work() {
  try {
    work_until_end();
  } catch (...) {
    // The other threads, and the other ranks, wait for the tile that this one has begun.
    end(RunStatus::kCancelled, std::current_exception());
  }
}

void StripeRun::work_until_end() {
  std::unique_lock lock(mutex_);
  for (;;) {
    std::optional<Job> job;
    changed_.wait(lock, [&] { return ended_ || schedule_.is_over() || (job = take_up()); });
    if (!job) return;
    lock.unlock();
    compute(*job);
    lock.lock();
    ++schedule_.slabs()[job->slab].done;
    let_go(job->slab);
    if (number_of(*job) > belt_of(*job).first) let_go(job->slab - 1);
    changed_.notify_all();
  }
}

std::optional<StripeRun::Job> StripeRun::take_up() {
  const auto best = schedule_.next();
  if (!best) return std::nullopt;
  StripeSchedule::Slab& slab = schedule_.slabs()[*best];
  const std::uint64_t place = slab.begun++;
  if (free_.empty()) free_.push_back(std::make_unique<TileSlot>());
  slabs_[*best].slots.push_back(std::move(free_.back()));
  free_.pop_back();
  Job job{.slab = *best, .place = place, .slot = slabs_[*best].slots.back().get()};
  if (place > 0) job.left = slot_at(*best, place - 1);
  if (slab.number > belt_of(job).first) {
    job.above = slot_at(*best - 1, place);
    if (place > 0) job.corner = slot_at(*best - 1, place - 1);
  } else if (place < belt_of(job).letters) {
    auto& letters = belts_[slab.belt].letters;
    job.letter = std::move(letters.front());
    letters.pop_front();
  }
  return job;
}

TileSlot* StripeRun::slot_at(std::size_t number, std::uint64_t place) const noexcept {
  const Slab& slab = slabs_[number];
  const std::uint64_t i = place - slab.first_slot;  // wraps around if the slot is gone
  return i < slab.slots.size() ? slab.slots[i].get() : nullptr;
}

void StripeRun::let_go(std::size_t number) {
  Slab& slab = slabs_[number];
  const auto& all = schedule_.slabs();
  const auto before = [](std::uint64_t place) { return place - std::min<std::uint64_t>(place, 1); };
  // A tile is needed until it is handed over. If there is a rim, its neighbours need it, too.
  std::uint64_t needed = slab.stripe->handed;
  if (work_.rim() > 0) {
    needed = std::min(needed, before(all[number].done));
    if (all[number].number + 1 < schedule_.belts()[all[number].belt].end) {
      needed = std::min(needed, before(all[number + 1].done));
    }
  }
  for (; slab.first_slot < needed && !slab.slots.empty(); ++slab.first_slot) {
    free_.push_back(std::move(slab.slots.front()));
    slab.slots.pop_front();
  }
}

void StripeRun::compute(Job& job) {
  look_for_known(job);
  // The lines that a letter brings or takes away belong to no other tile that is computed now: if a
  // line goes through two tiles, one of them waits for the other. No step jumps over a tile
  // (tile_edge()), so this also holds for all lines whose numbers are in the range of a tile.
  if (!job.letter.empty()) receive(job);
  work_.lines().claim(area_of(number_of(job), job.place));
  work_.compute(
      area_of(number_of(job), job.place), *job.slot,
      [&](unsigned plane, std::int64_t x, std::int64_t y) { return earlier(job, plane, x, y); });
  if (number_of(job) + 1 == belt_of(job).end) send(job);
  if (number_of(job) + 1 == slabs_[job.slab].stripe->end) hand_over(job);
}

void StripeRun::look_for_known(Job& job) {
  const std::lock_guard lock(known_mutex_);
  Stripe& stripe = *slabs_[job.slab].stripe;
  const std::size_t first = slab_beside(job, stripe.first);
  // The known tiles come in the order of the stripe: place by place.
  for (; stripe.known != nullptr && stripe.asked <= job.place; ++stripe.asked) {
    const std::uint64_t begin = sorted_ ? std::max(stripe.first, stripe.asked) : stripe.first;
    for (std::uint64_t s = begin; s < stripe.end && stripe.known != nullptr; ++s) {
      const auto values = stripe.known->next(area_of(s, stripe.asked).size() * work_.planes());
      if (values.empty()) {
        stripe.known = nullptr;  // no later tile is known either
      } else {
        slabs_[first + (s - stripe.first)].known.emplace_back(values.begin(), values.end());
      }
    }
  }
  auto& known = slabs_[job.slab].known;
  job.slot->is_known = !known.empty();
  if (known.empty()) return;
  job.slot->wide = std::move(known.front());
  known.pop_front();
}

void StripeRun::receive(Job& job) {
  Belt& belt = belts_[schedule_.slabs()[job.slab].belt];
  const auto [begin, end] = sizes_of(job.place);
  std::string_view rest = job.letter;
  rest.remove_prefix(counts_.size() * sizeof counts_.front());
  work_.lines().take(rest, belt.upper.lines(begin, end));
  auto& rim = belt.rims[job.place % 2];
  rim.resize(std::size_t{end - begin} * work_.rim() * work_.planes());
  if (rest.size() != rim.size() * sizeof(Nimber)) {
    throw Error(ErrorCode::kFailure, "a rank sent a letter of another length than expected");
  }
  if (!rim.empty()) std::memcpy(rim.data(), rest.data(), rest.size());
  team_.post(*belt_of(job).before, up(belt_of(job).number), counts());
}

void StripeRun::send(const Job& job) {
  const Belt& belt = belts_[schedule_.slabs()[job.slab].belt];
  if (!belt_of(job).behind) {
    // The last slab of the table may be shorter than a step. Then lines may end in the slab before
    // it. The tile of that slab at the next place may be at work and has these lines in its range,
    // so they are released one place later.
    if (job.place == 0) return;
    const auto [begin, end] = sizes_of(job.place - 1);
    return work_.lines().release(belt.lower.lines(begin, end));
  }
  const auto [begin, end] = sizes_of(job.place);
  const auto lines = belt.lower.lines(begin, end);
  std::string letter = counts();
  work_.lines().append_to(letter, lines);
  const std::uint32_t rim = work_.rim();
  const TileArea area = area_of(number_of(job), job.place);
  for (std::uint32_t v = begin; rim > 0 && v < end; ++v) {
    for (std::uint32_t u = belt.lower.slab() - rim; u < belt.lower.slab(); ++u) {
      for (unsigned plane = 0; plane < work_.planes(); ++plane) {
        const Nimber value = job.slot->tiles[plane].at(std::int64_t{sorted_ ? v : u} - area.x0,
                                                       std::int64_t{sorted_ ? u : v} - area.y0);
        letter.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
    }
  }
  // This comes before the letter is sent, because a later belt of this rank may take the lines
  // again.
  work_.lines().release(lines);
  team_.post(*belt_of(job).behind, down(belt_of(job).number + 1), std::move(letter));
}

void StripeRun::hand_over(const Job& job) {
  Stripe& stripe = *slabs_[job.slab].stripe;
  const std::uint64_t begin = sorted_ ? std::max(stripe.first, job.place) : stripe.first;
  std::vector<const TileSlot*> slots;
  {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t s = begin; s < stripe.end; ++s) {
      slots.push_back(slot_at(slab_beside(job, s), job.place));
    }
  }
  const std::lock_guard one_at_a_time(sink_mutex_);
  std::uint64_t positions = 0;
  for (std::uint64_t s = begin; s < stripe.end; ++s) {
    const TileArea area = area_of(s, job.place);
    if (area.put(slots[s - begin]->values(), *stripe.sink, stripe.values) == Flow::kStop) {
      return end(RunStatus::kStoppedBySink);
    }
    positions += area.positions();
  }
  std::uint64_t done = 0;
  {
    const std::lock_guard lock(mutex_);
    stripe.handed = job.place + 1;
    counts_[team_.rank()] += positions;
    done = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
    for (std::uint64_t s = stripe.first; s + 1 < stripe.end; ++s) {
      let_go(slab_beside(job, s));
    }
  }
  report_positions(task_, done);
}

Nimber StripeRun::earlier(const Job& job, unsigned plane, std::int64_t x, std::int64_t y) const {
  if (x < 0 || y < 0) return TileValues::kOutside;
  if (sorted_ && x > y) std::swap(x, y);
  const auto u = static_cast<std::uint64_t>(sorted_ ? y : x);
  const auto v = static_cast<std::uint64_t>(sorted_ ? x : y);
  if (u / edge_ < belt_of(job).first) {
    const Belt& belt = belts_[schedule_.slabs()[job.slab].belt];
    const std::uint64_t rim = work_.rim();
    const std::uint64_t at = v % edge_ * rim + u + rim - belt.upper.slab();
    return belt.rims[v / edge_ % 2][at * work_.planes() + plane];
  }
  TileSlot* const slot = u / edge_ == number_of(job) ? job.left
                         : v / edge_ == job.place    ? job.above
                                                     : job.corner;
  return slot->tiles[plane].at(x % edge_, y % edge_);
}

void StripeRun::hear_from_before(std::size_t index) {
  try {
    StripeSchedule::Belt& belt = schedule_.belts()[index];
    for (std::uint64_t i = 0; i < belt.letters; ++i) {
      std::string letter = team_.take(*belt.before, down(belt.number));
      if (letter.empty()) return end(RunStatus::kCancelled);
      note_counts(letter);
      const std::lock_guard lock(mutex_);
      belts_[index].letters.push_back(std::move(letter));
      ++belt.arrived;
      changed_.notify_all();
    }
  } catch (...) {
    end(RunStatus::kCancelled, std::current_exception());
  }
}

void StripeRun::hear_from_behind(std::size_t index) {
  try {
    StripeSchedule::Belt& belt = schedule_.belts()[index];
    for (std::uint64_t i = 0; i < places_of_slab(task_.shape, edge_, belt.end - 1); ++i) {
      const std::string letter = team_.take(*belt.behind, up(belt.number + 1));
      if (letter.empty()) return end(RunStatus::kCancelled);
      note_counts(letter);
      const std::lock_guard lock(mutex_);
      ++belt.used;
      changed_.notify_all();
    }
  } catch (...) {
    end(RunStatus::kCancelled, std::current_exception());
  }
}

std::string StripeRun::counts() {
  const std::lock_guard lock(mutex_);
  return {reinterpret_cast<const char*>(counts_.data()), counts_.size() * sizeof counts_.front()};
}

void StripeRun::note_counts(std::string_view letter) {
  const std::lock_guard lock(mutex_);
  if (letter.size() < counts_.size() * sizeof counts_.front()) {
    throw Error(ErrorCode::kFailure, "a rank sent half a letter");
  }
  for (std::uint64_t& count : counts_) {
    std::uint64_t heard = 0;
    std::memcpy(&heard, letter.data(), sizeof heard);
    letter.remove_prefix(sizeof heard);
    count = std::max(count, heard);
  }
}

void StripeRun::end(RunStatus how, std::exception_ptr error) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = how;
    error_ = std::move(error);
    changed_.notify_all();
  }
  for (const StripeSchedule::Belt& belt : schedule_.belts()) {
    if (belt.before) team_.post(*belt.before, up(belt.number), {});
    if (belt.behind) team_.post(*belt.behind, down(belt.number + 1), {});
  }
}

}  // namespace

std::uint64_t rank_of_stripe(const LatticeShape& shape, std::size_t stripe, std::size_t stripes,
                             std::uint64_t ranks) noexcept {
  const StripeDeal deal(shape, stripes, ranks);
  return deal.rank_of(deal.belt_of(stripe));
}

std::uint64_t stripes_memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                   std::uint32_t edge, std::uint64_t ranks, std::size_t threads,
                                   Nimber largest) {
  const auto borders = stripe_borders_of(shape, edge);
  const StripeDeal deal(shape, borders.size() - 1, ranks);
  std::vector<std::uint64_t> slabs(ranks), belts(ranks);
  for (std::uint64_t i = 0; i + 1 < borders.size(); ++i) {
    const std::uint64_t rank = deal.rank_of(deal.belt_of(i));
    slabs[rank] += borders[i + 1] - borders[i];
    if (i == 0 || deal.belt_of(i) != deal.belt_of(i - 1)) ++belts[rank];
  }
  const std::uint64_t most = std::ranges::max(slabs);
  // Every belt works on one place, and each thread may be one place further.
  const std::uint64_t most_belts = std::ranges::max(belts);
  const std::uint64_t places = (most_belts + threads) * edge;
  // Most tiles are handed over at once. If there is a rim, the next places need them, too.
  const std::uint64_t tiles = (rim_of(rule) > 0 ? 3 : 1) * most / edge + threads;
  // Letters that wait, half of those that may, and what a thread packs of the lines of its tile. A
  // quarter of the words of lines is in letters.
  const LineSets lines(rule, shape);
  const std::uint64_t copies = StripeSchedule::kAhead * most_belts / 2 + threads;
  return lines.bytes_of_belt(most, places, largest) + lines.bytes_of_held(edge) +
         copies * lines.bytes_across(edge, largest) / 4 +
         tiles * TileSlot::bytes(rule, shape, edge, largest);
}

RunStatus run_stripes_of(const LatticeTask& task, Team& team,
                         std::span<const LatticeStripe> stripes, std::uint64_t* line_bytes) {
  StripeRun run(task, team, stripes);
  const RunStatus status = run.run();
  if (line_bytes != nullptr) *line_bytes = run.line_bytes();
  return status;
}

}  // namespace grundy
