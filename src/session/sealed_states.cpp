// SPDX-License-Identifier: MIT
#include "session/sealed_states.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

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
    : RunAtWork(std::move(terms), game, narrate),
      control_(control),
      counted_(counted),
      seal_(directory_, &control) {
  if (finished() || directory_.segments().empty()) return;
  say_frontier();
  state_.emplace(directory_.segments().back());
  const std::vector<char> bytes = read_list<char>(*this, kMostCounted);
  counted_.add({bytes.data(), bytes.size()});
  control_.set_sealed(directory_.frontier());
}

bool SealedStates::is_due() {
  if (seal_.is_under_way()) return false;
  wait();
  const double interval = terms_.checkpoint.time.count();
  const double least = interval > 0 ? std::max(interval, seconds_ / kStateShare) : 0;
  if (unsealed_.seconds() < least && !control_.take_request()) return false;
  due_ = {};
  return true;
}

void SealedStates::keep(std::uint64_t handed, const std::function<void(const Write&)>& put) {
  wait();
  state_.reset();  // its place on the disk is free when it was replaced
  const auto& sealed = directory_.segments();
  auto segment = std::make_unique<SegmentWriter>(
      path(),
      SegmentHeader{
          .begin = handed,
          .fingerprint = fingerprint_of(directory_.record()->identity()),
          .engine = terms_.engine,
          .kernel = makers(sealed, &SegmentHeader::kernel, terms_.kernel),
          .chunk = 1});  // no chunk has values, but the segment is of the format with chunks
  std::string piece;
  const Write write = [&](std::span<const std::byte> bytes) {
    piece.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (piece.size() < kStatePiece) return;
    segment->append_text(piece);
    piece.clear();
  };
  write_list<char>(write, counted_.to_bytes());
  put(write);
  segment->append_text(piece);
  segment->end_state(0);
  seconds_ = due_.seconds();
  unsealed_ = {};
  seal_.begin(std::move(segment));
}

void SealedStates::finish() {
  wait();
  state_.reset();
  remove();
}

}  // namespace grundy
