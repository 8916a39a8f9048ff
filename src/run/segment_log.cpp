// SPDX-License-Identifier: MIT
#include "run/segment_log.hpp"

#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"

namespace grundy {

SegmentLog::SegmentLog(RunDirectory& directory, const CheckpointInterval& interval,
                       std::string engine, std::string kernel, CheckpointControl* control)
    : directory_(directory),
      interval_(interval),
      control_(control),
      end_(directory.frontier()),
      covered_(end_) {
  for (const Segment& segment : directory_.segments()) sealed_.push_back(segment.header);
  next_.index = sealed_.size();
  next_.fingerprint = fingerprint_of(directory_.record()->identity());
  next_.engine = std::move(engine);
  next_.kernel = std::move(kernel);
  if (control_ != nullptr) control_->set_sealed(end_);
}

SegmentLog::~SegmentLog() {
  if (pending_.valid()) pending_.wait();
}

bool SegmentLog::due() const {
  return unsealed_time() >= interval_.time || (control_ != nullptr && control_->take_request());
}

void SegmentLog::expect(const Stretch& block) const {
  if (block.begin == end_) return;
  throw Error(
      ErrorCode::kFailure,
      fmt::format("value {} was handed to a run that goes on at value {}", block.begin, end_));
}

Flow SegmentLog::put(const Stretch& block) {
  expect(block);
  if (block.values.empty()) return Flow::kContinue;
  const ValueWidth width = least_width(block.values);
  if (open_ != nullptr && width > open_->header().width) start_seal(std::move(open_));
  if (open_ == nullptr) begin_segment(width);
  if (!sealing()) wait_for_seal();
  open_->append(block.values);
  end_ += block.values.size();
  covered_ = end_;
  if (open_->bytes() >= interval_.bytes || due()) start_seal(std::move(open_));
  return Flow::kContinue;
}

void SegmentLog::put_state(const Stretch& block, bool now,
                           const std::function<std::string()>& text) {
  expect(block);
  if (open_ != nullptr) start_seal(std::move(open_));
  end_ = block.end();
  if (!now && !due()) return;
  wait_for_seal();
  next_.begin = covered_;
  next_.count = end_ - covered_;
  next_.width = block.newest.width();
  auto segment = std::make_unique<SegmentWriter>(directory_.path(), next_);
  segment->put_state(block.newest, text());
  ++next_.index;
  covered_ = end_;
  start_seal(std::move(segment));
}

void SegmentLog::begin_segment(ValueWidth width) {
  next_.begin = end_;
  next_.count = 0;
  next_.width = width;
  open_ = std::make_unique<SegmentWriter>(directory_.path(), next_);
  ++next_.index;
}

void SegmentLog::start_seal(std::unique_ptr<SegmentWriter> segment) {
  wait_for_seal();
  sealing_ = std::move(segment);
  last_seal_ = std::chrono::steady_clock::now();
  pending_ = std::async(std::launch::async, [this] { directory_.seal(*sealing_); });
}

void SegmentLog::wait_for_seal() {
  if (!pending_.valid()) return;
  pending_.get();
  sealing_.reset();
  sealed_.push_back(directory_.segments().back().header);
  if (control_ != nullptr) control_->set_sealed(directory_.frontier());
}

void SegmentLog::seal() {
  if (open_ != nullptr) start_seal(std::move(open_));
  wait_for_seal();
}

void SegmentLog::rescue() noexcept {
  // The failure that led here is what a person has to hear of, not those of the attempts.
  const auto attempt = [](const auto& step) {
    try {
      step();
    } catch (...) {
    }
  };
  attempt([this] { wait_for_seal(); });
  // A segment that grows behind one whose seal has failed continues nothing.
  SegmentWriter* const last = sealing_ != nullptr ? sealing_.get() : open_.get();
  if (last == nullptr) return;
  attempt([&] { directory_.seal_whole_buffers(*last); });
  if (control_ != nullptr) control_->set_sealed(directory_.frontier());
}

void SegmentLog::set_aside(std::size_t first) {
  wait_for_seal();
  directory_.set_aside(first);
  if (control_ != nullptr) control_->set_sealed(directory_.frontier());
}

bool SegmentLog::sealing() const {
  return pending_.valid() &&
         pending_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

std::vector<Segment> SegmentLog::segments() {
  wait_for_seal();
  std::vector<Segment> segments = directory_.segments();
  if (open_ != nullptr) segments.push_back(open_->snapshot());
  return segments;
}

Flow SegmentLog::replay(HeapSize to, ValueSink& sink) {
  return grundy::replay(segments(), 0, to, sink);
}

}  // namespace grundy
