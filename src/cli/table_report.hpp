/// @file
/// Descriptions of a table, for people and as JSON; shared by the commands that print tables.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/layout.hpp>
#include <grundy/period_report.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// The convention that every output states.
inline constexpr std::string_view kIndexConvention = "tables start at heap 0";

/// Prints the heaps, or the positions, that a table or a list is about.
void print_layout(Console& console, const Layout& layout);
/// Game, moves, range, engine, period, statistics, digest.
void print_table(Console& console, const TableInfo& info);
/// What the values of one heap show: period, maximum, P-positions, digest.
void print_found(Console& console, const TableInfo& info);
Json table_json(const TableInfo& info);

/// The heaps of the position of an entry.
Json position_json(const Layout& layout, std::uint64_t entry);

/// The positions of entries, as a list.
Json positions_json(const Layout& layout, const std::vector<std::uint64_t>& entries);

/// The digest of a table; if the file has a digest of format 1, also what it covers.
std::string digest_text(const TableInfo& info);

/// The period and, if it is proved, the theorem.
void print_period(Console& console, const PeriodReport& period);
/// The fields of a report; null if they are not known.
Json period_json(const PeriodReport& period);

/// Game and moves only, if they are known in words, which is the head of print_table() and
/// table_json().
void print_game(Console& console, const std::string& title, const std::string& canonical,
                const std::string& description);

/// The sparse space of a game, as a line and as an object.
void print_sparse(Console& console, const SparseFacts& facts);
Json sparse_json(const SparseFacts& facts);
/// The values at which a period fails for the last time, as a line and as members of the object of
/// the period; nothing if they are not known.
void print_exception(Console& console, const HeapStatistics& statistics);
void put_exception(Json& period, const HeapStatistics& statistics);
/// The last heap of value 0, as a line and as members of an object: `last_zero`, null where it is
/// not known or zeros recur, and `zeros_recur`, null where no period is proved.
/// @param count heaps that were counted
/// @param last the largest of these with value 0; nothing if it is not known
void print_last_zero(Console& console, const PeriodReport& period, HeapSize count,
                     std::optional<HeapSize> last);
void put_last_zero(Json& json, const PeriodReport& period, std::optional<HeapSize> last);
/// Statistics of the values of heaps 0 .. count-1.
Json stats_json(const TableStats& stats);

}  // namespace grundy::cli
