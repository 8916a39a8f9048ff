/// @file
/// Many sets of values in one frame of values that moves upwards.
///
/// In a long computation all sets leave small values behind: each set has them all, or is never
/// asked for them. So a set keeps only a frame of bits, from a first value that all sets share, and
/// word w of the infinite set lies at place w modulo the size of the frame. When the frame moves,
/// the words that it leaves are cleared and become the words that it enters.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

class MovingSets {
 public:
  /// Number of words that are read together: 256 values.
  static constexpr std::size_t kBlock = 4;
  static constexpr Nimber kNone = std::numeric_limits<Nimber>::max();

  explicit MovingSets(std::size_t sets) : sets_(sets), bits_(sets * words_) {}

  /// The frame has the values first() .. end() - 1. first() is a multiple of 256.
  [[nodiscard]] Nimber first() const noexcept { return first_; }
  [[nodiscard]] Nimber end() const noexcept { return static_cast<Nimber>(first_ + 64 * words_); }

  /// @pre first() <= value < end()
  void insert(std::size_t set, Nimber value) noexcept {
    bits_[place(set, value / 64)] |= std::uint64_t{1} << value % 64;
  }
  /// @pre as for insert()
  [[nodiscard]] bool contains(std::size_t set, Nimber value) const noexcept {
    return (bits_[place(set, value / 64)] >> value % 64 & 1) != 0;
  }
  void clear(std::size_t set) noexcept;

  /// The least value that is in none of the sets; kNone if the frame has no such value.
  /// @pre first() <= from, and every value first() .. from - 1 is in one of the sets
  [[nodiscard]] Nimber mex(std::span<const std::uint32_t> sets, Nimber from) const noexcept {
    for (std::uint64_t word = from / 64; word < first_ / 64 + words_; ++word) {
      std::uint64_t used = 0;
      for (const std::uint32_t set : sets) used |= bits_[place(set, word)];
      if (~used == 0) continue;
      return static_cast<Nimber>(64 * word) + static_cast<Nimber>(std::countr_one(used));
    }
    return kNone;
  }

  /// Moves the frame up, so that it begins at most 255 values below `least`.
  void forget_below(Nimber least) noexcept;
  /// Doubles the frame.
  void grow();

 private:
  [[nodiscard]] std::size_t place(std::size_t set, std::uint64_t word) const noexcept {
    return set * words_ + (word & (words_ - 1));
  }

  std::size_t sets_;
  std::size_t words_ = 2 * kBlock;  ///< words of a frame; a power of two
  Nimber first_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace grundy
