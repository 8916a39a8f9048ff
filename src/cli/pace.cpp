// SPDX-License-Identifier: MIT
#include "cli/pace.hpp"

#include <cmath>

namespace grundy::cli {
namespace {

/// The rate is that of the last third of the time, in some tens of parts, but of at least a quarter
/// of the work: a phase without a report does not mean that a run is slow.
constexpr int kLately = 3;
constexpr double kWork = 0.25;
/// An engine that has just begun is not judged until it has done this part of the work, or has
/// worked for kBegunFor.
constexpr double kBegun = 0.01;
constexpr std::chrono::seconds kBegunFor{3};
constexpr int kMarks = 64;

}  // namespace

void Pace::note(const Progress& progress, Clock::time_point now) {
  // The work of an earlier process took no time of this one. A new cost model begins anew.
  if (last_.done == 0 || progress.done < last_.done || progress.work_done < last_.work_done) {
    marks_.clear();
    begin_ = {now, progress};
  }
  if (marks_.empty() || now - marks_.back().at >= (now - begin_.at) / kMarks) {
    marks_.push_back({now, progress});
  }
  const double work = kWork * (progress.work_done - begin_.progress.work_done);
  while (marks_.size() > 2 && marks_[1].at < now - (now - begin_.at) / kLately &&
         progress.work_done - marks_[1].progress.work_done >= work) {
    marks_.pop_front();
  }
  last_ = progress;
}

std::optional<Pace::Estimate> Pace::estimate(Clock::time_point now) const {
  if (marks_.empty()) return std::nullopt;
  const Mark& lately = marks_.front();
  const std::chrono::duration<double> elapsed = now - lately.at;
  const double work = last_.work_done - lately.progress.work_done;
  const bool has_begun = !std::isfinite(last_.work_total) ||
                         last_.work_done - begin_.progress.work_done >= kBegun * last_.work_total ||
                         now - begin_.at >= kBegunFor;
  if (work <= 0 || !has_begun) return std::nullopt;
  return Estimate{static_cast<double>(last_.done - lately.progress.done) / elapsed.count(),
                  elapsed * ((last_.work_total - last_.work_done) / work)};
}

}  // namespace grundy::cli
