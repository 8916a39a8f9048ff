// SPDX-License-Identifier: MIT
#include "core/digest.hpp"

#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

/// v[i] = (i^2 + 3i) mod m.
template <class T>
std::vector<T> sample(std::uint64_t count, std::uint64_t m) {
  std::vector<T> values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(static_cast<T>((i * i + 3 * i) % m));
  return values;
}

template <class T>
std::string digest_of(const std::vector<T>& values) {
  ValueDigest digest;
  digest.update(Values(std::span<const T>(values)));
  return to_hex(digest.value());
}

/// Expected: `xxhsum -H2` (0.8.1) of the sample written as 32-bit little-endian integers.
TEST(ValueDigest, IsWhatXxhsumPrints) {
  const auto u8 = [](std::uint64_t count) { return digest_of(sample<std::uint8_t>(count, 251)); };
  EXPECT_EQ(u8(0), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(u8(1), "2a33816ed7e0c373dbe563c737220b65");
  EXPECT_EQ(u8(5), "d56fd02140d6fbaf9fdf13613edce6b0");
  EXPECT_EQ(u8(100), "be584c210308b23f5ac7ad6b145745c6");
  EXPECT_EQ(u8(5000), "68708241062db761c54629277e69863c");
  EXPECT_EQ(digest_of(sample<std::uint16_t>(5000, 60000)), "cddadfdd74a434c001b1ce5f027ad2e3");
  EXPECT_EQ(digest_of(sample<std::uint32_t>(5000, 4000000000)), "b6adf2585f099200c62f4163abe6fc49");
}

TEST(ValueDigest, IgnoresTheStoredWidth) {
  const auto expected = digest_of(sample<std::uint8_t>(9000, 255));
  EXPECT_EQ(digest_of(sample<std::uint16_t>(9000, 255)), expected);
  EXPECT_EQ(digest_of(sample<std::uint32_t>(9000, 255)), expected);
}

RC_GTEST_PROP(ValueDigest, IgnoresHowTheValuesArrive, ()) {
  const auto values = sample<std::uint16_t>(6000, 40000);
  const std::span<const std::uint16_t> all(values);
  const auto cut = *rc::gen::inRange<std::size_t>(0, all.size() + 1);
  ValueDigest digest;
  digest.update(all.first(cut));
  static_cast<void>(digest.value());  // asking in between changes nothing
  digest.update(all.subspan(cut));
  RC_ASSERT(to_hex(digest.value()) == digest_of(values));
}

TEST(ValueDigest, SeesOneChangedValue) {
  auto values = sample<std::uint8_t>(3000, 251);
  const auto before = digest_of(values);
  values[2999] ^= 1;
  EXPECT_NE(digest_of(values), before);
}

/// Expected: `xxhsum -H3` (0.8.1).
TEST(Hash64, IsWhatXxhsumPrints) {
  EXPECT_EQ(hash64({}), 0x2d06800538d394c2u);
  EXPECT_EQ(hash64(std::as_bytes(std::span("grundy", 6))), 0x573a9fab77826631u);
}

TEST(DigestText, RoundTrip) {
  const Digest128 digest = {0x00, 0x0f, 0xf0, 0xff, 0x12, 0x34, 0x56, 0x78,
                            0x9a, 0xbc, 0xde, 0xf0, 0x01, 0x02, 0x03, 0x80};
  EXPECT_EQ(to_hex(digest), "000ff0ff123456789abcdef001020380");
  EXPECT_EQ(digest_from_hex(to_hex(digest)), digest);
}

TEST(DigestText, RefusesAnythingElse) {
  for (const std::string bad :
       {"", "00ff0ff123456789abcdef001020380", "000ff0ff123456789abcdef0010203800",
        "g00ff0ff123456789abcdef001020380", "000FF0FF123456789ABCDEF001020380",
        "00ff0ff123456789abcdef001020380 "}) {
    try {
      static_cast<void>(digest_from_hex(bad));
      ADD_FAILURE() << "accepted '" << bad << "'";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    }
  }
}

}  // namespace
}  // namespace grundy
