/// @file
/// A game of one's own on positions, from a class to a table and a file, by public headers alone.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/graph/graph_game.hpp>

#include "support/collect_sink.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

using testing_support::code_of;
using testing_support::CollectSink;
using testing_support::into;
using testing_support::TemporaryDirectory;

/// A number of tokens; a move takes a divisor of it, but not all of it.
struct Divisors {
  using Position = std::uint64_t;
  std::uint64_t tokens;

  [[nodiscard]] Position start() const { return tokens; }
  [[nodiscard]] std::uint32_t potential(Position p) const { return static_cast<std::uint32_t>(p); }
  [[nodiscard]] Position canonical(Position p) const { return p; }
  template <class Visit>
  void options(Position p, Visit visit) const {
    for (Position d = 1; d < p; ++d) {
      if (p % d == 0) visit(p - d);
    }
  }
};

Request divisors_of(std::uint64_t tokens) {
  const auto game = make_graph_game(Divisors{tokens});
  return {.game = PositionGame{game},
          .about = {.game = "divisors", .rules = "Take a proper divisor of the tokens."},
          .machine = {.threads = 2}};
}

/// The power of two in n: known by induction.
Nimber value_of(std::uint64_t n) {
  Nimber value = 0;
  for (; n % 2 == 0; n /= 2) ++value;
  return value;
}

TEST(PositionSession, AGameOfOnesOwnBecomesATable) {
  CollectSink values;
  const Report report = compute(divisors_of(1000), into(values));
  ASSERT_TRUE(report.complete);
  ASSERT_GT(report.rows.size(), 100U);
  for (std::uint64_t row = 0; row < report.rows.size(); ++row) {
    EXPECT_EQ(report.rows.values[row], value_of(report.rows.key(row)[0]));
  }
  EXPECT_EQ(values.values(), report.rows.values);
  EXPECT_EQ(report.positions.root_value, 3U);
  EXPECT_EQ(report.positions.title, "divisors");
  EXPECT_EQ(report.threads, 2U);
  EXPECT_THAT(report.positions.provenance_json, ::testing::HasSubstr("\"seconds\""));
}

TEST(PositionSession, AGameOfOnesOwnBecomesAFile) {
  const TemporaryDirectory place;
  Request request = divisors_of(240);
  request.output.path = place / "divisors.h5";
  request.output.adjacency = true;
  const Report report = compute(request);
  ASSERT_TRUE(report.complete);
  const GraphFile file = read_graph_file(request.output.path);
  EXPECT_EQ(file.info, report.positions);
  EXPECT_EQ(file.table, report.rows);
  EXPECT_TRUE(file.adjacency);
  EXPECT_EQ(report.file_bytes, std::filesystem::file_size(request.output.path));
  EXPECT_EQ(code_of([&] { compute(request); }), ErrorCode::kUsage) << "the file is there";
  request.output.overwrite = true;
  EXPECT_TRUE(compute(request).complete);
}

TEST(PositionSession, TheStartIsFoundBySearch) {
  const auto root = compute_root(divisors_of(96));
  ASSERT_TRUE(root);
  EXPECT_EQ(root->value, 5U);
  EXPECT_EQ(root->engine, "search");
  EXPECT_EQ(root->proof, "by search");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(compute_root(divisors_of(96), {.stop = stop.get_token()}));
}

TEST(PositionSession, TheStartIsFoundByTheEngineThatIsNamed) {
  Request request = divisors_of(96);
  request.machine.engine = "layered";
  const auto root = compute_root(request);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->value, 5U);
  EXPECT_EQ(root->engine, "layered");
  EXPECT_EQ(root->known, compute(request).rows.size());
}

TEST(PositionSession, PredictsWhatIsKnown) {
  Request request = divisors_of(1000);
  request.machine.memory = 1 << 20;
  const Prediction prediction = predict(request);
  EXPECT_FALSE(prediction.positions) << "they have to be found";
  EXPECT_FALSE(prediction.memory_bytes);
  EXPECT_FALSE(prediction.seconds);
  EXPECT_GT(prediction.positions_in_memory.value(), 1000U);
}

TEST(PositionSession, AStopLeavesNothing) {
  const TemporaryDirectory place;
  Request request = divisors_of(1000);
  request.output.path = place / "t.h5";
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(compute(request, {.stop = stop.get_token()}).complete);
  EXPECT_EQ(place.entries(), 0U);
}

}  // namespace
}  // namespace grundy::testing
