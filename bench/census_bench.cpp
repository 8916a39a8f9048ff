/// @file
/// A census of subtraction sets compared with its proof by the definition, both on one thread.
/// Periods are found by words of 56 heaps. They are proved heap by heap, when they are known
/// already.
///
/// Usage: bench_census [LARGEST [SIZE]]. No figure is printed if a row is wrong, or if the digest
/// of the rows of all sets of three moves up to 128 differs from the one that is written here.
// SPDX-License-Identifier: MIT
#include <filesystem>

#include <fmt/format.h>

#include <grundy/census.hpp>
#include <grundy/error.hpp>

#include "arguments.hpp"
#include "core/digest.hpp"

using namespace grundy;  // NOLINT(google-build-using-namespace)

namespace {

constexpr SetFamily kKnown{128, 3};
constexpr const char* kKnownDigest = "5993117ce9ca0671010de774e23b9f1b";

void compare(const SetFamily& family) {
  const auto file = std::filesystem::temp_directory_path() / "bench_census.h5";
  CensusRequest request{.family = family};
  request.machine.threads = 1;
  const CensusReport found = compute_census(request);
  request.output = file;
  request.overwrite = true;
  const CensusReport written = compute_census(request);
  ListCheckRequest proof{.file = file, .full = true};
  proof.machine.threads = 1;
  const ListCheck check = check_census(proof);
  std::filesystem::remove(file);
  if (!check.wrong.empty() || check.digest != found.digest ||
      (family == kKnown && to_hex(found.digest) != kKnownDigest)) {
    throw Error(ErrorCode::kMismatch, fmt::format("{}: the rows are wrong", family.text()));
  }
  const double sets = static_cast<double>(found.all.sets);
  fmt::print("{}: {} sets, {:.2f} us each, {:.2f} with a file; proofs {:.2f} us, ratio {:.1f}\n",
             family.text(), found.all.sets, found.seconds / sets * 1e6,
             written.seconds / sets * 1e6, check.seconds / sets * 1e6,
             check.seconds / found.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_bench("bench_census", argc, argv, [](const Arguments& arguments) {
    arguments.expect_at_most(2);
    compare(
        {arguments.count(0, "LARGEST", kKnown.largest), arguments.count(1, "SIZE", kKnown.size)});
  });
}
