/// @file
/// Positions in misère play in canonical form, each once.
///
/// A form is a set of forms, its options. Let some options B of a position G all have the same
/// option H, and let the other options A of G be exactly those of H. Then G equals H in every sum,
/// because a player answers a move to B by the move to H. If A is empty, H has no moves, and there
/// is no answer at the end of play. Then one of B must also be a misère P-position, so that the
/// player who moves wins G alone, as this player wins H. There is no other simplification (On
/// Numbers and Games, ch. 12), so two positions are equal in every sum if and only if they have the
/// same form.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <grundy/misere.hpp>

namespace grundy {

/// The genus of a position, from those of its options. O(options · length of the longest).
Genus genus_of_options(std::span<const Genus* const> options);
/// The kind of a position with this genus.
MisereKind kind_of_options(const Genus& genus, bool options_are_tame) noexcept;

/// The genus of a tame position. @param fickle whether it is a sum of heaps of at most one token
Genus tame_genus(Nimber value, bool fickle);
/// A tame position is fickle if its misère nim-value is not its value.
[[nodiscard]] inline bool is_fickle(const Genus& tame) noexcept {
  return tame.misere.front() != tame.value;
}

class MisereForms {
 public:
  using Id = std::uint32_t;
  /// The position without options.
  static constexpr Id kZero = 0;

  MisereForms();

  /// The form of a position with these options, in any order.
  Id make(std::vector<Id> options);
  /// The form of a sum.
  Id sum(Id a, Id b);

  [[nodiscard]] const MisereHeap& operator[](Id id) const noexcept { return about_[id]; }
  [[nodiscard]] std::size_t size() const noexcept { return forms_.size(); }
  /// An estimate of the memory in use.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  /// Thrown by make() and sum() when more than `most` bytes are in use; then neither can be used
  /// again.
  struct Full {};
  /// Thrown by make() and sum() when somebody asked to stop; then neither can be used again.
  struct Stopped {};
  void limit(std::optional<std::uint64_t> most, std::stop_token stop) {
    most_bytes_ = most;
    stop_ = std::move(stop);
  }

 private:
  struct Form {
    std::size_t begin = 0;  ///< first option of the form in options_
    std::uint32_t count = 0;
    std::uint32_t birthday = 0;  ///< moves of the longest play
  };
  /// Finds forms by their options.
  struct Hash {
    using is_transparent = void;
    const MisereForms* forms;
    std::size_t operator()(Id id) const noexcept { return (*this)(forms->options(id)); }
    std::size_t operator()(std::span<const Id> options) const noexcept;
  };
  struct Equal {
    using is_transparent = void;
    const MisereForms* forms;
    bool operator()(Id a, Id b) const noexcept { return a == b; }
    bool operator()(Id a, std::span<const Id> b) const noexcept;
    bool operator()(std::span<const Id> a, Id b) const noexcept { return (*this)(b, a); }
  };

  [[nodiscard]] std::span<const Id> options(Id id) const noexcept {
    return std::span(options_).subspan(forms_[id].begin, forms_[id].count);
  }
  [[nodiscard]] bool has_option(Id id, Id option) const noexcept;
  /// The simpler form that a position with these options equals, if there is one. @pre sorted
  [[nodiscard]] std::optional<Id> simpler(std::span<const Id> options) const;
  Id add(std::span<const Id> options);

  std::vector<Form> forms_;
  std::vector<MisereHeap> about_;  ///< of each form
  std::vector<Id> options_;        ///< of all forms; each form's are adjacent, by birthday and id
  std::unordered_set<Id, Hash, Equal> known_;
  std::unordered_map<std::uint64_t, Id> sums_;
  std::uint64_t genus_bytes_ = 0;
  std::optional<std::uint64_t> most_bytes_;
  std::stop_token stop_;
};

}  // namespace grundy
