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
#include "engines/lattice/tile_work.hpp"

namespace grundy {
namespace {

/// More stripes are not worth while, and each may be a file.
constexpr std::uint64_t kMostStripes = 256;
/// Slabs of tiles of a stripe, if there are enough of them.
constexpr std::uint64_t kUsualSlabs = 2;
/// Belts of a rank in a sorted table, if there are enough stripes.
constexpr std::uint64_t kUsualBelts = 4;
/// Where a belt has fewer stripes than this, about, all have equally many.
constexpr std::uint64_t kFewStripes = 4;
/// Letters that nobody has used, of one belt.
constexpr std::uint64_t kAhead = 4;

/// How stripes make belts, and belts go to ranks.
struct Deal {
  std::uint64_t stripes, ranks, belts;

  Deal(const LatticeShape& shape, std::uint64_t stripe_count, std::uint64_t rank_count)
      : stripes(stripe_count),
        ranks(rank_count),
        belts(shape.sorted && rank_count > 1
                  ? rank_count * std::min(kUsualBelts, stripe_count / rank_count)
                  : rank_count) {}
  [[nodiscard]] std::uint64_t belt_of(std::uint64_t stripe) const noexcept {
    if (stripes < kFewStripes * belts) return ((stripe + 1) * belts - 1) / stripes;
    // Sets grow, so that a position of the last slabs costs half as much again as one of the first:
    // the work of the first part x of the slabs is (x + x^2 / 4) / (5 / 4).
    const double x = (static_cast<double>(stripe) + 0.5) / static_cast<double>(stripes);
    return static_cast<std::uint64_t>((x + x * x / 4) / 1.25 * static_cast<double>(belts));
  }
  [[nodiscard]] std::uint64_t rank_of(std::uint64_t belt) const noexcept { return belt % ranks; }
};

/// A table without its slabs from `end` on. Values there are not larger than its extents allow, so
/// that its lines are shorter.
LatticeShape first_slabs(const LatticeShape& shape, std::uint32_t end) noexcept {
  LatticeShape first = shape;
  first.extent[0] = end;
  if (shape.sorted) first.extent[1] = end;
  return first;
}

/// What a rank does.
class StripeRun {
 public:
  StripeRun(const LatticeTask& task, Team& team, std::span<const LatticeStripe> stripes);
  RunStatus run();

 private:
  struct Belt;

  /// A stripe and how far it is.
  struct Stripe {
    std::uint64_t first, end;  ///< slabs of tiles
    ValueSink* sink;
    KnownTiles* known;
    std::uint64_t asked = 0;   ///< places whose tiles were asked for in `known`
    std::uint64_t handed = 0;  ///< places that were handed over
    std::uint64_t values = 0;  ///< in them
  };
  /// A slab of tiles.
  struct Slab {
    std::size_t index;  ///< in slabs_
    std::uint64_t number;
    Belt* belt;
    Stripe* stripe;
    std::uint64_t begun = 0, done = 0;              ///< places
    std::deque<std::unique_ptr<TileSlot>> slots{};  ///< those that somebody still needs
    std::uint64_t first_slot = 0;                   ///< their first place
    std::deque<std::vector<Nimber>> known{};        ///< tiles that are known and not begun
  };
  struct Belt {
    std::uint64_t number;
    std::uint64_t first, end;                     ///< slabs of tiles
    std::optional<std::uint64_t> before, behind;  ///< ranks
    LineBorder upper, lower;
    std::deque<std::string> letters{};          ///< that have come and are not used
    std::uint64_t arrived = 0;                  ///< letters
    std::uint64_t used = 0;                     ///< letters of this belt, by the next one
    std::array<std::vector<Nimber>, 2> rims{};  ///< values before the belt, of the last two places
  };
  /// The tile of a slab that was taken up, and the tiles beside it that are kept.
  struct Job {
    Slab* slab;
    std::uint64_t place;
    TileSlot* slot;
    TileSlot* left = nullptr;    ///< the place before
    TileSlot* above = nullptr;   ///< in the slab before
    TileSlot* corner = nullptr;  ///< the place before in the slab before
    std::string letter{};        ///< what has come for it, if its slab is the first of a belt
  };

  [[nodiscard]] std::uint64_t places_of(std::uint64_t slab) const noexcept {
    return places_of_slab(task_.shape, edge_, slab);
  }
  [[nodiscard]] TileArea area_of(std::uint64_t slab, std::uint64_t place) const noexcept {
    return tile_of_slab(task_.shape, edge_, slab, place);
  }
  /// The sizes of heaps that a place has.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> sizes_of(
      std::uint64_t place) const noexcept;
  /// Letters that a belt gets.
  [[nodiscard]] std::uint64_t letters_of(const Belt& belt) const noexcept {
    return belt.before ? places_of(belt.first - 1) : 0;
  }

  /// The life of a thread that computes.
  void work();
  /// @pre mutex_ is held, for the next three
  [[nodiscard]] bool is_ready(const Slab& slab) const noexcept;
  [[nodiscard]] std::optional<Job> take_up();
  void let_go(Slab& slab);
  [[nodiscard]] TileSlot* slot_at(const Slab& slab, std::uint64_t place) const noexcept;

  void compute(Job& job);
  void look_for_known(Job& job);
  void receive(Job& job);
  void send(const Job& job);
  void hand_over(const Job& job);
  [[nodiscard]] Nimber earlier(const Job& job, std::int64_t x, std::int64_t y) const;

  /// The lives of threads that wait for letters.
  void hear_from_before(Belt& belt);
  void hear_from_behind(Belt& belt);
  [[nodiscard]] std::string counts();
  void note_counts(std::string_view& letter);
  /// The run is over before its end, because of an error if there is one.
  void end(RunStatus how, std::exception_ptr error = nullptr) noexcept;

  const LatticeTask& task_;
  Team& team_;
  const bool sorted_;
  const std::uint32_t edge_;
  TileWork work_;
  std::vector<Stripe> stripes_;
  std::deque<Belt> belts_;
  std::deque<Slab> slabs_;  ///< of this rank, ascending

  std::mutex mutex_;  ///< of what changes above but lines and values
  std::condition_variable changed_;
  std::optional<RunStatus> ended_;
  std::exception_ptr error_;
  std::vector<std::uint64_t> counts_;  ///< positions done, by rank
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
      counts_(team.size()) {
  const auto borders = stripe_borders_of(task.rule, task.shape, edge_);
  const Deal deal(task.shape, borders.size() - 1, team.size());
  stripes_.reserve(stripes.size());
  for (const LatticeStripe& s : stripes) {
    const auto number =
        static_cast<std::uint64_t>(std::ranges::find(borders, s.begin) - borders.begin());
    const std::uint64_t belt = deal.belt_of(number);
    const std::uint64_t first = s.begin / edge_;
    const std::uint64_t end = (s.end - 1) / edge_ + 1;
    const LineBorder lower(task.shape, work_.lines().accesses(), s.end);
    if (belts_.empty() || belts_.back().number != belt) {
      Belt next{.number = belt,
                .first = first,
                .end = end,
                .before = std::nullopt,
                .behind = std::nullopt,
                .upper = LineBorder(task.shape, work_.lines().accesses(), s.begin),
                .lower = lower};
      if (belt > 0) next.before = deal.rank_of(belt - 1);
      if (belt + 1 < deal.belts) next.behind = deal.rank_of(belt + 1);
      belts_.push_back(std::move(next));
    }
    belts_.back().end = end;
    belts_.back().lower = lower;
    stripes_.push_back({.first = first, .end = end, .sink = s.sink, .known = s.known});
    for (std::uint64_t slab = first; slab < end; ++slab) {
      slabs_.push_back({.index = slabs_.size(),
                        .number = slab,
                        .belt = &belts_.back(),
                        .stripe = &stripes_.back()});
    }
  }
}

RunStatus StripeRun::run() {
  std::vector<std::thread> listeners;
  for (Belt& belt : belts_) {
    if (belt.before) listeners.emplace_back([this, &belt] { hear_from_before(belt); });
    if (belt.behind) listeners.emplace_back([this, &belt] { hear_from_behind(belt); });
  }
  const std::stop_callback wake(task_.stop, [this] { end(RunStatus::kCancelled); });
  try {
    task_.executor.parallel_for(task_.executor.threads(), [this](std::size_t) { work(); });
  } catch (...) {
    end(RunStatus::kCancelled, std::current_exception());
  }
  // All letters come, or one that says that no more will.
  for (std::thread& listener : listeners) listener.join();
  if (error_) std::rethrow_exception(error_);
  return ended_.value_or(RunStatus::kComplete);
}

std::pair<std::uint32_t, std::uint32_t> StripeRun::sizes_of(std::uint64_t place) const noexcept {
  const auto begin = static_cast<std::uint32_t>(place * edge_);
  return {begin, begin + std::min(edge_, task_.shape.extent[1] - begin)};
}

void StripeRun::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    std::optional<Job> job;
    const auto is_over = [this] {
      return ended_ || std::ranges::all_of(slabs_, [this](const Slab& slab) {
               return slab.begun == places_of(slab.number);
             });
    };
    changed_.wait(lock, [&] { return is_over() || (job = take_up()); });
    if (!job) return;
    lock.unlock();
    compute(*job);
    lock.lock();
    Slab& slab = *job->slab;
    ++slab.done;
    let_go(slab);
    if (slab.number > slab.belt->first) let_go(slabs_[slab.index - 1]);
    changed_.notify_all();
  }
}

bool StripeRun::is_ready(const Slab& slab) const noexcept {
  const std::uint64_t place = slab.begun;
  if (slab.done != place || place == places_of(slab.number)) return false;
  const Belt& belt = *slab.belt;
  if (slab.number > belt.first) {
    const Slab& above = slabs_[slab.index - 1];
    if (above.done <= place && above.done < places_of(above.number)) return false;
  } else if (place < letters_of(belt) && belt.arrived <= place) {
    return false;
  }
  const bool sends = slab.number + 1 == belt.end && belt.behind;
  return !sends || place < belt.used + kAhead;
}

std::optional<StripeRun::Job> StripeRun::take_up() {
  Slab* best = nullptr;
  for (Slab& slab : slabs_) {
    if (is_ready(slab) && (best == nullptr || slab.begun < best->begun)) best = &slab;
  }
  if (best == nullptr) return std::nullopt;
  const std::uint64_t place = best->begun++;
  if (free_.empty()) free_.push_back(std::make_unique<TileSlot>());
  best->slots.push_back(std::move(free_.back()));
  free_.pop_back();
  Job job{.slab = best, .place = place, .slot = best->slots.back().get()};
  if (place > 0) job.left = slot_at(*best, place - 1);
  Belt& belt = *best->belt;
  if (best->number > belt.first) {
    job.above = slot_at(slabs_[best->index - 1], place);
    if (place > 0) job.corner = slot_at(slabs_[best->index - 1], place - 1);
  } else if (place < letters_of(belt)) {
    job.letter = std::move(belt.letters.front());
    belt.letters.pop_front();
  }
  return job;
}

TileSlot* StripeRun::slot_at(const Slab& slab, std::uint64_t place) const noexcept {
  const std::uint64_t i = place - slab.first_slot;  // wraps round if the slot is gone
  return i < slab.slots.size() ? slab.slots[i].get() : nullptr;
}

void StripeRun::let_go(Slab& slab) {
  // A tile is needed until it is handed over and, where vectors look back, by its neighbours.
  std::uint64_t needed = slab.stripe->handed;
  if (work_.rim() > 0) {
    needed = std::min(needed, slab.done - std::min<std::uint64_t>(slab.done, 1));
    if (slab.number + 1 < slab.belt->end) {
      const std::uint64_t below = slabs_[slab.index + 1].done;
      needed = std::min(needed, below - std::min<std::uint64_t>(below, 1));
    }
  }
  for (; slab.first_slot < needed && !slab.slots.empty(); ++slab.first_slot) {
    free_.push_back(std::move(slab.slots.front()));
    slab.slots.pop_front();
  }
}

void StripeRun::compute(Job& job) {
  look_for_known(job);
  // The lines that a letter brings or takes away belong to no other tile that is computed now: a
  // line through two tiles makes one of them wait for the other.
  if (!job.letter.empty()) receive(job);
  work_.compute(area_of(job.slab->number, job.place), *job.slot,
                [&](std::int64_t x, std::int64_t y) { return earlier(job, x, y); });
  if (job.slab->number + 1 == job.slab->belt->end) send(job);
  if (job.slab->number + 1 == job.slab->stripe->end) hand_over(job);
}

void StripeRun::look_for_known(Job& job) {
  const std::lock_guard lock(known_mutex_);
  Stripe& stripe = *job.slab->stripe;
  const std::size_t first = job.slab->index - (job.slab->number - stripe.first);
  // Tiles are known in the order of the stripe: place by place.
  for (; stripe.known != nullptr && stripe.asked <= job.place; ++stripe.asked) {
    const std::uint64_t begin = sorted_ ? std::max(stripe.first, stripe.asked) : stripe.first;
    for (std::uint64_t s = begin; s < stripe.end && stripe.known != nullptr; ++s) {
      const auto values = stripe.known->next(area_of(s, stripe.asked).size());
      if (values.empty()) {
        stripe.known = nullptr;  // nor is any later one
      } else {
        slabs_[first + (s - stripe.first)].known.emplace_back(values.begin(), values.end());
      }
    }
  }
  auto& known = job.slab->known;
  job.slot->is_known = !known.empty();
  if (known.empty()) return;
  job.slot->wide = std::move(known.front());
  known.pop_front();
}

void StripeRun::receive(Job& job) {
  Belt& belt = *job.slab->belt;
  const auto [begin, end] = sizes_of(job.place);
  std::string_view rest = job.letter;
  rest.remove_prefix(counts_.size() * sizeof counts_.front());
  for (const std::uint64_t line : belt.upper.lines(begin, end)) work_.lines().take(rest, line);
  auto& rim = belt.rims[job.place % 2];
  rim.resize(std::size_t{end - begin} * work_.rim());
  if (rest.size() != rim.size() * sizeof(Nimber)) {
    throw Error(ErrorCode::kFailure, "a rank sent a letter of another length than expected");
  }
  if (!rim.empty()) std::memcpy(rim.data(), rest.data(), rest.size());
  team_.post(*belt.before, up(belt.number), counts());
}

void StripeRun::send(const Job& job) {
  Belt& belt = *job.slab->belt;
  const auto [begin, end] = sizes_of(job.place);
  const auto lines = belt.lower.lines(begin, end);
  if (belt.behind) {
    std::string letter = counts();
    for (const std::uint64_t line : lines) work_.lines().append_to(letter, line);
    const std::uint32_t rim = work_.rim();
    const TileArea area = area_of(job.slab->number, job.place);
    for (std::uint32_t v = begin; rim > 0 && v < end; ++v) {
      for (std::uint32_t u = belt.lower.slab() - rim; u < belt.lower.slab(); ++u) {
        const Nimber value = job.slot->tile.at(std::int64_t{sorted_ ? v : u} - area.x0,
                                               std::int64_t{sorted_ ? u : v} - area.y0);
        letter.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
    }
    team_.post(*belt.behind, down(belt.number + 1), std::move(letter));
  }
  work_.lines().release(lines);
}

void StripeRun::hand_over(const Job& job) {
  Stripe& stripe = *job.slab->stripe;
  const std::uint64_t begin = sorted_ ? std::max(stripe.first, job.place) : stripe.first;
  std::vector<const TileSlot*> slots;
  {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t s = begin; s < stripe.end; ++s) {
      slots.push_back(slot_at(slabs_[job.slab->index - (job.slab->number - s)], job.place));
    }
  }
  const std::lock_guard one_at_a_time(sink_mutex_);
  std::uint64_t positions = 0;
  for (std::uint64_t s = begin; s < stripe.end; ++s) {
    const TileArea area = area_of(s, job.place);
    if (TileWork::put(area, *slots[s - begin], *stripe.sink, stripe.values) == Flow::kStop) {
      return end(RunStatus::kStoppedBySink);
    }
    positions += TileWork::positions(area);
  }
  std::uint64_t done = 0;
  {
    const std::lock_guard lock(mutex_);
    stripe.handed = job.place + 1;
    counts_[team_.rank()] += positions;
    done = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
    for (std::uint64_t s = stripe.first; s + 1 < stripe.end; ++s) {
      let_go(slabs_[job.slab->index - (job.slab->number - s)]);
    }
  }
  if (task_.progress == nullptr) return;
  const std::uint64_t all = Layout::of(task_.shape, 1).positions();
  task_.progress->report({done, all, static_cast<double>(done) / static_cast<double>(all)});
}

Nimber StripeRun::earlier(const Job& job, std::int64_t x, std::int64_t y) const {
  if (x < 0 || y < 0) return TileValues::kOutside;
  if (sorted_ && x > y) std::swap(x, y);
  const Slab& slab = *job.slab;
  const auto u = static_cast<std::uint64_t>(sorted_ ? y : x);
  const auto v = static_cast<std::uint64_t>(sorted_ ? x : y);
  if (u / edge_ < slab.belt->first) {
    const std::uint64_t rim = work_.rim();
    return slab.belt->rims[v / edge_ % 2][v % edge_ * rim + u + rim - slab.belt->upper.slab()];
  }
  TileSlot* const slot = u / edge_ == slab.number ? job.left
                         : v / edge_ == job.place ? job.above
                                                  : job.corner;
  return slot->tile.at(x % edge_, y % edge_);
}

void StripeRun::hear_from_before(Belt& belt) {
  try {
    for (std::uint64_t i = 0; i < letters_of(belt); ++i) {
      std::string letter = team_.take(*belt.before, down(belt.number));
      if (letter.empty()) return end(RunStatus::kCancelled);
      std::string_view rest = letter;
      note_counts(rest);
      const std::lock_guard lock(mutex_);
      belt.letters.push_back(std::move(letter));
      ++belt.arrived;
      changed_.notify_all();
    }
  } catch (...) {
    end(RunStatus::kCancelled, std::current_exception());
  }
}

void StripeRun::hear_from_behind(Belt& belt) {
  try {
    for (std::uint64_t i = 0; i < places_of(belt.end - 1); ++i) {
      const std::string letter = team_.take(*belt.behind, up(belt.number + 1));
      if (letter.empty()) return end(RunStatus::kCancelled);
      std::string_view rest = letter;
      note_counts(rest);
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

void StripeRun::note_counts(std::string_view& letter) {
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
  for (const Belt& belt : belts_) {
    if (belt.before) team_.post(*belt.before, up(belt.number), {});
    if (belt.behind) team_.post(*belt.behind, down(belt.number + 1), {});
  }
}

}  // namespace

std::uint64_t rank_of_stripe(const LatticeShape& shape, std::size_t stripe, std::size_t stripes,
                             std::uint64_t ranks) noexcept {
  const Deal deal(shape, stripes, ranks);
  return deal.rank_of(deal.belt_of(stripe));
}

std::vector<std::uint32_t> stripe_borders_of(const LatticeRule& rule, const LatticeShape& shape,
                                             std::uint32_t edge) {
  const std::uint32_t slabs = shape.extent[0];
  const std::uint64_t tiles = (slabs - 1) / edge + 1;
  // No line may jump over a stripe.
  const LineSets lines(rule, shape);
  const std::uint64_t least = (longest_step(lines.accesses(), shape.sorted) - 1) / edge + 1;
  const std::uint64_t wanted = std::max(least, std::min(kUsualSlabs, tiles));
  const std::uint64_t count = std::clamp<std::uint64_t>(tiles / wanted, 1, kMostStripes);
  std::vector<std::uint32_t> borders;
  for (std::uint64_t i = 0; i < count; ++i) {
    borders.push_back(static_cast<std::uint32_t>(tiles * i / count * edge));
  }
  borders.push_back(slabs);
  return borders;
}

std::uint64_t stripes_memory_bytes(const LatticeRule& rule, const LatticeShape& shape,
                                   std::uint32_t edge, std::uint64_t ranks, std::size_t threads) {
  const auto borders = stripe_borders_of(rule, shape, edge);
  const Deal deal(shape, borders.size() - 1, ranks);
  std::vector<std::uint64_t> slabs(ranks);
  for (std::uint64_t i = 0; i < deal.stripes; ++i) {
    slabs[deal.rank_of(deal.belt_of(i))] += borders[i + 1] - borders[i];
  }
  const std::uint64_t most = std::ranges::max(slabs);
  // Every belt works on a place, and each thread may be one further. Letters that wait are shorter
  // than lines.
  const std::uint64_t places = (deal.belts / ranks + threads) * edge;
  const std::uint64_t tiles = 3 * (most / edge) + threads;
  return LineSets(rule, shape).bytes_of_belt(most, places) +
         tiles * TileSlot::bytes(rule, shape, edge);
}

RunStatus run_stripes_of(const LatticeTask& task, Team& team,
                         std::span<const LatticeStripe> stripes) {
  return StripeRun(task, team, stripes).run();
}

}  // namespace grundy
