// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <grundy/graph/engine.hpp>

#include "engines/graph/searcher.hpp"

namespace grundy {
namespace {

using graph::Key;
using graph::key_at;
using graph::Knowledge;
using graph::Searcher;
using graph::SearchStopped;
using graph::SharedSearch;

/// The threads of a search, and the facts that they have learnt.
template <unsigned W>
class Search {
 public:
  Search(const GraphGame& game, std::optional<std::uint64_t> memory_limit, Executor* executor,
         const KernelSet& kernels)
      : shared_(game, kernels, memory_limit), executor_(executor) {
    shared_.has_others = executor != nullptr && executor->threads() > 1;
  }

  /// Nothing if it was stopped.
  std::optional<Nimber> value(std::span<const std::uint64_t> keys, const std::stop_token& stop) {
    shared_.stop = stop;
    shared_.is_over = false;
    std::optional<Nimber> found;
    const auto search = [&](std::size_t /*thread*/) {
      const Presence presence(shared_);
      try {
        const Nimber value = Searcher<W>(shared_).value(keys);
        if (!shared_.is_over.exchange(true)) found = value;
      } catch (const SearchStopped&) {
        return;
      }
    };
    if (shared_.has_others) {
      executor_->parallel_for(executor_->threads(), search);
    } else {
      search(0);
    }
    return found;
  }

  [[nodiscard]] std::uint64_t searched() const noexcept {
    return shared_.opened.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t known() const noexcept { return shared_.table.size(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return shared_.table.bytes() + shared_.alike.bytes();
  }

  /// Hands over entries: the words of the key, then a word with 32 bits of knowledge below the
  /// effort.
  void hand_over(std::size_t most,
                 const std::function<void(std::span<const std::uint64_t>)>& take) const {
    constexpr std::uint64_t kLeastEffort = 2;
    std::vector<std::uint64_t> entries;
    shared_.table.for_each(kLeastEffort,
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
    std::vector<std::uint64_t> keys;
    for (; !entries.empty(); entries = entries.subspan(W + 1)) {
      const Knowledge known(static_cast<Nimber>(entries[W]));
      if (known.bits() == 0 || !shared_.game.contains(entries.first(W))) break;
      if (shared_.table.is_full()) shared_.grow();
      shared_.table.learn(key_at<W>(entries.data()), known, entries[W] >> 32);
      for (unsigned w = 0; w < W; ++w) keys.push_back(entries[w]);
    }
    std::vector<std::uint64_t> likeness(keys.size() / W);
    shared_.likeness(keys, likeness);
    for (std::size_t i = 0; i < likeness.size(); ++i) {
      shared_.first_alike({key_at<W>(&keys[i * W]), likeness[i]});
    }
    return entries.empty();
  }

 private:
  static constexpr std::uint64_t kMostEffort = ~std::uint32_t{0};

  /// Marks a thread as part of the crew. The search is over when one thread leaves, for whatever
  /// reason.
  class Presence {
   public:
    explicit Presence(SharedSearch<W>& shared) : shared_(shared) { shared.crew.enter(); }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    ~Presence() {
      shared_.is_over = true;
      shared_.crew.leave();
    }

   private:
    SharedSearch<W>& shared_;
  };

  SharedSearch<W> shared_;
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

std::uint64_t GraphSearch::least_bytes(const GraphGame& game, const KernelSet& kernels) noexcept {
  switch (game.key_words()) {
    case 1:
      return SharedSearch<1>::least_bytes(game, kernels);
    case 2:
      return SharedSearch<2>::least_bytes(game, kernels);
    default:
      return SharedSearch<4>::least_bytes(game, kernels);
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
