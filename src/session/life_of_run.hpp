/// @file
/// One life of a sealed run, from the request to the report: what games of one heap, of several
/// heaps, and tables that ranks share have in common.
// SPDX-License-Identifier: MIT
#pragma once

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
#include "session/run_terms.hpp"

namespace grundy {

class LifeOfRun {
 public:
  /// @param in_scratch what the run leaves is removed once it has ended, so nobody hears of it
  LifeOfRun(const Request& request, const Hooks& hooks, const NumberedGame& game,
            bool in_scratch = false)
      : request_(request), hooks_(hooks), game_(game), self_check_(game), in_scratch_(in_scratch) {}

 protected:
  void say(const std::string& sentence) const {
    if (hooks_.narrate) hooks_.narrate(sentence);
  }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return request_.output.path; }
  [[nodiscard]] bool may_overwrite() const noexcept {
    return request_.output.overwrite || request_.force;
  }
  virtual ~LifeOfRun() = default;

  /// The states of a run that keeps no table stay: it can go on from them, and be checked by them.
  [[nodiscard]] bool keeps_run() const noexcept;
  [[nodiscard]] bool in_scratch() const noexcept { return in_scratch_; }
  /// Values that earlier lives have sealed.
  [[nodiscard]] HeapSize frontier() const noexcept { return sealed_ ? sealed_->frontier() : 0; }

  /// Takes up the run directory; returns false if the table is in its place already.
  bool open_run(RunTerms terms);
  /// What provenance says of earlier lives.
  void note_earlier_lives();
  /// What a table says of its game and of who made it.
  [[nodiscard]] TableInfo described(const std::string& canonical, const std::string& moves,
                                    const MadeMachine& machine) const;
  /// The engines (or kernels) of all lives, `current` among them. @pre an earlier life has sealed
  /// something
  [[nodiscard]] virtual std::string makers(std::string SegmentHeader::*name,
                                           const std::string& current) const {
    return grundy::makers(sealed_->directory().segments(), name, current);
  }
  [[nodiscard]] std::string provenance() const {
    return provenance_json(request_.output.command_line, request_.output.reproducible,
                           report_.threads, life_, report_.engines);
  }

  /// Does what a run is admitted for. @throws what `work` throws, with advice how to go on
  template <class Work>
  void advised(Work&& work) {
    try {
      work();
    } catch (const Error& error) {
      // Values are right, whatever has failed: a full device ends a run, it does not undo it.
      if (error.code() == ErrorCode::kFailure && sealed_) sealed_->log().rescue();
      throw with_advice(error);
    }
  }

  /// An earlier process has written the table and died before it could remove the directory.
  Report report_of_finished();
  /// Seals what is left, if the run is to go on, and gives the report away.
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

  bool in_scratch_;
};

}  // namespace grundy
