/// @file
/// What subjects of heap games and of lattice games have in common: a store of values in one order.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/value_buffer.hpp"
#include "verify/stored_table.hpp"
#include "verify/subject.hpp"

namespace grundy {

class TableSubject : public Subject {
 public:
  [[nodiscard]] const char* unit() const noexcept final { return table_->unit(); }
  [[nodiscard]] std::uint64_t value_bytes() const noexcept final {
    return byte_count(table_->width());
  }
  bool load(HeapSize keep) final;
  [[nodiscard]] std::vector<HeapSize> conspicuous() const final;

 protected:
  TableSubject(const Work& work, std::unique_ptr<StoredTable> table);

  [[nodiscard]] HeapSize count() const noexcept { return info_.stats.count; }
  [[nodiscard]] const StoredTable& table() const noexcept { return *table_; }
  /// The values that load() has kept.
  [[nodiscard]] StoredValues stored() const noexcept {
    return {kept_.values(), info_.stats.max_value};
  }

  const Work& work_;

 private:
  std::unique_ptr<StoredTable> table_;
  ValueBuffer kept_;
};

}  // namespace grundy
