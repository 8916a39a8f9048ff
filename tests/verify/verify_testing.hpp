/// @file
/// Tables for the tests of verification: right ones from the reference engine, and wrong ones made
/// from them. Everything in a file except the values themselves is consistent.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/period.hpp>
#include <grundy/verify.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/heap_testing.hpp"
#include "engines/heap/reference_engine.hpp"
#include "table/table_samples.hpp"
#include "verify/prover.hpp"

namespace grundy::verify_test {

using store_test::TemporaryDirectory;

/// A random number below `limit`.
inline unsigned draw(std::mt19937& random, unsigned limit) {
  return static_cast<unsigned>(random() % limit);
}

inline std::vector<Nimber> reference_values(const HeapRule& rule, HeapSize count) {
  return testing_support::values_by(ReferenceEngine(), rule, count);
}

/// Values as a prover wants them: padded, at a width of one's choice.
class Stored {
 public:
  explicit Stored(const std::vector<Nimber>& values, ValueWidth least = ValueWidth::kU8) {
    for (const Nimber v : values) largest_ = std::max(largest_, v);
    const ValueWidth width = std::max(least, width_for(largest_));
    if (width > buffer_.width()) buffer_.promote(width);
    buffer_.resize(values.size());
    for (HeapSize n = 0; n < values.size(); ++n) set(n, values[n]);
  }
  [[nodiscard]] StoredValues get() const { return {buffer_.values(), largest_}; }

 private:
  void set(HeapSize n, Nimber value) {
    buffer_.values().visit(
        [&]<class T>(std::span<const T>) { buffer_.data<T>()[n] = static_cast<T>(value); });
  }

  ValueBuffer buffer_;
  Nimber largest_ = 0;
};

/// Metadata of a table of a rule that tell the truth about the values, whatever they are.
inline TableInfo true_info(const HeapRule& rule, const std::vector<Nimber>& values) {
  TableInfo info = store_test::info_of(values);
  info.game = info.title = info.canonical = rule.canonical();
  info.description = rule.describe();
  info.engine = "dense";
  return info;
}

/// Writes a table; `change` may falsify its metadata.
inline void write(const std::filesystem::path& path, const HeapRule& rule,
                  const std::vector<Nimber>& values,
                  const std::function<void(TableInfo&)>& change = {}, HeapSize chunk = 256) {
  const auto executor = make_executor(1, "threads");
  const auto writer = TableWriter::create(path, Layout::of_heaps(values.size()), *executor,
                                          {.chunk_size = chunk, .reproducible = true});
  store_test::put_all(*writer, values);
  TableInfo info = true_info(rule, values);
  if (change) change(info);
  writer->finish(info);
}

}  // namespace grundy::verify_test
