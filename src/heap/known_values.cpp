// SPDX-License-Identifier: MIT
#include "heap/known_values.hpp"

#include <algorithm>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

class Loader final : public BlockSink {
 public:
  explicit Loader(ValueBuffer& table) : table_(table) {}

  Flow put(const Block& block) override {
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
  table.reserve(task.known->count());
  Loader loader(table);
  task.known->replay(loader);
  return loader.largest_value();
}

}  // namespace grundy
