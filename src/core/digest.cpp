// SPDX-License-Identifier: MIT
#include "core/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <istream>
#include <vector>

#include <fmt/format.h>

#define XXH_STATIC_LINKING_ONLY  // the size of a state
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>  // with the vectors of the processor at hand
#else
#include <xxhash.h>
#endif

#include <grundy/error.hpp>

namespace grundy {

static_assert(std::endian::native == std::endian::little,
              "digests and files are defined on little-endian bytes");

struct SequentialDigest::State {
  XXH3_state_t xxh;
};

SequentialDigest::SequentialDigest() : state_(std::make_unique<State>()) {
  reset();
}
SequentialDigest::~SequentialDigest() = default;
SequentialDigest::SequentialDigest(SequentialDigest&&) noexcept = default;
SequentialDigest& SequentialDigest::operator=(SequentialDigest&&) noexcept = default;

void SequentialDigest::reset() noexcept {
  XXH3_128bits_reset(&state_->xxh);
}

void SequentialDigest::update(Values values) noexcept {
  values.visit([this](auto span) {
    using T = typename decltype(span)::value_type;
    if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
      XXH3_128bits_update(&state_->xxh, span.data(), span.size_bytes());
    } else {
      // Widen through a buffer that stays in the first-level cache.
      std::array<std::uint32_t, 2048> wide;
      for (std::size_t at = 0; at < span.size(); at += wide.size()) {
        const std::size_t n = std::min(wide.size(), span.size() - at);
        std::copy_n(span.begin() + static_cast<std::ptrdiff_t>(at), n, wide.begin());
        XXH3_128bits_update(&state_->xxh, wide.data(), n * sizeof(std::uint32_t));
      }
    }
  });
}

void SequentialDigest::update(std::span<const std::byte> bytes) noexcept {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

namespace {

Digest128 canonical(const XXH128_hash_t& hash) noexcept {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  Digest128 out;
  std::copy_n(bytes.digest, out.size(), out.begin());
  return out;
}

/// The digest of some sections and of the next one.
Digest128 chained(const Digest128& sections, const Digest128& next) noexcept {
  const std::array<Digest128, 2> both = {sections, next};
  return hash128(std::as_bytes(std::span(both)));
}

}  // namespace

Digest128 SequentialDigest::value() const noexcept {
  return canonical(XXH3_128bits_digest(&state_->xxh));
}

struct ByteHash::State {
  XXH3_state_t xxh;
};

ByteHash::ByteHash() : state_(std::make_unique<State>()) {
  reset();
}
ByteHash::~ByteHash() = default;
ByteHash::ByteHash(ByteHash&&) noexcept = default;
ByteHash& ByteHash::operator=(ByteHash&&) noexcept = default;

void ByteHash::reset() noexcept {
  XXH3_64bits_reset(&state_->xxh);
}

void ByteHash::update(std::span<const std::byte> bytes) noexcept {
  XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t ByteHash::value() const noexcept {
  return XXH3_64bits_digest(&state_->xxh);
}

ValueDigest ValueDigest::resume(std::uint64_t count, const Digest128& whole_sections,
                                Values unfinished) {
  if (unfinished.size() != count % kDigestSection) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("a digest of {} values was to go on behind {} values of its last "
                            "section, where {} are right",
                            count, unfinished.size(), count % kDigestSection));
  }
  ValueDigest digest;
  digest.count_ = count;
  if (count >= kDigestSection) digest.whole_sections_ = whole_sections;
  digest.unfinished_.update(unfinished);
  return digest;
}

void ValueDigest::update(Values values) noexcept {
  while (!values.empty()) {
    const std::uint64_t room = kDigestSection - count_ % kDigestSection;
    const std::size_t size = std::min<std::uint64_t>(values.size(), room);
    unfinished_.update(values.subspan(0, size));
    if (size == room) {
      whole_sections_ = with_section(unfinished_.value());
      unfinished_.reset();
    }
    count_ += size;
    values = values.subspan(size);
  }
}

Digest128 ValueDigest::value() const noexcept {
  if (count_ > 0 && count_ % kDigestSection == 0) return whole_sections_;
  return with_section(unfinished_.value());
}

Digest128 ValueDigest::with_section(const Digest128& section) const noexcept {
  return count_ < kDigestSection ? section : chained(whole_sections_, section);
}

Digest128 digest_of_sections(std::span<const Digest128> sections) noexcept {
  Digest128 total = sections.front();
  for (const Digest128& section : sections.subspan(1)) total = chained(total, section);
  return total;
}

Digest128 rows_digest(std::span<const std::uint64_t> keys, std::span<const Nimber> values,
                      std::span<const Nimber> misere) noexcept {
  SequentialDigest digest;
  digest.update({keys.data(), 2 * keys.size(), ValueWidth::kU32});
  digest.update(Values(values));
  digest.update(Values(misere));
  return digest.value();
}

std::uint64_t hash64(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t hash64(std::istream& in, std::uint64_t count) {
  ByteHash hash;
  std::vector<char> piece(std::min<std::uint64_t>(count, 1 << 20));
  for (std::uint64_t left = count; left > 0;) {
    const std::uint64_t size = std::min<std::uint64_t>(left, piece.size());
    if (!in.read(piece.data(), static_cast<std::streamsize>(size))) break;
    hash.update(std::as_bytes(std::span(piece).first(size)));
    left -= size;
  }
  return hash.value();
}

Digest128 hash128(std::span<const std::byte> bytes) noexcept {
  return canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string to_hex(const Digest128& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Digest128 digest_from_hex(std::string_view text) {
  Digest128 digest;
  const auto nibble = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  bool good = text.size() == 2 * digest.size();
  for (std::size_t i = 0; good && i < digest.size(); ++i) {
    const int high = nibble(text[2 * i]);
    const int low = nibble(text[2 * i + 1]);
    good = high >= 0 && low >= 0;
    digest[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  if (!good) {
    throw Error(ErrorCode::kCorrupt,
                "a digest is 32 hexadecimal digits, not '" + std::string(text) + "'");
  }
  return digest;
}

}  // namespace grundy
