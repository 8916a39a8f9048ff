// SPDX-License-Identifier: MIT
#include "core/text.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(ParseCount, IsExact) {
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("007"), 7u);
  EXPECT_EQ(parse_count("1e9"), 1'000'000'000u);
  EXPECT_EQ(parse_count("25E3"), 25'000u);
  EXPECT_EQ(parse_count("2^32"), 4'294'967'296u);
  EXPECT_EQ(parse_count("1.2e7"), 12'000'000u);
  EXPECT_EQ(parse_count("0.0625E4-1"), 624u);
  EXPECT_EQ(parse_count("3.000"), 3u);
  EXPECT_EQ(parse_count("0.00000000000000000001e20+0.0e0"), 1u);
  EXPECT_EQ(parse_count("18446744073709551.615e3"), kMax);
  EXPECT_EQ(parse_count("10^6-1"), 999'999u);
  EXPECT_EQ(parse_count("2^32+1"), 4'294'967'297u);
  EXPECT_EQ(parse_count("5-3-2"), 0u);
  EXPECT_EQ(parse_count("0^0"), 1u);
  EXPECT_EQ(parse_count("0e99999"), 0u);
  EXPECT_EQ(parse_count("1^99999999999999999999"), 1u);
  EXPECT_EQ(parse_count("9007199254740993"), 9'007'199'254'740'993u);  // not a double
  EXPECT_EQ(parse_count(" 10^6\t"), 1'000'000u);
}

TEST(ParseCount, ReachesTheEndOf64Bits) {
  EXPECT_EQ(parse_count("18446744073709551615"), kMax);
  EXPECT_EQ(parse_count("2^64-1"), kMax);
  EXPECT_EQ(parse_count("2^65-2^64-1"), kMax);
}

std::string complaint(std::string_view text, std::uint64_t (*parse)(std::string_view)) {
  try {
    return "taken for " + std::to_string(parse(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
}

TEST(ParseCount, RefusesOverflow) {
  for (const auto* text :
       {"18446744073709551616", "2^64", "1e20", "99999999999999999999999999999999", "10^400",
        "2^99999999999999", "340282366920938463463374607431768211456", "2^96+2^96",
        "1e999999999999999999999999999999999999999"}) {
    EXPECT_THAT(complaint(text, parse_count), HasSubstr("larger than 2^64-1")) << text;
  }
  EXPECT_THAT(complaint("3-4", parse_count), HasSubstr("negative"));
}

TEST(ParseCount, RefusesOtherText) {
  for (const std::string text :
       {"-1",    "+1",    "1.e9",  "1e",  "e9",           "2^", "^2",    "2^3^4",  "1 +1",
        "1_000", "1,000", "1 000", "10M", "0x10",         "1-", "10^ 6", "1e-3",   "2**3",
        "nan",   "inf",   "1+",    "--1", "\xef\xbc\x91", "1.", ".5e1",  "1..5e3", "1.0^2"}) {
    EXPECT_THAT(complaint(text, parse_count), HasSubstr("is not a count")) << text;
  }
  for (const std::string text : {"1.5", "1.25e1", "0.1", "2.01e1-0.01e1", "1.5^2"}) {
    EXPECT_THAT(complaint(text, parse_count), HasSubstr("is not a whole number")) << text;
  }
  EXPECT_THAT(complaint(std::string(1000, '1'), parse_count), HasSubstr("...'"));
  EXPECT_EQ(complaint("", parse_count), "a count is missing");
  EXPECT_EQ(complaint(" ", parse_count), "a count is missing");
}

RC_GTEST_PROP(ParseCount, ReadsEveryNumber, (std::uint64_t n)) {
  RC_ASSERT(parse_count(std::to_string(n)) == n);
}

TEST(ParseBytes, Units) {
  constexpr std::uint64_t kKibi = 1024;
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("512"), 512u);
  EXPECT_EQ(parse_bytes("7B"), 7u);
  EXPECT_EQ(parse_bytes("3KiB"), 3 * kKibi);
  EXPECT_EQ(parse_bytes("3k"), 3 * kKibi);
  EXPECT_EQ(parse_bytes("512mib"), 512 * kKibi * kKibi);
  EXPECT_EQ(parse_bytes("4GiB"), 4 * kKibi * kKibi * kKibi);
  EXPECT_EQ(parse_bytes("4G"), 4 * kKibi * kKibi * kKibi);
  EXPECT_EQ(parse_bytes("2TiB"), 2 * kKibi * kKibi * kKibi * kKibi);
  EXPECT_EQ(parse_bytes("4GB"), 4'000'000'000u);
  EXPECT_EQ(parse_bytes("1kB"), 1000u);
  EXPECT_EQ(parse_bytes("2^30"), kKibi * kKibi * kKibi);
  EXPECT_EQ(parse_bytes("16777215TiB"), 16777215 * kKibi * kKibi * kKibi * kKibi);
}

TEST(ParseBytes, RefusesTheRest) {
  for (const auto* text : {"", "GiB", "4 4GiB", "1.5GiB", "4PB", "4GiBx", "-1GiB", "4GiB2"}) {
    EXPECT_THAT(complaint(text, parse_bytes), HasSubstr("is not a")) << text;
  }
  EXPECT_THAT(complaint("16777216TiB", parse_bytes), HasSubstr("larger than 2^64-1 bytes"));
  EXPECT_THAT(complaint("2^64", parse_bytes), HasSubstr("larger than 2^64-1"));
}

TEST(FormatCount, GroupsByThree) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1 000");
  EXPECT_EQ(format_count(1234567), "1 234 567");
  EXPECT_EQ(format_count(kMax), "18 446 744 073 709 551 615");
}

TEST(FormatBytes, ThreeDigits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(10'239), "10.0 KiB");
  EXPECT_EQ(format_bytes(20'000'000'000), "18.6 GiB");
  EXPECT_EQ(format_bytes((std::uint64_t{1} << 20) - 1), "1.00 MiB");  // not 1024 KiB
  EXPECT_EQ(format_bytes(kMax), "16.0 EiB");
}

TEST(FormatDuration, TwoUnits) {
  const auto text = [](double seconds) {
    return format_duration(std::chrono::duration<double>(seconds));
  };
  EXPECT_EQ(text(0), "0 ms");
  EXPECT_EQ(text(0.35), "350 ms");
  EXPECT_EQ(text(0.9996), "1.0 s");
  EXPECT_EQ(text(12.54), "12.5 s");
  EXPECT_EQ(text(59.96), "1 min 0 s");
  EXPECT_EQ(text(200), "3 min 20 s");
  EXPECT_EQ(text(3599.4), "59 min 59 s");
  EXPECT_EQ(text(3599.6), "1 h 0 min");
  EXPECT_EQ(text(5 * 3600 + 600), "5 h 10 min");
  EXPECT_EQ(text(86399), "1 d 0 h");
  EXPECT_EQ(text(52 * 3600), "2 d 4 h");
  EXPECT_EQ(text(-1), "?");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(InQuotes, PrintsAnything) {
  EXPECT_EQ(shell_word("runs/kayles-1.h5"), "runs/kayles-1.h5");
  EXPECT_EQ(shell_word("a b's.h5"), "'a b'\\''s.h5'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(in_quotes("0.77"), "'0.77'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes(std::string_view("\x1b[\0\xff", 4)), "'\\x1b[\\x00\\xff'");
  EXPECT_EQ(in_quotes("10×10"), "'10×10'");
  EXPECT_EQ(in_quotes("5 ⊗ 6 😀"), "'5 ⊗ 6 😀'");
  EXPECT_EQ(in_quotes("\xe2\x8a"), "'\\xe2\\x8a'");           // cut short
  EXPECT_EQ(in_quotes("\xc0\xaf"), "'\\xc0\\xaf'");           // too long a form
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // half a surrogate pair
  EXPECT_EQ(in_quotes("\xe2\x80\xae"), "'\\xe2\\x80\\xae'");  // turns the direction of writing
  EXPECT_EQ(in_quotes(std::string(41, 'a')), std::string(40, 'a').insert(0, "'") + "...'");
}

TEST(UtcText, IsIso8601) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(1'582'934'400 + 3661), "2020-02-29T01:01:01Z");
}

TEST(ParseDuration, ReadsCountsWithAUnit) {
  EXPECT_EQ(parse_duration("30s").count(), 30);
  EXPECT_EQ(parse_duration("10min").count(), 600);
  EXPECT_EQ(parse_duration("2H").count(), 7200);
  EXPECT_EQ(parse_duration("1d").count(), 86400);
  for (const char* bad : {"", "10", "min", "1.5h", "-1s", "10 minutes", "2^63d"}) {
    EXPECT_THROW(parse_duration(bad), Error) << bad;
  }
  const auto seconds = [](std::string_view text) {
    return static_cast<std::uint64_t>(parse_duration(text).count());
  };
  for (const char* bad : {"0.5s", "300ms", "10"}) {
    EXPECT_THAT(complaint(bad, seconds),
                HasSubstr("is not a whole number of seconds, minutes, hours or days; write it as"));
  }
}

}  // namespace
}  // namespace grundy
