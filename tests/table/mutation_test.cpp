// Ten thousand damaged files of tables: mutated by bits, bytes, runs, swaps, splices and cuts. The
// reader refuses each as damaged or reads exactly what was written; it never crashes. Should also
// be run under AddressSanitizer (preset asan-ubsan).
// SPDX-License-Identifier: MIT
#include <array>

#include <gtest/gtest.h>

#include "table/content.hpp"

namespace grundy::store_test {
namespace {

constexpr int kMutants = 10000;

class Mutator {
 public:
  Mutator(std::string original, std::string other, unsigned seed)
      : original_(std::move(original)), other_(std::move(other)), random_(seed) {}

  /// A mutant, which may happen to equal the original.
  std::string next() {
    std::string bytes = original_;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) mutate(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  /// Anywhere, or in one of the two dense places: the head of the file and its metadata.
  std::size_t place(const std::string& bytes) {
    const std::size_t dense = std::min<std::size_t>(bytes.size(), 1500);
    switch (below(3)) {
      case 0:
        return below(dense);
      case 1:
        return bytes.size() - std::min(bytes.size(), 1 + below(4 * dense));
      default:
        return below(bytes.size());
    }
  }

  void mutate(std::string& bytes) {
    if (bytes.empty()) return;
    const std::size_t at = place(bytes);
    const std::size_t length = std::min(1 + below(64), bytes.size() - at);
    switch (below(8)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random_());
        break;
      case 2:  // a number that is too large, or a very small one
        bytes.replace(at, length, length, below(2) == 0 ? '\xff' : '\0');
        break;
      case 3:
        std::rotate(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    bytes.begin() + static_cast<std::ptrdiff_t>(at + length / 2),
                    bytes.begin() + static_cast<std::ptrdiff_t>(at + length));
        break;
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(at, bytes.substr(place(bytes), length));
        break;
      case 6: {  // a part of another table
        const std::size_t from = below(other_.size());
        bytes.replace(at, length, other_.substr(from, length));
        break;
      }
      default:
        bytes.resize(at);
    }
  }

  std::string original_;
  std::string other_;
  std::mt19937 random_;
};

TEST(Mutants, AreRefusedOrReadAsWritten) {
  const TemporaryDirectory dir;
  write_table(dir / "a.h5", random_values(3000, 250, 1), {.chunk_size = 512, .reproducible = true});
  write_table(dir / "b.h5", random_values(3000, 999, 2), {.chunk_size = 512, .reproducible = true});
  const Content content = *try_read(dir / "a.h5");
  Mutator mutator(bytes_of(dir / "a.h5"), bytes_of(dir / "b.h5"), 2026);
  int refused = 0;
  for (int i = 0; i < kMutants; ++i) {
    write_bytes(dir / "m.h5", mutator.next());
    const auto seen = try_read(dir / "m.h5");
    if (!seen) {
      ++refused;
    } else {
      ASSERT_EQ(*seen, content) << "mutant " << i;
    }
  }
  RecordProperty("refused", refused);
  EXPECT_GT(refused, kMutants / 2);
}

}  // namespace
}  // namespace grundy::store_test
