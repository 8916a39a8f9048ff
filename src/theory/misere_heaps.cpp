// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include <grundy/heap/options.hpp>
#include <grundy/misere.hpp>

#include "games/heap/notation.hpp"
#include "theory/misere_forms.hpp"

namespace grundy {
namespace {

/// The heaps before the first one that is not tame.
class TameHeaps {
 public:
  explicit TameHeaps(const HeapRule& rule) : rule_(rule) {}

  [[nodiscard]] std::uint64_t bytes() const noexcept { return heaps_.capacity() * sizeof(Heap); }

  /// The next heap. @pre all before it are tame
  MisereHeap next() {
    // Tame sums with the same value that agree in being fickle have the same genus: one of each is
    // enough.
    std::vector<Genus> genera;
    std::vector<bool> seen;
    for_each_option(rule_, heaps_.size(), [&](const HeapMove& move) {
      Nimber value = 0;
      bool fickle = true;
      for (const HeapSize heap : move.left) {
        value ^= heaps_[heap].value;
        fickle = fickle && heaps_[heap].fickle;
      }
      const std::size_t key = std::size_t{value} * 2 + (fickle ? 1 : 0);
      if (key >= seen.size()) seen.resize(key + 1);
      if (!seen[key]) genera.push_back(tame_genus(value, fickle));
      seen[key] = true;
      return Flow::kContinue;
    });
    std::vector<const Genus*> options;
    for (const Genus& genus : genera) options.push_back(&genus);
    MisereHeap heap{.genus = genus_of_options(options)};
    heap.kind = kind_of_options(heap.genus, true);
    heaps_.push_back({heap.genus.value, is_fickle(heap.genus)});
    return heap;
  }

 private:
  struct Heap {
    Nimber value;
    bool fickle;
  };
  const HeapRule& rule_;
  std::vector<Heap> heaps_;
};

/// All heaps, as forms.
class HeapForms {
 public:
  HeapForms(const HeapRule& rule, const MisereSearch& search) : rule_(rule) {
    forms_.limit(search.memory, search.stop);
  }

  const MisereHeap& next() {
    std::vector<MisereForms::Id> options;
    for_each_option(rule_, heaps_.size(), [&](const HeapMove& move) {
      MisereForms::Id sum = MisereForms::kZero;
      for (const HeapSize heap : move.left) sum = forms_.sum(sum, heaps_[heap]);
      options.push_back(sum);
      return Flow::kContinue;
    });
    heaps_.push_back(forms_.make(std::move(options)));
    return forms_[heaps_.back()];
  }

 private:
  const HeapRule& rule_;
  MisereForms forms_;
  std::vector<MisereForms::Id> heaps_;
};

}  // namespace

MisereEnd find_genera(const HeapRule& rule, HeapSize last,
                      const std::function<Flow(HeapSize, const MisereHeap&)>& visit,
                      const MisereSearch& search) {
  refuse_pass(rule, "misère play");
  const auto take = [&](HeapSize n, const MisereHeap& heap) {
    return visit(n, heap) == Flow::kContinue && !search.stop.stop_requested();
  };
  HeapSize n = 0;
  TameHeaps tame(rule);
  for (bool all_tame = true; all_tame && n <= last; ++n) {
    const MisereHeap heap = tame.next();
    all_tame = heap.kind == MisereKind::kTame;
    if (!take(n, heap)) return n == last ? MisereEnd::kComplete : MisereEnd::kStopped;
    if (search.memory && tame.bytes() > *search.memory) return MisereEnd::kMemory;
  }
  if (n > last) return MisereEnd::kComplete;
  try {
    HeapForms forms(rule, search);
    for (HeapSize known = 0; known < n; ++known) forms.next();
    for (; n <= last; ++n) {
      const MisereHeap heap = forms.next();
      if (!take(n, heap)) return n == last ? MisereEnd::kComplete : MisereEnd::kStopped;
    }
  } catch (const MisereForms::Full&) {
    return MisereEnd::kMemory;
  } catch (const MisereForms::Stopped&) {
    return MisereEnd::kStopped;
  }
  return MisereEnd::kComplete;
}

}  // namespace grundy
