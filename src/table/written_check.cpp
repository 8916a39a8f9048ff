// SPDX-License-Identifier: MIT
#include "table/written_check.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/digest.hpp"
#include "table/huffman_deflate.hpp"

namespace grundy {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

constexpr std::uint64_t reduce(Wide x) noexcept {
  // Modulo p, 2^61 is 1, so the upper bits are added to the lower ones, twice.
  const Wide once = (x & kPrime) + (x >> 61);
  const auto twice = static_cast<std::uint64_t>((once & kPrime) + (once >> 61));
  return twice >= kPrime ? twice - kPrime : twice;
}

constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  return reduce(Wide{a} * b);
}

/// Number `i` of a family of random numbers from 1 .. p - 1.
constexpr std::uint64_t random_number(unsigned family, std::uint64_t i) noexcept {
  return 1 + scrambled(i * 0x9e3779b97f4a7c15 + (std::uint64_t{family} << 56)) % (kPrime - 1);
}

constexpr std::uint64_t reduce(const WeighedSum& sum) noexcept {
  // Nothing is lost: 256 products of 61 and 32 bits have 101 bits.
  return reduce(sum.low + (Wide{sum.middle} << 32) + (Wide{sum.high} << 64));
}

}  // namespace

WrittenCheck::WrittenCheck(const Layout& layout, bool sorted_tiles)
    : layout_(layout), scatter_(layout, sorted_tiles, *this) {
  constexpr std::uint64_t kMostParts = 1u << 16;
  extent_ = layout.sorted ? layout.positions() : layout.extent[0];
  heap_axes_ = layout.sorted ? 1 : layout.heaps;
  part_ = kLow * (1 + extent_ / (kLow * kMostParts));
  sums_.resize((extent_ - 1) / part_ + 1);
  for (unsigned axis = 0; axis < low_.size(); ++axis) {
    for (std::uint64_t i = 0; i < kLow; ++i) low_[axis][i] = random_number(2 * axis, i);
  }
}

std::uint64_t WrittenCheck::weight(unsigned axis, std::uint64_t at) const noexcept {
  return product(low_[axis][at % kLow], random_number(2 * axis + 1, at / kLow));
}

void WrittenCheck::put(ChunkGrid::Axes at, unsigned axis, Values values) {
  const std::uint64_t planes = layout_.planes;
  std::uint64_t others = 1;
  for (unsigned i = 0; i < heap_axes_; ++i) {
    if (i != axis) others = product(others, weight(i, at[i]));
  }
  while (!values.empty()) {
    const std::uint64_t low = at[axis] % kLow;
    const std::uint64_t places = std::min(kLow - low, values.size() / planes);
    const Values part = values.subspan(0, places * planes);
    std::uint64_t sum = 0;
    part.visit([&](auto run) {
      for (std::uint64_t plane = 0; plane < planes; ++plane) {
        const std::uint64_t of_plane =
            reduce(table_kernels().of<typename decltype(run)::value_type>().weigh(
                &low_[axis][low], run.data() + plane, planes, places));
        sum += planes == 1 ? of_plane : product(of_plane, weight(heap_axes_, plane));
      }
    });
    const std::uint64_t rest = product(others, random_number(2 * axis + 1, at[axis] / kLow));
    std::uint64_t& total = sums_[at[0] / part_];
    total = reduce(total + Wide{rest} * sum);
    at[axis] += places;
    values = values.subspan(part.size());
  }
}

std::string WrittenCheck::to_bytes() const {
  return {reinterpret_cast<const char*>(sums_.data()), sums_.size() * sizeof sums_.front()};
}

void WrittenCheck::add(std::string_view bytes) {
  if (bytes.size() != sums_.size() * sizeof sums_.front()) {
    throw Error(ErrorCode::kFailure, "a rank sent sums of another table");
  }
  for (std::uint64_t& sum : sums_) {
    std::uint64_t other = 0;
    std::memcpy(&other, bytes.data(), sizeof other);
    bytes.remove_prefix(sizeof other);
    sum = reduce(Wide{sum} + other);
  }
}

std::optional<WrittenCheck::Part> WrittenCheck::difference(const WrittenCheck& other) const {
  const auto at = std::ranges::mismatch(sums_, other.sums_).in1 - sums_.begin();
  if (static_cast<std::size_t>(at) == sums_.size()) return std::nullopt;
  const std::uint64_t first = static_cast<std::uint64_t>(at) * part_;
  return Part{first, std::min(first + part_, extent_) - 1};
}

void WrittenCheck::compare(const WrittenCheck& read, const std::filesystem::path& table) const {
  const auto wrong = difference(read);
  if (!wrong) return;
  throw Error(
      ErrorCode::kFailure,
      fmt::format("'{}' was not written: the positions {} {} to {} do not read back as they "
                  "were computed; values have changed in memory, so do not trust this "
                  "machine before {}",
                  table.string(), layout_.sorted ? "of ranks" : "whose first heap has",
                  wrong->first, wrong->last, kLongTest));
}

}  // namespace grundy
