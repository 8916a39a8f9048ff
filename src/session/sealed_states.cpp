// SPDX-License-Identifier: MIT
#include "session/sealed_states.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "engines/lattice/state_bytes.hpp"

namespace grundy {
namespace {

/// Bytes of a state that are written at a time.
constexpr std::size_t kStatePiece = std::size_t{1} << 20;
/// The part of the time that states may take.
constexpr double kStateShare = 0.02;
/// The most bytes of what was counted.
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 30;

}  // namespace

SealedStates::SealedStates(RunTerms terms, const NumberedGame& game, CheckpointControl& control,
                           const std::function<void(const std::string&)>& narrate,
                           EntryStatistics& counted)
    : RunAtWork(std::move(terms), game, narrate), control_(control), counted_(counted) {
  if (finished() || directory_.segments().empty()) return;
  const Segment& last = directory_.segments().back();
  if (last.header.engine != terms_.engine) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' holds a state of the engine {}, which no "
                                               "other one can read; it goes on with that",
                                               path().string(), last.header.engine));
  }
  say_frontier();
  state_.emplace(last);
  const std::vector<char> bytes = read_list<char>(*this, kMostCounted);
  counted_.add({bytes.data(), bytes.size()});
  counted_before_ = directory_.frontier();
  control_.set_sealed(counted_before_);
}

SealedStates::~SealedStates() {
  if (pending_.valid()) pending_.wait();
}

bool SealedStates::is_due() {
  if (pending_.valid()) {
    if (pending_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    wait();
  }
  const double interval = terms_.checkpoint.time.count();
  const double least = interval > 0 ? std::max(interval, seconds_ / kStateShare) : 0;
  return unsealed_.seconds() >= least || control_.take_request();
}

void SealedStates::keep(std::uint64_t handed, const std::function<void(const Write&)>& put) {
  wait();
  const Stopwatch time;
  const auto makers_with = [this](std::string SegmentHeader::*name, const std::string& current) {
    return makers(directory_.segments(), name, current);
  };
  sealing_ = std::make_unique<SegmentWriter>(
      path(), SegmentHeader{.begin = handed,
                            .fingerprint = fingerprint_of(directory_.record()->identity()),
                            .engine = terms_.engine,
                            .kernel = makers_with(&SegmentHeader::kernel, terms_.kernel),
                            .chunk = 1});
  std::string piece;
  const Write write = [&](std::span<const std::byte> bytes) {
    piece.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (piece.size() < kStatePiece) return;
    sealing_->append_text(piece);
    piece.clear();
  };
  write_list<char>(write, counted_.to_bytes());
  put(write);
  sealing_->append_text(piece);
  sealing_->end_state(0);
  seconds_ = time.seconds();
  unsealed_ = {};
  pending_ = std::async(std::launch::async, [this] { directory_.seal(*sealing_); });
}

void SealedStates::wait() {
  if (!pending_.valid()) return;
  pending_.get();
  sealing_.reset();
  control_.set_sealed(directory_.frontier());
}

void SealedStates::finish() {
  wait();
  state_.reset();
  remove();
}

}  // namespace grundy
