// SPDX-License-Identifier: MIT
#include "engines/heap/known_values.hpp"

#include <algorithm>

#include <grundy/machine.hpp>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

/// Values whose memory one thread asks for at a time.
constexpr HeapSize kPiece = HeapSize{1} << 24;

class Loader final : public ValueSink {
 public:
  explicit Loader(ValueBuffer& table) : table_(table) {}

  Flow put(const Stretch& block) override {
    largest_ = std::max(largest_, largest_of(block.values));
    table_.append(block.values);
    return Flow::kContinue;
  }
  [[nodiscard]] Nimber largest_value() const noexcept { return largest_; }

 private:
  ValueBuffer& table_;
  Nimber largest_ = 0;
};

}  // namespace

Nimber load_known_values(const HeapTask& task, ValueBuffer& table) {
  if (task.known == nullptr) return 0;
  const HeapSize count = task.known->count();
  table.reserve(count);
  // In virtual machines the first touch of memory takes seconds a gigabyte, more than all else.
  task.executor.parallel_for((count + kPiece - 1) / kPiece, [&](std::size_t i) {
    table.populate(i * kPiece, std::min(count, (i + 1) * kPiece));
  });
  Loader loader(table);
  task.known->replay(loader);
  return loader.largest_value();
}

}  // namespace grundy
