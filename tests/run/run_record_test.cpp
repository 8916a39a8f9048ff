/// @file
/// Records as anyone may have written them: fields of any type, size and depth, under a right
/// digest.
// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "run/run_testing.hpp"

namespace grundy::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

class RunRecordTest : public RunTest {
 protected:
  static RunRecord lattice_record() {
    RunRecord record;
    record.rule = "2: (1,0)*";
    record.count = 200;
    record.lattice = {
        .shape = "10x20", .order = "the order of the table", .tile = 8, .in_parts = true};
    return record;
  }

  /// The record as its text, with the digest made right.
  static std::string sealed(Json json) {
    json.erase("xxh3_128");
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
    json["xxh3_128"] = to_hex(hash128(std::as_bytes(std::span(text))));
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
  }
};

TEST_F(RunRecordTest, FieldsOfAnotherTypeOrSizeAreRefused) {
  const std::vector<Json> strange = {nullptr,
                                     true,
                                     -1,
                                     -9223372036854775807LL,
                                     0.5,
                                     1e30,
                                     std::uint64_t{18446744073709551615u},
                                     std::uint64_t{1} << 32,
                                     "text",
                                     Json::array(),
                                     Json::object(),
                                     Json::parse("[[[[1]]]]")};
  RunRecord search = record();
  search.extend = false;
  search.stats_only = search.end_at_period = true;
  search.slowness = {{"dense", 3.25}, {"sparse", 20}};
  search.checkpoint = {.time = std::chrono::milliseconds(1500), .bytes = 1 << 20};
  RunRecord endless = record();
  endless.checkpoint.time = std::chrono::duration<double>(std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_run_record(to_json(endless), "r").checkpoint, endless.checkpoint);
  for (const RunRecord& good : {record(), search, lattice_record(), endless}) {
    const Json json = Json::parse(to_json(good));
    ASSERT_EQ(to_json(parse_run_record(sealed(json), "r")), to_json(good));
    int refused = 0;
    const auto try_with = [&](const Json& bad) {
      try {
        // What is taken is what was written: nothing was converted.
        EXPECT_EQ(Json::parse(to_json(parse_run_record(sealed(bad), "r"))),
                  Json::parse(sealed(bad)))
            << bad;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
        EXPECT_THAT(error.what(), HasSubstr("'r' "));
        ++refused;
      }
    };
    for (const auto& [key, value] : json.items()) {
      if (key == "xxh3_128" || key == "lattice") continue;
      for (const Json& other : strange) {
        Json bad = json;
        bad[key] = other;
        try_with(bad);
      }
    }
    const Json lattice = json.value("lattice", Json::object());
    for (const auto& [key, value] : lattice.items()) {
      for (const Json& other : strange) {
        Json bad = json;
        bad["lattice"][key] = other;
        try_with(bad);
      }
    }
    EXPECT_GT(refused, 100);
  }
}

TEST_F(RunRecordTest, ARunOfNothingIsRefused) {
  RunRecord empty = record();
  empty.count = 0;
  EXPECT_EQ(error_of([&] { parse_run_record(to_json(empty), "r"); }).code(), ErrorCode::kCorrupt);
}

TEST_F(RunRecordTest, DepthAndLengthAreBounded) {
  const std::size_t depth = 4'000'000;
  const std::string deep = std::string(depth, '[') + std::string(depth, ']');
  std::string text = to_json(record());
  text.insert(text.find('{') + 1, "\"more\": " + deep + ", ");
  EXPECT_EQ(error_of([&] { parse_run_record(text, "r"); }).code(), ErrorCode::kCorrupt);

  seal(sample(100), 300);
  write_bytes(run() / "run.json", to_json(record()) + std::string(std::size_t{1} << 25, ' '));
  const Error error = error_of([&] { read_run(run()); });
  EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error.what(), HasSubstr("is damaged or missing"));
}

}  // namespace
}  // namespace grundy::testing
