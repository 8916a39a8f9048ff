// SPDX-License-Identifier: MIT
#include "core/value_buffer.hpp"

#include <limits>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

TEST(ValueBuffer, StartsEmpty) {
  const ValueBuffer buffer;
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_EQ(buffer.width(), ValueWidth::kU8);
  EXPECT_TRUE(buffer.values().empty());
}

TEST(ValueBuffer, GrowingKeepsValuesAndReadsZeroBehind) {
  ValueBuffer buffer;
  for (HeapSize count = 1; count < 3'000'000; count = count * 3 / 2 + 1) {
    const HeapSize before = buffer.size();
    buffer.resize(count);
    ASSERT_EQ(buffer.size(), count);
    for (HeapSize i = before; i < count; ++i) {
      ASSERT_EQ(buffer.values()[i], 0u) << i;
      buffer.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 251 + 1);
    }
  }
  for (HeapSize i = 0; i < buffer.size(); ++i) ASSERT_EQ(buffer.values()[i], i % 251 + 1);
}

TEST(ValueBuffer, ReserveMakesRoomOnly) {
  ValueBuffer buffer;
  buffer.resize(10);
  buffer.reserve(1'000'000);
  EXPECT_EQ(buffer.size(), 10u);
  const auto* before = buffer.data<std::uint8_t>();
  buffer.resize(1'000'000);
  EXPECT_EQ(buffer.data<std::uint8_t>(), before);  // pointers stay valid within the reserve
}

TEST(ValueBuffer, ResizeNeverShrinks) {
  ValueBuffer buffer;
  buffer.resize(100);
  buffer.resize(5);
  EXPECT_EQ(buffer.size(), 100u);
}

TEST(ValueBuffer, PromotionKeepsEveryValue) {
  ValueBuffer buffer;
  constexpr HeapSize kCount = 100'000;
  buffer.resize(kCount);
  for (HeapSize i = 0; i < kCount; ++i) {
    buffer.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 255);
  }
  for (const ValueWidth width : {ValueWidth::kU16, ValueWidth::kU32}) {
    buffer.promote(width);
    ASSERT_EQ(buffer.width(), width);
    ASSERT_EQ(buffer.size(), kCount);
    HeapSize i = 0;
    for (const Nimber value : buffer.values()) ASSERT_EQ(value, i++ % 255);
    ASSERT_EQ(i, kCount);
  }
  buffer.data<std::uint32_t>()[kCount - 1] = largest_value(ValueWidth::kU32);
  buffer.resize(10 * kCount);
  EXPECT_EQ(buffer.values()[kCount - 1], 4294967294u);
  EXPECT_EQ(buffer.values()[10 * kCount - 1], 0u);
}

TEST(ValueBuffer, SkipsAWidth) {
  ValueBuffer buffer;
  buffer.resize(3);
  buffer.data<std::uint8_t>()[2] = 254;
  buffer.promote(ValueWidth::kU32);
  EXPECT_EQ(buffer.width(), ValueWidth::kU32);
  EXPECT_EQ(buffer.values()[2], 254u);
}

TEST(ValueBuffer, PromotesEmpty) {
  ValueBuffer buffer;
  buffer.promote(ValueWidth::kU16);
  EXPECT_EQ(buffer.size(), 0u);
  buffer.resize(4);
  EXPECT_EQ(buffer.values()[3], 0u);
}

/// Vector loads may read kPadding bytes around the reserved values at every width and size.
TEST(ValueBuffer, PaddingIsReadable) {
  for (const HeapSize count : {HeapSize{1}, HeapSize{4095}, HeapSize{57344}, HeapSize{100'000}}) {
    ValueBuffer buffer;
    buffer.resize(count);
    buffer.promote(ValueWidth::kU16);
    const auto* const first = static_cast<const std::byte*>(buffer.values().data());
    const auto* const end = first + 2 * count;
    EXPECT_EQ(first[-static_cast<std::ptrdiff_t>(ValueBuffer::kPadding)], std::byte{0});
    EXPECT_EQ(end[ValueBuffer::kPadding - 1], std::byte{0});
  }
}

TEST(ValueBuffer, ReportsImpossibleSizes) {
  ValueBuffer buffer;
  buffer.resize(7);
  for (const HeapSize count : {HeapSize{1} << 60, std::numeric_limits<HeapSize>::max()}) {
    try {
      buffer.resize(count);
      ADD_FAILURE() << "made room for " << count;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFailure);
    }
  }
  EXPECT_EQ(buffer.size(), 7u);  // as it was
  EXPECT_EQ(buffer.values()[6], 0u);
}

}  // namespace
}  // namespace grundy
