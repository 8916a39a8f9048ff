/// @file
/// A sink that keeps all values.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/sink.hpp>

namespace grundy {

class ValueCollector final : public ValueSink {
 public:
  Flow put(const Stretch& block) override {
    block.values.visit([this](auto run) { values.insert(values.end(), run.begin(), run.end()); });
    return Flow::kContinue;
  }

  std::vector<Nimber> values;
};

}  // namespace grundy
