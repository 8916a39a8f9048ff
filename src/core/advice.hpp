/// @file
/// What a person may do about a request that was refused, in words that hold everywhere. The
/// command and the Python module each add how it is said there.
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace grundy {

/// The advice about a file or a directory that exists.
inline constexpr std::string_view kAllowReplacement = "allow it to be replaced";

/// The advice about a run whose process has ended on another host; each stripe of a table has a
/// lock.
inline constexpr std::string_view kTakeOver = "take its locks over";

/// The advice about misère play of one heap that splits.
inline constexpr std::string_view kFindGenera = "its genera tell who wins";

/// The advice about outcomes that only values tell.
inline constexpr std::string_view kZerosOfValues = "P-positions are the zeros of its values";

/// The advice about a good file of another kind than the one that is needed.
inline constexpr std::string_view kAskWhatItHolds = "ask it for what it holds";

/// The advice about a run of one heap that was begun to another heap.
inline constexpr std::string_view kResumeToAnotherHeap = "go on with it to another heap";

/// The advice about a run whose sealed values lie in a directory.
inline constexpr std::string_view kCanGoOn = "can go on from there";

/// The advice about sealed values, one of which may be wrong.
inline constexpr std::string_view kProveSealed = "prove what is sealed";

/// The advice about a machine or a build that has given a wrong value.
inline constexpr std::string_view kLongTest = "a long test passes";

/// The advice about a table in parts where one file is needed.
inline constexpr std::string_view kMergeParts = "merge its parts";

/// The advice about heaps behind the end of a table whose period is proved.
inline constexpr std::string_view kPeriodTells = "tells the heaps behind its end";

/// The advice about a name that is not known.
inline constexpr std::string_view kCatalogueLists = "the catalogue lists the names";

/// The advice about work that needs more memory than there is, if that may be a wrong estimate.
inline constexpr std::string_view kTryAnyway = "try it all the same";

/// The advice about work that needs more memory than it may take.
inline constexpr std::string_view kAllowMoreMemory = "allow more memory";

/// The advice about a proof that needs no engine.
inline constexpr std::string_view kProveAll = "prove all values";

/// The advice about a game that does not depend on the order of its heaps.
inline constexpr std::string_view kSortTable = "ask for a sorted table";

/// The advice about a data set that nobody has made.
inline constexpr std::string_view kNameCreator = "name its creator";

/// An advice, and how it is said somewhere.
struct AdviceOption {
  std::string_view advice, option;
};

/// `message` with ` (option)` behind each advice that it gives.
inline std::string with_options(std::string message, std::initializer_list<AdviceOption> options) {
  for (const auto& [advice, option] : options) {
    const auto at = message.find(advice);
    if (at == std::string::npos) continue;
    message.insert(at + advice.size(), " (" + std::string(option) + ")");
  }
  return message;
}

}  // namespace grundy
