/// @file
/// Numbers as people type and read them: reads exact counts and sizes, writes grouped digits.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grundy {

/// Bytes of the first character in UTF-8; 0 if it does not print: a control character, a mark that
/// turns the direction of writing, or bytes that are no UTF-8.
std::size_t character_size(std::string_view text) noexcept;

/// `text` as one word of a shell: in quotes if it has to be.
std::string shell_word(std::string_view text);

/// `text` for a message: in quotes, cut after 40 characters; bytes that do not print as `\x1b`.
std::string in_quotes(std::string_view text);

/// Reads a count: a sum or difference of terms, each `1000`, `1e9` or `2^32`, such as `10^6-1`.
/// The value is exact; only the result has to fit, so `2^64-1` is the largest. Blanks may stand
/// before and behind a count, and before a unit.
/// @throws Error(kUsage) if the text is anything else, or the result is negative or too large
std::uint64_t parse_count(std::string_view text);

/// Reads counts with commas between them, and blanks. @throws Error(kUsage)
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// Reads a size in bytes: a count and a unit `B`, `KiB`, `MiB`, `GiB`, `TiB` (powers of 1024; `K`,
/// `M`, `G`, `T` for short) or `kB`, `MB`, `GB`, `TB` (powers of 1000), such as `4GiB`. Case does
/// not matter. Without a unit the count is in bytes.
/// @throws Error(kUsage) if the text is anything else or the size has more than 64 bits
std::uint64_t parse_bytes(std::string_view text);

/// Reads a duration: a count and a unit `s`, `min`, `h` or `d`, such as `10min`.
/// @throws Error(kUsage) if the text is anything else
std::chrono::seconds parse_duration(std::string_view text);

/// A text as a field of CSV (RFC 4180), in quotes, so that a code such as 0.70 is not a number.
std::string csv_text(std::string_view text);

/// The title of what is told of misère play: `Kayles in misère play`. A title that says so stays.
std::string misere_title(std::string title);

/// `1 234 567`.
std::string format_count(std::uint64_t count);

/// Three significant digits and a binary unit: `18.6 GiB`, `512 B`.
std::string format_bytes(std::uint64_t bytes);

/// The two largest units that matter: `350 ms`, `12.5 s`, `3 min 20 s`, `5 h 10 min`, `2 d 4 h`.
std::string format_duration(std::chrono::duration<double> duration);

/// A time in UTC in the form of ISO 8601: `2026-01-31T23:59:59Z`.
std::string utc_text(std::time_t time);
std::string utc_now();

/// The time in SOURCE_DATE_EPOCH (reproducible-builds.org); nothing if it is not set.
std::optional<std::time_t> source_date();

}  // namespace grundy
