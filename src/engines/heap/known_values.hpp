/// @file
/// The table that a run begins with: the values that are already known.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

#include "core/value_buffer.hpp"

namespace grundy {

/// Known values that are held in memory.
class HeldValues final : public KnownValues {
 public:
  /// Copies the values. @pre values.size() is a multiple of kUnit
  explicit HeldValues(Values values) { values_.append(values); }
  [[nodiscard]] HeapSize count() const noexcept override { return values_.size(); }
  void replay(ValueSink& sink) const override { sink.put({0, values_.values(), {}}); }

 private:
  ValueBuffer values_;
};

/// Appends the known values of the task, if there are any, to the empty `table`. Returns the
/// largest value; 0 if there are none.
Nimber load_known_values(const HeapTask& task, ValueBuffer& table);

}  // namespace grundy
