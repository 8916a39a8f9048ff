// SPDX-License-Identifier: MIT
#include "engines/lattice/set_arena.hpp"

#include <algorithm>
#include <bit>

namespace grundy {
namespace {

constexpr std::uint64_t kBankBytes = kBankWords * sizeof(std::uint64_t);

// Bytes of a set are addressed in memory order.
static_assert(std::endian::native == std::endian::little);

unsigned char* bytes_of(std::uint64_t* bank) noexcept {
  return reinterpret_cast<unsigned char*>(bank);
}

}  // namespace

SetArena::SetArena(std::uint64_t sets, bool outcomes)
    : sets_(sets),
      bank_bytes_(outcomes ? 1 : kBankBytes),
      low_(outcomes ? 0 : sets * sizeof(std::uint16_t), "the sets of values") {}

std::uint64_t SetArena::bytes(std::uint64_t sets, std::uint64_t largest) noexcept {
  return sets * (sizeof(std::uint16_t) + kBankBytes * (largest / kBankValues + 1));
}

void SetArena::hold(std::uint64_t largest) {
  while (banks_.size() <= largest / kBankValues) {
    pages_.emplace_back(sets_ * bank_bytes_, "the sets of values");
    banks_.push_back(pages_.back().as<std::uint64_t>());
  }
}

unsigned char& SetArena::byte(std::uint64_t set, Nimber value) noexcept {
  return bytes_of(banks_[value / kBankValues])[bank_bytes_ * set + value % kBankValues / 8];
}

bool SetArena::empty(std::uint64_t set) const noexcept {
  return std::ranges::all_of(banks_, [&](std::uint64_t* bank) {
    const unsigned char* const bytes = bytes_of(bank) + bank_bytes_ * set;
    return std::all_of(bytes, bytes + bank_bytes_, [](unsigned char b) { return b == 0; });
  });
}

void SetArena::clear(std::uint64_t first, std::uint64_t count) noexcept {
  for (std::uint64_t* const bank : banks_) {
    std::fill_n(bytes_of(bank) + bank_bytes_ * first, bank_bytes_ * count, 0);
  }
  if (low_.as<std::uint16_t>() != nullptr) {
    std::fill_n(low_.as<std::uint16_t>() + first, count, 0);
  }
}

}  // namespace grundy
