/// @file
/// XXH3-64 of bytes that come piece by piece: hash64() of all of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace grundy {

class ByteHash {
 public:
  ByteHash();
  ~ByteHash();
  ByteHash(ByteHash&&) noexcept;
  ByteHash& operator=(ByteHash&&) noexcept;

  void update(std::span<const std::byte> bytes) noexcept;
  /// The hash of everything so far; more may follow.
  [[nodiscard]] std::uint64_t value() const noexcept;
  /// Begins anew.
  void reset() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace grundy
