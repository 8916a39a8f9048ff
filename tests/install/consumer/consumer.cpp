/// @file
/// A program outside the project: installed headers and library only.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>

#include <grundy/atlas.hpp>
#include <grundy/compute.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const grundy::Request request{.game = grundy::HeapGame{grundy::HeapRule::parse("0.77"), 100000},
                                .output = {.path = std::filesystem::path(argv[1]) / "kayles.h5"},
                                .force = true};
  if (!grundy::compute(request).complete) return 1;
  const auto table = grundy::TableReader::open(request.output.path);
  const auto& period = table->info().period;
  std::printf("period %llu from heap %llu\n", static_cast<unsigned long long>(period.period),
              static_cast<unsigned long long>(period.preperiod));
  std::printf("heap 10^18: %u\n", table->value(1'000'000'000'000'000'000u));
  grundy::AtlasRequest family;
  family.games = grundy::expand_family("0.dd");
  family.last = 500;
  std::printf("classes: %zu\n", grundy::compute_atlas(family).classes.size());
  return 0;
}
