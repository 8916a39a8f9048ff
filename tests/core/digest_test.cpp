// SPDX-License-Identifier: MIT
#include "core/digest.hpp"

#include <algorithm>
#include <random>
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

template <class Digest = ValueDigest, class T>
std::string digest_of(const std::vector<T>& values) {
  Digest digest;
  digest.update(Values(std::span<const T>(values)));
  return to_hex(digest.value());
}

template <class Digest>
class AnyDigest : public testing::Test {};
using Digests = testing::Types<SequentialDigest, ValueDigest>;
TYPED_TEST_SUITE(AnyDigest, Digests);

/// Expected: `xxhsum -H2` (0.8.1) of the sample written as 32-bit little-endian integers.
TYPED_TEST(AnyDigest, IsWhatXxhsumPrints) {
  const auto u8 = [](std::uint64_t count) {
    return digest_of<TypeParam>(sample<std::uint8_t>(count, 251));
  };
  EXPECT_EQ(u8(0), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(u8(1), "2a33816ed7e0c373dbe563c737220b65");
  EXPECT_EQ(u8(5), "d56fd02140d6fbaf9fdf13613edce6b0");
  EXPECT_EQ(u8(100), "be584c210308b23f5ac7ad6b145745c6");
  EXPECT_EQ(u8(5000), "68708241062db761c54629277e69863c");
  EXPECT_EQ(digest_of<TypeParam>(sample<std::uint16_t>(5000, 60000)),
            "cddadfdd74a434c001b1ce5f027ad2e3");
  EXPECT_EQ(digest_of<TypeParam>(sample<std::uint32_t>(5000, 4000000000)),
            "b6adf2585f099200c62f4163abe6fc49");
}

/// Expected: XXH3_128bits() of libxxhash 0.8.1, called from a Python program that follows the
/// definition: all values in one piece, and section by section.
TEST(Sections, AreDigestedOneByOne) {
  struct Row {
    std::uint64_t count;
    const char* sequential;
    const char* of_sections;
  };
  const Row rows[] = {
      {kDigestSection, "f5d58c8c2d1df9178a09260bd4f083fb", "f5d58c8c2d1df9178a09260bd4f083fb"},
      {kDigestSection + 1, "ab6dc59fd5d22e873ed0fdd11b6b0891", "8dee7d5c94fe58f82e4a52e50dc5dedb"},
      {2 * kDigestSection, "81d92e17f070775ba9508a82b001abb7", "9dc64c7676250dbcf6fda0a5237e63cb"},
      {2 * kDigestSection + 12345, "256ea8e3dad41a22bc8f7a6595fb183f",
       "c1dde3112d9c8a136b6fce7d69c9d267"},
      {3 * kDigestSection, "8ecab51c9842798a747e95812b506e03", "34507c4f363d675ca29e0f609fcfb091"},
  };
  for (const Row& row : rows) {
    const auto values = sample<std::uint8_t>(row.count, 251);
    EXPECT_EQ(digest_of<SequentialDigest>(values), row.sequential) << row.count;
    EXPECT_EQ(digest_of(values), row.of_sections) << row.count;
  }
}

/// At two thousand places, borders of sections and their neighbours among them, a digest is resumed
/// and goes on to the next place. One pass over all values gives the right digest there.
TEST(ValueDigest, IsTakenUpAnywhere) {
  const auto all = sample<std::uint8_t>(3 * kDigestSection + 777, 249);
  const std::span<const std::uint8_t> values(all);
  std::vector<std::uint64_t> places = {0, 1, values.size()};
  for (std::uint64_t border = kDigestSection; border < values.size(); border += kDigestSection) {
    places.insert(places.end(), {border - 1, border, border + 1});
  }
  std::mt19937_64 random(20);
  while (places.size() < 2000) places.push_back(random() % values.size());
  std::ranges::sort(places);

  ValueDigest one_pass;
  std::vector<Digest128> right, whole;
  for (std::uint64_t at = 0; const std::uint64_t place : places) {
    one_pass.update(values.subspan(at, place - at));
    right.push_back(one_pass.value());
    whole.push_back(one_pass.whole_sections());
    at = place;
  }
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const std::uint64_t size = places[i] % kDigestSection;
    ValueDigest digest =
        ValueDigest::resume(places[i], whole[i], values.subspan(places[i] - size, size));
    ASSERT_EQ(digest.value(), right[i]) << places[i];
    ASSERT_EQ(digest.whole_sections(), whole[i]) << places[i];
    digest.update(values.subspan(places[i], places[i + 1] - places[i]));
    ASSERT_EQ(digest.value(), right[i + 1]) << places[i + 1];
    ASSERT_EQ(digest.whole_sections(), whole[i + 1]) << places[i + 1];
  }
}

TEST(ValueDigest, IsTakenUpWithTheValuesBehindItsWholeSectionsOnly) {
  const auto values = sample<std::uint8_t>(5, 251);
  EXPECT_THROW(ValueDigest::resume(kDigestSection + 6, {}, std::span<const std::uint8_t>(values)),
               Error);
  EXPECT_THROW(ValueDigest::resume(kDigestSection, {}, std::span<const std::uint8_t>(values)),
               Error);
  EXPECT_NO_THROW(
      ValueDigest::resume(kDigestSection + 5, {}, std::span<const std::uint8_t>(values)));
}

TYPED_TEST(AnyDigest, IgnoresTheStoredWidth) {
  const auto expected = digest_of<TypeParam>(sample<std::uint8_t>(9000, 255));
  EXPECT_EQ(digest_of<TypeParam>(sample<std::uint16_t>(9000, 255)), expected);
  EXPECT_EQ(digest_of<TypeParam>(sample<std::uint32_t>(9000, 255)), expected);
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

TYPED_TEST(AnyDigest, SeesOneChangedValue) {
  auto values = sample<std::uint8_t>(3000, 251);
  const auto before = digest_of<TypeParam>(values);
  values[2999] ^= 1;
  EXPECT_NE(digest_of<TypeParam>(values), before);
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
