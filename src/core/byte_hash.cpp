// SPDX-License-Identifier: MIT
#include "core/byte_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace grundy {

struct ByteHash::State {
  XXH3_state_t xxh;
};

ByteHash::ByteHash() : state_(std::make_unique<State>()) {
  reset();
}
ByteHash::~ByteHash() = default;
ByteHash::ByteHash(ByteHash&&) noexcept = default;
ByteHash& ByteHash::operator=(ByteHash&&) noexcept = default;

void ByteHash::update(std::span<const std::byte> bytes) noexcept {
  XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t ByteHash::value() const noexcept {
  return XXH3_64bits_digest(&state_->xxh);
}

void ByteHash::reset() noexcept {
  XXH3_64bits_reset(&state_->xxh);
}

}  // namespace grundy
