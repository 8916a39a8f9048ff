/// @file
/// The sink for the values of a measured run.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/sink.hpp>

#include "core/digest.hpp"

namespace grundy {

/// Keeps a digest, by which runs are compared.
class DigestSink final : public ValueSink {
 public:
  Flow put(const Stretch& block) override {
    digest_.update(block.values);
    width_ = block.values.width();
    return Flow::kContinue;
  }
  [[nodiscard]] std::string hex() const { return to_hex(digest_.value()); }
  /// The width of the last block.
  [[nodiscard]] ValueWidth width() const noexcept { return width_; }

 private:
  ValueDigest digest_;
  ValueWidth width_ = ValueWidth::kU8;
};

}  // namespace grundy
