/// @file
/// One life of a sealed run, from the request to the report. It holds what games of one heap, games
/// of several heaps, and tables that ranks share have in common.
// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "run/run_directory.hpp"
#include "run/sealed_values.hpp"
#include "run/self_check.hpp"
#include "session/machine.hpp"
#include "session/provenance.hpp"
#include "session/reading_progress.hpp"
#include "session/run_terms.hpp"
#include "session/setup.hpp"

namespace grundy {

class LifeOfRun {
 public:
  LifeOfRun(const Request& request, const Hooks& hooks, const NumberedGame& game,
            const OutputPlace& place = {})
      : request_(request), hooks_(hooks), game_(game), self_check_(game), place_(place) {
    if (request.team != nullptr) life_.ranks = request.team->size();
  }

 protected:
  void say(const std::string& sentence) const {
    if (hooks_.narrate) hooks_.narrate(sentence);
  }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return request_.output.path; }
  virtual ~LifeOfRun() = default;

  /// Whether the states of a run stay. They do without a table: the run can go on from them, and be
  /// checked by them.
  [[nodiscard]] bool keeps_run() const noexcept;
  [[nodiscard]] const OutputPlace& place() const noexcept { return place_; }
  /// The number of values that earlier lives have sealed.
  [[nodiscard]] HeapSize frontier() const noexcept { return sealed_ ? sealed_->frontier() : 0; }

  /// Opens the run directory; returns false if the table is already in its place.
  bool open_run(RunTerms terms);
  /// Notes earlier lives in the provenance.
  void note_earlier_lives();
  /// What a table says of its game and of who made it.
  [[nodiscard]] TableInfo described(const std::string& canonical, const std::string& moves,
                                    const MadeMachine& machine);
  /// The engines (or kernels) of all lives, including `current`. @pre an earlier life has sealed
  /// something
  [[nodiscard]] virtual std::string makers(std::string SegmentHeader::*name,
                                           const std::string& current) {
    // A seal that is under way adds to the segments.
    sealed_->log().wait_for_seal();
    return grundy::makers(sealed_->directory().segments(), name, current);
  }
  [[nodiscard]] std::string provenance() const {
    return provenance_json(request_.output.command_line, request_.output.reproducible,
                           report_.threads, life_, report_.engines);
  }

  /// Does the work of an admitted run. @throws what `work` throws, with advice how to go on
  template <class Work>
  void advised(Work&& work) {
    // Values stay right, whatever has failed. A full device ends a run, but does not undo it.
    try {
      work();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kFailure) rescue();
      throw with_advice(error);
    } catch (const std::exception&) {  // no memory, no thread for a seal
      rescue();
      throw;
    }
  }
  /// Seals what it can after a failure.
  virtual void rescue() noexcept {
    if (sealed_) sealed_->log().rescue();
  }

  /// The hooks of the engine: their progress leaves room for the time after the last value, if the
  /// prediction has some. @pre needs->seconds is set then
  [[nodiscard]] Hooks hooks_with_reading(const std::optional<Prediction>& needs);
  /// Reports the part of the work after the last value that is done; false if the hooks left no
  /// room for it.
  bool report_reading(double part);

  /// The report if an earlier process wrote the table and died before it removed the directory.
  Report report_of_finished();
  /// Seals what is left if the run is to go on, and hands over the report.
  Report conclude();

  Life life_;
  const Request& request_;
  const Hooks& hooks_;
  const NumberedGame& game_;
  SelfCheck self_check_;
  std::optional<SealedValues> sealed_;
  Report report_;

 private:
  [[nodiscard]] Error with_advice(const Error& error) const;

  OutputPlace place_;
  std::optional<ReadingProgress> reading_;
};

}  // namespace grundy
