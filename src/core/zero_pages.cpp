// SPDX-License-Identifier: MIT
#include "core/zero_pages.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

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

std::uint64_t ZeroPages::bytes_in_memory() const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((size_ + page - 1) / page);
  if (size_ > 0 && ::mincore(at_, size_, pages.data()) != 0) {
    throw Error(ErrorCode::kFailure, "the system does not tell which pages are in memory");
  }
  const auto is_there = [](unsigned char state) { return (state & 1u) != 0; };
  return page * static_cast<std::uint64_t>(std::ranges::count_if(pages, is_there));
}

}  // namespace grundy
