/// @file
/// Numbered sets of values in banks of 512 values: a set has one cache line in each bank.
///
/// A bank is one array, so sets with neighbouring numbers are neighbours in memory. Room for larger
/// values is one more array; nothing moves. If only outcomes are wanted, a set is one byte (see
/// outcome_kernels()).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/lattice/engine.hpp>
#include <grundy/types.hpp>

#include "core/zero_pages.hpp"
#include "kernels/set_kernels.hpp"

namespace grundy {

class SetArena {
 public:
  SetArena(std::uint64_t sets, bool outcomes);

  /// Bytes for sets of values up to and including `largest`.
  static std::uint64_t bytes(std::uint64_t sets, std::uint64_t largest) noexcept;

  /// Makes room for values up to and including `largest`. No other call may run at the same time.
  void hold(std::uint64_t largest);
  void insert(std::uint64_t set, Nimber value) noexcept { byte(set, value) |= bit(value); }
  void erase(std::uint64_t set, Nimber value) noexcept {
    byte(set, value) &= static_cast<unsigned char>(~bit(value));
  }
  [[nodiscard]] bool empty(std::uint64_t set) const noexcept;
  /// Writes the first `sets` sets.
  void save(std::uint64_t sets, const LatticeStates::Write& write) const;
  /// Reads what save() has written. @pre nothing was inserted yet
  /// @throws Error(kCorrupt) if the state ends too early, Error(kFailure) as hold()
  void restore(std::uint64_t sets, LatticeStates& states);
  /// Empties the sets first .. first + count - 1.
  void clear(std::uint64_t first, std::uint64_t count) noexcept;

  [[nodiscard]] BankedSets view() const noexcept {
    return {banks_.data(), banks_.size(), low_.as<std::uint16_t>()};
  }

 private:
  [[nodiscard]] static unsigned char bit(Nimber value) noexcept {
    return static_cast<unsigned char>(1u << (value % 8));
  }
  [[nodiscard]] unsigned char& byte(std::uint64_t set, Nimber value) noexcept;

  std::uint64_t sets_;
  std::uint64_t bank_bytes_;  ///< bytes of one set in a bank
  ZeroPages low_;
  std::vector<ZeroPages> pages_;
  std::vector<std::uint64_t*> banks_;
};

}  // namespace grundy
