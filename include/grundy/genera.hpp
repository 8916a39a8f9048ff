/// @file
/// Files of misère play of one heap: the value, the misère nim-value, the genus and the kind of
/// heaps 0, 1, 2, ..
///
/// grundy/misere.hpp says what these are, and find_genera() finds them without a file.
/// src/table/README.md is the format.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/hooks.hpp>
#include <grundy/list_check.hpp>
#include <grundy/misere.hpp>
#include <grundy/request.hpp>
#include <grundy/stats.hpp>

namespace grundy {

/// What a file says besides its heaps. The counts follow from the heaps.
struct GeneraInfo {
  std::string title{};
  std::string canonical{};    ///< the rule, as HeapRule reads it
  std::string description{};  ///< the moves in words
  HeapSize heaps = 0;         ///< 0 .. heaps - 1
  HeapSize tame = 0;          ///< tame heaps
  std::optional<HeapSize> first_not_tame{};
  HeapSize p_positions = 0;  ///< heaps of misère nim-value 0
  /// XXH3-128 of value, misère nim-value, number of the genus and kind of every heap, heap by heap,
  /// as 32-bit little-endian integers.
  Digest128 digest{};
  std::string provenance_json{};

  friend bool operator==(const GeneraInfo&, const GeneraInfo&) = default;
};

struct GeneraReport {
  GeneraInfo info{};
  MisereEnd end = MisereEnd::kComplete;
  double seconds = 0;
};

/// Finds the genera of a request for a HeapGame with `misere`, and writes them if there is an
/// output: all of them, complete and checked, or no file. It uses `memory` of the machine, and the
/// hooks `stop` and `progress`.
/// @throws Error as find_genera(), and Error(kFailure) if the file cannot be written
GeneraReport compute_genera(const Request& request, const Hooks& hooks = {});

/// A file of genera, open for reading. One thread at a time.
class GeneraReader {
 public:
  /// @throws Error(kCorrupt) if the file is damaged, Error(kUsage) if there is none
  explicit GeneraReader(const std::filesystem::path& path);
  ~GeneraReader();
  GeneraReader(GeneraReader&&) noexcept;
  GeneraReader& operator=(GeneraReader&&) noexcept;

  [[nodiscard]] const GeneraInfo& info() const noexcept;
  /// The different genera, in the order of the first heaps that have them.
  [[nodiscard]] const std::vector<Genus>& genera() const noexcept;
  /// Heaps first .. first + count - 1. @pre the file has these heaps
  /// @throws Error(kCorrupt) if the value of a heap is not that of its genus
  [[nodiscard]] std::vector<MisereHeap> heaps(HeapSize first, HeapSize count) const;
  /// Counts all heaps anew. @throws Error(kCorrupt) if the file says something else
  void recount() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What was proved of misère play: heaps below `proved`, from the definition.
struct GeneraCheck : ListCheck {
  GeneraInfo info{};
  HeapSize compared = 0;  ///< heaps below this were found a second time
};

/// Proves heaps from the definition, from heap 0 on, as far as the time allows: the values and
/// misère nim-values of all positions reached from a heap that has Nim heaps of one and two tokens
/// beside it. This uses nothing of find_genera(). Where moves split, the number of these positions
/// grows fast with the heap. `full` also finds all genera and kinds a second time, as find_genera()
/// does, however long that takes.
/// @throws Error(kCorrupt) for a damaged file; where `range` is set, Error(kUsage) if the file does
///   not have it, Error(kFailure) if the proof needs more memory than there is
GeneraCheck check_genera(const ListCheckRequest& request, const Hooks& hooks = {});

}  // namespace grundy
