// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include <grundy/graph/engine.hpp>

#include "engines/graph/searcher.hpp"

namespace grundy {
namespace {

using graph::Common;
using graph::Key;
using graph::key_at;
using graph::Knowledge;
using graph::LearntTable;
using graph::Searcher;
using graph::Stopped;

/// The threads of a search, and the facts that they have learnt.
template <unsigned W>
class Search {
 public:
  Search(const GraphGame& game, std::optional<std::uint64_t> memory_limit, Executor* executor,
         const KernelSet& kernels)
      : common_(game, kernels, memory_limit), executor_(executor) {
    common_.has_others = executor != nullptr && executor->threads() > 1;
  }

  /// Nothing if it was stopped.
  std::optional<Nimber> value(std::span<const std::uint64_t> keys, const std::stop_token& stop) {
    common_.stop = stop;
    common_.is_over = false;
    std::optional<Nimber> found;
    const auto search = [&](std::size_t /*thread*/) {
      const Presence presence(common_);
      try {
        const Nimber value = Searcher<W>(common_).value(keys);
        if (!common_.is_over.exchange(true)) found = value;
      } catch (const Stopped&) {
        return;
      }
    };
    if (common_.has_others) {
      executor_->parallel_for(executor_->threads(), search);
    } else {
      search(0);
    }
    return found;
  }

  [[nodiscard]] std::uint64_t searched() const noexcept {
    return common_.opened.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t known() const noexcept { return common_.table.size(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return common_.table.bytes() + common_.alike.bytes();
  }

  /// Hands over entries: the words of the key, then a word with 32 bits of knowledge below the
  /// effort.
  void hand_over(std::size_t most,
                 const std::function<void(std::span<const std::uint64_t>)>& take) const {
    constexpr std::uint64_t kLeastEffort = 2;
    std::vector<std::uint64_t> entries;
    common_.table.for_each(kLeastEffort,
                           [&](const Key<W>& key, Knowledge known, std::uint64_t effort) {
                             entries.insert(entries.end(), key.begin(), key.end());
                             entries.push_back(std::min(effort, kMostEffort) << 32 | known.bits());
                             if (entries.size() < most * (W + 1)) return;
                             take(entries);
                             entries.clear();
                           });
    if (!entries.empty()) take(entries);
  }
  bool take_over(std::span<const std::uint64_t> entries) {
    if (entries.size() % (W + 1) != 0) return false;
    for (; !entries.empty(); entries = entries.subspan(W + 1)) {
      const Knowledge known(static_cast<Nimber>(entries[W]));
      if (known.bits() == 0 || !common_.game.contains(entries.first(W))) return false;
      if (common_.table.is_full()) common_.grow();
      const Key<W> key = key_at<W>(entries.data());
      common_.table.learn(key, known, entries[W] >> 32);
      std::uint64_t likeness = 0;
      common_.likeness(key, {&likeness, 1});
      common_.first_alike(key, likeness);
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kMostEffort = ~std::uint32_t{0};

  /// Marks a thread as part of the crew. The search is over when one thread leaves, for whatever
  /// reason.
  class Presence {
   public:
    explicit Presence(Common<W>& common) : common_(common) { common.crew.enter(); }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    ~Presence() {
      common_.is_over = true;
      common_.crew.leave();
    }

   private:
    Common<W>& common_;
  };

  Common<W> common_;
  Executor* executor_;
};

}  // namespace

class GraphSearch::Impl {
 public:
  Impl(const GraphGame& game, std::optional<std::uint64_t> memory_limit, Executor* executor,
       const KernelSet& kernels) {
    switch (game.key_words()) {
      case 1:
        search_.emplace<Search<1>>(game, memory_limit, executor, kernels);
        break;
      case 2:
        search_.emplace<Search<2>>(game, memory_limit, executor, kernels);
        break;
      default:
        search_.emplace<Search<4>>(game, memory_limit, executor, kernels);
    }
  }

  std::optional<Nimber> value(std::span<const std::uint64_t> keys, const std::stop_token& stop) {
    return visit([&](auto& search) { return search.value(keys, stop); });
  }
  [[nodiscard]] std::uint64_t searched() {
    return visit([](auto& search) { return search.searched(); });
  }
  [[nodiscard]] std::uint64_t known() {
    return visit([](auto& search) { return search.known(); });
  }
  [[nodiscard]] std::uint64_t bytes() {
    return visit([](auto& search) { return search.bytes(); });
  }
  void hand_over(std::size_t most,
                 const std::function<void(std::span<const std::uint64_t>)>& take) {
    visit([&](auto& search) { search.hand_over(most, take); });
  }
  bool take_over(std::span<const std::uint64_t> entries) {
    return visit([&](auto& search) { return search.take_over(entries); });
  }

 private:
  template <class F>
  auto visit(F&& call) -> decltype(call(std::declval<Search<1>&>())) {
    if (auto* const one = std::get_if<1>(&search_)) return call(*one);
    if (auto* const two = std::get_if<2>(&search_)) return call(*two);
    return call(std::get<3>(search_));
  }

  std::variant<std::monostate, Search<1>, Search<2>, Search<4>> search_;
};

GraphSearch::GraphSearch(const GraphGame& game, std::optional<std::uint64_t> memory_limit,
                         Executor* executor, const KernelSet& kernels)
    : impl_(std::make_unique<Impl>(game, memory_limit, executor, kernels)) {}
GraphSearch::~GraphSearch() = default;

std::uint64_t GraphSearch::least_bytes(const GraphGame& game) noexcept {
  switch (game.key_words()) {
    case 1:
      return LearntTable<1>::least_bytes();
    case 2:
      return LearntTable<2>::least_bytes();
    default:
      return LearntTable<4>::least_bytes();
  }
}

GraphSearch::GraphSearch(GraphSearch&&) noexcept = default;

std::optional<Nimber> GraphSearch::value(std::span<const std::uint64_t> keys,
                                         const std::stop_token& stop) {
  return impl_->value(keys, stop);
}

void GraphSearch::hand_over(std::size_t most,
                            const std::function<void(std::span<const std::uint64_t>)>& take) const {
  impl_->hand_over(most, take);
}

bool GraphSearch::take_over(std::span<const std::uint64_t> entries) {
  return impl_->take_over(entries);
}

std::uint64_t GraphSearch::searched() const noexcept {
  return impl_->searched();
}

std::uint64_t GraphSearch::known() const noexcept {
  return impl_->known();
}

std::uint64_t GraphSearch::bytes() const noexcept {
  return impl_->bytes();
}

}  // namespace grundy
