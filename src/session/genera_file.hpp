/// @file
/// Writes files of misère play of one heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <grundy/genera.hpp>

#include "core/digest.hpp"

namespace grundy {

/// Numbers genera and counts heaps as they pass in their order.
class GeneraCounter {
 public:
  /// Numbers of a heap: value, misère nim-value, number of the genus, kind.
  static constexpr std::size_t kNumbers = 4;

  /// Counts into `info`, which outlives the counter.
  explicit GeneraCounter(GeneraInfo& info) : info_(info) {}

  /// Adds the next heap. @returns the number of its genus
  std::uint32_t add(const MisereHeap& heap);
  /// Sets the digest.
  void finish();
  /// The genera in the order of their numbers.
  [[nodiscard]] const std::vector<std::string>& genera() const noexcept { return genera_; }

 private:
  void flush();

  GeneraInfo& info_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> genera_;
  std::vector<Nimber> words_;  ///< words that are not in the digest yet
  SequentialDigest digest_;
};

/// Takes the next heap.
using TakeGenera = std::function<void(const MisereHeap&)>;

/// Makes the file `path`. `fill` hands over all heaps in their order; the attributes follow. Sets
/// the counts and the digest of `info`. @throws Error(kFailure)
void write_genera_file(const std::filesystem::path& path, GeneraInfo& info,
                       const std::function<void(const TakeGenera&)>& fill);

}  // namespace grundy
