// SPDX-License-Identifier: MIT
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/names.hpp"
#include "core/text_cursor.hpp"

namespace grundy {
namespace {

/// Wide enough for differences of numbers that exceed 64 bits themselves.
__extension__ using Wide = __int128;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
/// Larger terms are refused, so that sums of terms fit Wide.
constexpr Wide kLargestTerm = Wide{1} << 96;
constexpr std::size_t kLongestText = 100;

class CountParser {
 public:
  explicit CountParser(std::string_view text) : cursor_(trimmed(text)) {}

  std::uint64_t count() {
    if (cursor_.done()) throw Error(ErrorCode::kUsage, "a count is missing");
    if (cursor_.text().size() > kLongestText) malformed();
    Wide sum = term();
    while (!cursor_.done()) {
      if (cursor_.eat('+')) {
        sum += term();
      } else if (cursor_.eat('-')) {
        sum -= term();
      } else {
        malformed();
      }
    }
    if (sum < 0) refuse(" is a negative number");
    if (sum > Wide{kMax}) too_large();
    return static_cast<std::uint64_t>(sum);
  }

 private:
  /// `1000`, `1e9`, `1.25e6` or `2^32`.
  Wide term() {
    const Wide number = digits();
    if (cursor_.eat('.')) return number_with_fraction(number);
    if (cursor_.eat('^')) return times_power(1, number, digits());
    if (cursor_.eat('e')) return times_power(number, 10, digits());
    return number;
  }

  /// Reads the digits after the point of a number that must be whole, such as 1.25e6.
  Wide number_with_fraction(Wide whole) {
    const std::size_t start = cursor_.place();
    Wide fraction = digits();
    std::size_t places = cursor_.place() - start;
    for (; places > 0 && fraction % 10 == 0; --places) fraction /= 10;
    const Wide exponent = cursor_.eat('e') ? digits() : 0;
    if (exponent < static_cast<Wide>(places)) refuse(" is not a whole number");
    return times_power(whole, 10, exponent) + times_power(fraction, 10, exponent - places);
  }

  Wide digits() {
    if (!cursor_.at_digit()) malformed();
    Wide value = 0;
    for (; cursor_.at_digit(); cursor_.step()) {
      value = 10 * value + (cursor_.peek() - '0');
      if (value > kLargestTerm) too_large();
    }
    return value;
  }

  Wide times_power(Wide factor, Wide base, Wide exponent) const {
    Wide value = factor;
    if (base <= 1 || value == 0) return exponent == 0 ? factor : factor * base;
    for (; exponent > 0; --exponent) {
      if (value > kLargestTerm / base) too_large();
      value *= base;
    }
    return value;
  }

  [[noreturn]] void malformed() const {
    cursor_.fail("this is not a count; write it as 1000000, 1e6, 10^6 or 2^20-1");
  }
  [[noreturn]] void refuse(const char* reason) const {
    throw Error(ErrorCode::kUsage, in_quotes(cursor_.text()) + reason);
  }
  [[noreturn]] void too_large() const { refuse(" is larger than 2^64-1, the largest count"); }

  TextCursor cursor_;
};

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

constexpr std::uint64_t kKibi = 1024;
constexpr std::array kSizes = {
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"k", kKibi},
    Unit{"kib", kKibi},
    Unit{"kb", 1000},
    Unit{"m", kKibi* kKibi},
    Unit{"mib", kKibi* kKibi},
    Unit{"mb", 1000'000},
    Unit{"g", kKibi* kKibi* kKibi},
    Unit{"gib", kKibi* kKibi* kKibi},
    Unit{"gb", 1000'000'000},
    Unit{"t", kKibi* kKibi* kKibi* kKibi},
    Unit{"tib", kKibi* kKibi* kKibi* kKibi},
    Unit{"tb", 1000'000'000'000},
};

constexpr std::array kTimes = {Unit{"s", 1}, Unit{"min", 60}, Unit{"h", 3600}, Unit{"d", 86400}};

/// Reads a count and one of the units. The case of the unit does not matter.
std::uint64_t parse_with_unit(std::string_view text, std::span<const Unit> units, const char* wrong,
                              const char* too_large) {
  const std::size_t number_end = text.find_last_of("0123456789") + 1;  // npos + 1 is 0
  std::string unit_name(trimmed(text.substr(number_end)));
  std::ranges::transform(unit_name, unit_name.begin(), lower);
  const auto unit = std::ranges::find(units, unit_name, &Unit::name);
  if (number_end == 0 || unit == units.end()) {
    throw Error(ErrorCode::kUsage, in_quotes(text) + wrong);
  }
  const std::string_view number = text.substr(0, number_end);
  std::uint64_t count = 0;
  try {
    count = parse_count(number);
  } catch (const Error&) {
    // parse_count() does not say how to write half a second.
    if (number.find('.') == std::string_view::npos) throw;
    throw Error(ErrorCode::kUsage, in_quotes(text) + wrong);
  }
  if (count > kMax / unit->size) throw Error(ErrorCode::kUsage, in_quotes(text) + too_large);
  return count * unit->size;
}

}  // namespace

std::size_t character_size(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i] & 0xff); };
  if (byte(0) < 0x80) return byte(0) >= ' ' && byte(0) <= '~' ? 1 : 0;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  // For each size: the bits of the first byte, and the least number that needs this size.
  constexpr std::array<std::uint32_t, 5> kMasks = {0, 0, 0x1f, 0x0f, 0x07};
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (byte(0) < 0xc0 || byte(0) > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & kMasks[size];
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  const bool valid = code >= kLeast[size] && code <= 0x10ffff && !within(0xd800, 0xdfff);
  // Control characters, characters of width 0, and marks of the direction of writing.
  const bool prints = !within(0x80, 0x9f) && !within(0x200b, 0x200f) && !within(0x2028, 0x202e) &&
                      !within(0x2060, 0x206f) && code != 0xfeff;
  return valid && prints ? size : 0;
}

std::string shell_word(std::string_view text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    const char letter = lower(c);
    return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=+@%,").find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  for (std::size_t characters = 0; !text.empty() && characters < kLongest; ++characters) {
    const std::size_t size = character_size(text);
    if (size > 0) {
      out += text.substr(0, size);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out + (text.empty() ? "'" : "...'");
}

std::uint64_t parse_count(std::string_view text) {
  return CountParser(text).count();
}

std::vector<std::uint64_t> parse_counts(std::string_view text) {
  std::vector<std::uint64_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    counts.push_back(parse_count(trimmed(text.substr(begin, comma - begin))));
    begin = comma + 1;
  }
  return counts;
}

std::uint64_t parse_bytes(std::string_view text) {
  return parse_with_unit(text, kSizes,
                         " is not a size; write it as 512MiB, 4GiB or a number of bytes",
                         " is larger than 2^64-1 bytes");
}

std::chrono::seconds parse_duration(std::string_view text) {
  const std::uint64_t seconds = parse_with_unit(
      text, kTimes,
      " is not a whole number of seconds, minutes, hours or days; write it as 30s, 10min or 2h",
      " is longer than any run");
  return std::chrono::seconds(std::min<std::uint64_t>(seconds, kMax >> 32));
}

std::string csv_text(std::string_view text) {
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string misere_title(std::string title) {
  constexpr std::string_view kSuffix = " in misère play";
  if (!title.ends_with(kSuffix)) title += kSuffix;
  return title;
}

std::string format_count(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ' ');
  }
  return text;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 7> kNames = {"B",   "KiB", "MiB", "GiB",
                                                      "TiB", "PiB", "EiB"};
  if (bytes < kKibi) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 1023.5 would round to 1024 of the smaller unit.
  for (; value >= 1023.5 && unit + 1 < kNames.size(); ++unit) value /= kKibi;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kNames[unit]);
}

std::string format_duration(std::chrono::duration<double> duration) {
  const double seconds = duration.count();
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  // Two units are printed. This rounds once, to whole numbers of the smaller unit.
  constexpr double kMinute = 60;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  const auto two = [seconds](double unit, std::string_view large, double part,
                             std::string_view small) {
    const double parts = std::round(seconds / part);
    const double per_unit = unit / part;
    return fmt::format("{:.0f} {} {:.0f} {}", std::floor(parts / per_unit), large,
                       std::fmod(parts, per_unit), small);
  };
  if (seconds < kHour - 0.5) return two(kMinute, "min", 1, "s");
  if (seconds < kDay - kMinute / 2) return two(kHour, "h", kMinute, "min");
  return two(kDay, "d", kHour, "h");
}

std::string utc_text(std::time_t time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

std::string utc_now() {
  return utc_text(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
}

std::optional<std::time_t> source_date() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) return std::nullopt;
  const std::string_view view = text;
  std::time_t time = 0;
  const auto [end, error] = std::from_chars(view.begin(), view.end(), time);
  if (error != std::errc() || end != view.end() || time < 0) return std::nullopt;
  return time;
}

}  // namespace grundy
