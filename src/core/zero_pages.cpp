// SPDX-License-Identifier: MIT
#include "core/zero_pages.hpp"

#include <limits>
#include <string>

#include <sys/mman.h>

#include <grundy/error.hpp>

#include "core/mapping.hpp"
#include "core/text.hpp"

namespace grundy {

ZeroPages::ZeroPages(std::uint64_t bytes, std::string_view what) {
  if (bytes > 0) grow(bytes, what);
}

ZeroPages::~ZeroPages() {
  if (at_ != nullptr) munmap(at_, size_);
}

void ZeroPages::grow(std::uint64_t bytes, std::string_view what) {
  void* at = nullptr;
  if (bytes <= std::numeric_limits<std::size_t>::max() / 2) {
    at = at_ == nullptr ? new_mapping(bytes) : larger_mapping(at_, size_, bytes);
  }
  if (at == nullptr) {
    throw Error(ErrorCode::kFailure, "there is no memory for " + std::string(what) +
                                         ", which need " + format_bytes(bytes));
  }
  at_ = at;
  size_ = bytes;
}

}  // namespace grundy
