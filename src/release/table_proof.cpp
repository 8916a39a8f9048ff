// SPDX-License-Identifier: MIT
#include "release/table_proof.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/atomic_file.hpp"
#include "release/time_limit.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

VerifyReport checked(const fs::path& table, VerifyReport report) {
  if (!report.wrong) return report;
  throw Error(ErrorCode::kMismatch,
              fmt::format("'{}': {}", table.string(), report.wrong->sentence));
}

/// Whether two certificates can be joined.
bool are_of_one_table(const Certificate& a, const Certificate& b) {
  return a.rule == b.rule && a.count == b.count && a.table_digest == b.table_digest &&
         a.period == b.period && a.periodic_from == b.periodic_from;
}

/// Proves entries from the first one on, as many as the time allows.
Certificate certificate_in_time(VerifyRequest request, const VerifyReport& samples, double seconds,
                                Hooks hooks) {
  request.proof = ProofKind::kRange;
  request.range = {0, samples.info.stats.count - 1};
  try {
    const TimeLimit limit(seconds, hooks.stop);
    hooks.stop = limit.token();
    const VerifyReport report = checked(request.table, verify(request, hooks));
    if (report.proved) return certificate_of(report);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFailure) throw;
    // A range needs memory for all values below its end; samples make do with less.
    if (hooks.narrate) {
      hooks.narrate(fmt::format("the certificate of '{}' states no range: {}",
                                request.table.string(), error.what()));
    }
  }
  return certificate_of(samples);
}

}  // namespace

std::vector<Certificate> certificates_beside(const fs::path& table, const Certificate& own) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(table))) {
    if (entry.path().extension() == ".json" && entry.is_regular_file()) files.push_back(entry);
  }
  std::ranges::sort(files);
  std::vector<Certificate> found;
  for (const fs::path& file : files) {
    try {
      Certificate certificate = Certificate::read(file);
      if (are_of_one_table(certificate, own)) found.push_back(std::move(certificate));
    } catch (const Error&) {
      // A file of another program is no certificate.
    }
  }
  return found;
}

std::optional<TableProof> prove_table(const fs::path& table, const ReleaseRequest& request,
                                      const Hooks& hooks) {
  VerifyRequest proof{.table = table, .seconds = request.seconds, .machine = request.machine};
  TableProof result{.report = checked(table, verify(proof, hooks)), .certificate = {}};
  if (!result.report.complete) return std::nullopt;
  if (result.report.info.stats.count == 0) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' has no values; there is nothing to release", table.string()));
  }
  const Certificate own = certificate_of(result.report);
  if (const auto found = certificates_beside(table, own); !found.empty()) {
    result.certificate = merge(found);
    return result;
  }
  result.certificate = certificate_in_time(proof, result.report, request.seconds, hooks);
  if (hooks.stop.stop_requested()) return std::nullopt;
  return result;
}

}  // namespace grundy
