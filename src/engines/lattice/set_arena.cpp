// SPDX-License-Identifier: MIT
#include "engines/lattice/set_arena.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include "engines/lattice/state_bytes.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kBankBytes = kBankWords * sizeof(std::uint64_t);

// Bytes of a set are addressed in memory order.
static_assert(std::endian::native == std::endian::little);

unsigned char* bytes_of(std::uint64_t* bank) noexcept {
  return reinterpret_cast<unsigned char*>(bank);
}

/// Calls `use` with pieces of `size` bytes.
template <class Use>
void for_each_piece(void* bytes, std::uint64_t size, const Use& use) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 16;
  for (std::uint64_t begin = 0; begin < size; begin += kPiece) {
    use(std::span(static_cast<std::byte*>(bytes) + begin, std::min(kPiece, size - begin)));
  }
}

/// Most of a large bank is empty: a piece of zeros is one number.
void save_bytes(void* bytes, std::uint64_t size, const LatticeStates::Write& write) {
  for_each_piece(bytes, size, [&](std::span<const std::byte> piece) {
    const bool is_empty =
        std::ranges::all_of(piece, [](std::byte byte) { return byte == std::byte{0}; });
    write_number(write, is_empty ? 0 : 1);
    if (!is_empty) write(piece);
  });
}

/// @pre the bytes are 0
void restore_bytes(void* bytes, std::uint64_t size, LatticeStates& states) {
  for_each_piece(bytes, size, [&](std::span<std::byte> piece) {
    if (read_number(states) != 0) states.read(piece);
  });
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

void SetArena::save(std::uint64_t sets, const LatticeStates::Write& write) const {
  write_number(write, banks_.size());
  for (std::uint64_t* const bank : banks_) save_bytes(bank, sets * bank_bytes_, write);
  save_bytes(low_.as<void>(), sets * sizeof(std::uint16_t), write);
}

void SetArena::restore(std::uint64_t sets, LatticeStates& states) {
  const std::uint64_t banks = read_number(states);
  constexpr std::uint64_t kMostBanks = (std::uint64_t{1} << 32) / kBankValues;
  if (banks > kMostBanks) refuse_state();
  if (banks > 0) hold(banks * kBankValues - 1);
  for (std::uint64_t* const bank : banks_) restore_bytes(bank, sets * bank_bytes_, states);
  restore_bytes(low_.as<void>(), sets * sizeof(std::uint16_t), states);
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
