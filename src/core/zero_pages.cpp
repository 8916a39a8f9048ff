// SPDX-License-Identifier: MIT
#include "core/zero_pages.hpp"

#include <limits>
#include <string>

#include <sys/mman.h>

#include <grundy/error.hpp>

#include "core/text.hpp"

namespace grundy {

ZeroPages::ZeroPages(std::uint64_t bytes, std::string_view what) {
  if (bytes == 0) return;
  void* const at = bytes > std::numeric_limits<std::size_t>::max()
                       ? MAP_FAILED
                       : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    throw Error(ErrorCode::kFailure, "there is no memory for " + std::string(what) +
                                         ", which need " + format_bytes(bytes));
  }
  madvise(at, bytes, MADV_HUGEPAGE);
  at_ = at;
  size_ = bytes;
}

ZeroPages::~ZeroPages() {
  if (at_ != nullptr) munmap(at_, size_);
}

}  // namespace grundy
