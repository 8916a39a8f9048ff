/// @file
/// Numbers and lists of numbers in the state of an engine (LatticeStates), little-endian.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>

namespace grundy {

static_assert(std::endian::native == std::endian::little);

template <class T>
void write_numbers(const LatticeStates::Write& write, std::type_identity_t<std::span<const T>> of) {
  write(std::as_bytes(of));
}
inline void write_number(const LatticeStates::Write& write, std::uint64_t number) {
  write_numbers<std::uint64_t>(write, {&number, 1});
}
/// Writes the numbers behind their count.
template <class T>
void write_list(const LatticeStates::Write& write, std::type_identity_t<std::span<const T>> of) {
  write_number(write, of.size());
  write_numbers<T>(write, of);
}

/// The inverses. @throws Error(kCorrupt) if the state ends too early
template <class T>
void read_numbers(LatticeStates& states, std::type_identity_t<std::span<T>> to) {
  states.read(std::as_writable_bytes(to));
}
inline std::uint64_t read_number(LatticeStates& states) {
  std::uint64_t number = 0;
  read_numbers<std::uint64_t>(states, {&number, 1});
  return number;
}
[[noreturn]] inline void refuse_state() {
  throw Error(ErrorCode::kCorrupt,
              "a state was sealed by another version of this program, or is of another table");
}
/// @throws Error(kCorrupt) if the next number is another one
inline void expect_number(LatticeStates& states, std::uint64_t number) {
  if (read_number(states) != number) refuse_state();
}
/// @param most numbers; @throws Error(kCorrupt) if there are more
template <class T>
std::vector<T> read_list(LatticeStates& states, std::uint64_t most) {
  const std::uint64_t count = read_number(states);
  if (count > most) refuse_state();
  std::vector<T> list(count);
  read_numbers<T>(states, list);
  return list;
}

}  // namespace grundy
