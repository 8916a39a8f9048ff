// Whole verifications: tables that are right, tables with one wrong value under right digests,
// falsified metadata, damaged files.
// SPDX-License-Identifier: MIT
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/digest.hpp"
#include "support/errors.hpp"
#include "support/progress_record.hpp"
#include "support/team.hpp"
#include "verify/samples.hpp"
#include "verify/verify_testing.hpp"

namespace grundy::verify_test {
namespace {

using testing::HasSubstr;

class VerifyTest : public testing::Test {
 protected:
  VerifyReport run(ProofKind proof, EntryRange range = {}) {
    VerifyRequest request{
        .table = table, .proof = proof, .range = range, .machine = {.backend = "threads"}};
    request.seconds = 1;
    return verify(request);
  }
  /// The message of the Error(kCorrupt) that reading the file ends in.
  std::string damage() {
    try {
      run(ProofKind::kSamples);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      return error.what();
    }
    return "no error";
  }
  void write_kayles(const std::function<void(TableInfo&)>& change) {
    write(table, kayles, values, [&](TableInfo& info) {
      info.period = period;
      change(info);
    });
  }

  TemporaryDirectory dir;
  std::filesystem::path table = dir / "t.h5";
  HeapRule kayles = HeapRule::parse("0.77");
  std::vector<Nimber> values = reference_values(kayles, 1000);
  PeriodReport period = find_period(kayles, std::span<const Nimber>(values));
};

TEST_F(VerifyTest, WhatAProofNeedsIsForetold) {
  const HeapRule rule = HeapRule::parse("0.07");
  write(table, rule, reference_values(rule, 20'000));
  VerifyRequest request{.table = table,
                        .proof = ProofKind::kRange,
                        .range = {5000, 19'999},
                        .machine = {.backend = "threads", .threads = 1}};
  const Prediction range = predict(request).value();
  EXPECT_GT(range.seconds.value(), 0);
  EXPECT_LT(range.seconds.value(), 60);
  EXPECT_FALSE(range.engine.empty());
  request.range = {5000, 5009};
  EXPECT_LT(predict(request).value().seconds.value(), range.seconds.value());
  request.proof = ProofKind::kFull;
  EXPECT_GT(predict(request).value().memory_bytes.value(), range.memory_bytes.value());
  request.proof = ProofKind::kSamples;
  request.samples = 100;
  EXPECT_FALSE(predict(request).value().seconds) << "nobody knows what a random heap costs";
  request.proof = ProofKind::kRange;
  request.range = {0, 20'000};
  EXPECT_THROW(predict(request), Error);
  request.range = {0, 19'999};
  request.machine.memory = 1000;  // too little for a trial
  const Prediction refused = predict(request).value();
  EXPECT_GT(refused.memory_bytes.value(), refused.memory_available);
  EXPECT_FALSE(refused.seconds);
}

TEST_F(VerifyTest, RightTablesOfEveryKindOfProof) {
  for (const char* const notation :
       {"0.77", "4!.0", "0.8F", "S{squares}", "AllBut{2,4}", "0.{3}!7"}) {
    const HeapRule rule = HeapRule::parse(notation);
    const std::vector<Nimber> right = reference_values(rule, notation[3] == '3' ? 100 : 700);
    std::filesystem::remove(table);
    write(table, rule, right, [&](TableInfo& info) {
      info.period = find_period(rule, std::span<const Nimber>(right));
      if (info.period.status == PeriodStatus::kCertified) info.period.verified_to = right.size();
    });
    const HeapSize last = right.size() - 1;
    for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
      const VerifyReport report = run(proof, {0, last});
      EXPECT_TRUE(report.complete) << notation;
      EXPECT_FALSE(report.wrong) << notation << ": " << report.wrong->sentence;
      EXPECT_NE(report.method, "");
      if (proof == ProofKind::kSamples) {
        EXPECT_GT(report.conspicuous + report.random, 60u);
      } else {
        EXPECT_EQ(report.proved, (EntryRange{0, last}));
        EXPECT_TRUE(certificate_of(report).complete());
      }
    }
  }
}

TEST_F(VerifyTest, ASaltusOfSplitsIsProvedAnew) {
  struct Splits {
    const char* code;  ///< leaves at most three heaps, or four
    HeapSize few;      ///< three periods show the pattern, but are not enough for a proof
  };
  for (const Splits& game : {Splits{"0.3F", 18}, Splits{"0.EG", 61}}) {
    const HeapRule rule = HeapRule::parse(game.code);
    const std::vector<Nimber> right = reference_values(rule, 300);
    const auto prove = [&](const std::function<void(PeriodReport&)>& change) {
      std::filesystem::remove(table);
      write(table, rule, right, [&](TableInfo& info) {
        info.period = find_period(rule, std::span<const Nimber>(right));
        change(info.period);
      });
      return run(ProofKind::kRange, {0, 299});
    };
    const VerifyReport report = prove([](PeriodReport& claim) { claim.verified_to = 120; });
    ASSERT_FALSE(report.wrong) << report.wrong->sentence;
    EXPECT_TRUE(certificate_of(report).complete());
    const VerifyReport few = prove([&](PeriodReport& claim) { claim.verified_to = game.few; });
    ASSERT_TRUE(few.wrong) << game.code;
    EXPECT_THAT(few.wrong->sentence, HasSubstr("are not enough for a proof"));
    const VerifyReport twice = prove([](PeriodReport& claim) {
      claim.period *= 2;
      claim.saltus *= 2;
    });
    ASSERT_TRUE(twice.wrong) << game.code;
    EXPECT_THAT(twice.wrong->sentence, HasSubstr("is not the least"));
  }
}

TEST_F(VerifyTest, RanksProveARangeTogether) {
  std::mt19937 random(5);
  const auto share = [this](std::uint64_t ranks) {
    return testing_support::on_all_ranks(ranks, [this](Team& team) {
      VerifyRequest request{.table = table, .proof = ProofKind::kRange, .range = {0, 999}};
      request.machine = {.backend = "threads", .threads = 1};
      request.team = &team;
      return verify(request);
    });
  };
  for (const std::uint64_t ranks : {1, 2, 3, 4}) {
    std::filesystem::remove(table);
    write(table, kayles, values);
    const auto right = share(ranks);
    EXPECT_TRUE(right.front().complete);
    EXPECT_FALSE(right.front().wrong);
    EXPECT_EQ(certificate_of(right.front()), certificate_of(run(ProofKind::kRange, {0, 999})));
    // Of several wrong values, which different ranks may find, the first is named.
    std::vector<Nimber> wrong = values;
    HeapSize first = 999;
    for (int i = 0; i < 5; ++i) {
      const HeapSize heap = 1 + draw(random, 999);
      wrong[heap] ^= 8 + draw(random, 7);
      first = std::min(first, heap);
    }
    std::filesystem::remove(table);
    write(table, kayles, wrong);
    const auto found = share(ranks);
    ASSERT_TRUE(found.front().wrong);
    EXPECT_EQ(found.front().wrong->entry, first);
    EXPECT_EQ(found.front().wrong->sentence, run(ProofKind::kRange, {0, 999}).wrong->sentence);
  }
}

TEST_F(VerifyTest, RanksThatReadDifferentTablesProveNothing) {
  write(table, kayles, values);
  const std::filesystem::path other = dir / "other.h5";
  for (const std::size_t count : {1000, 900}) {
    std::vector<Nimber> others(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    if (count == 1000) others[999] ^= 1;
    std::filesystem::remove(other);
    write(other, kayles, others);
    const auto errors = testing_support::on_all_ranks(3, [&](Team& team) {
      VerifyRequest request{.table = team.rank() == 2 ? other : table, .proof = ProofKind::kRange};
      request.range = {0, team.rank() == 2 ? count - 1 : 999};
      request.machine = {.backend = "threads", .threads = 1};
      request.team = &team;
      return testing_support::error_of([&] { static_cast<void>(verify(request)); });
    });
    for (const Error& error : errors) {
      EXPECT_EQ(error.code(), ErrorCode::kMismatch);
      EXPECT_THAT(error.what(), HasSubstr("rank 2 reads another table than rank 0: "));
    }
  }
}

TEST_F(VerifyTest, ARankThatIsStoppedWhileItReadsStopsAll) {
  write(table, kayles, values);
  std::stop_source stopped;
  stopped.request_stop();
  const auto reports = testing_support::on_all_ranks(2, [&](Team& team) {
    VerifyRequest request{.table = table, .proof = ProofKind::kRange, .range = {0, 999}};
    request.machine = {.backend = "threads", .threads = 1};
    request.team = &team;
    return verify(request, {.stop = team.rank() == 1 ? stopped.get_token() : std::stop_token()});
  });
  for (const VerifyReport& report : reports) EXPECT_FALSE(report.complete);
}

TEST_F(VerifyTest, RankZeroTellsHowFarAllRanksAre) {
  write(table, kayles, values);
  for (const std::uint64_t ranks : {1, 2, 3}) {
    testing_support::ProgressRecord record;
    testing_support::on_all_ranks(ranks, [&](Team& team) {
      VerifyRequest request{.table = table, .proof = ProofKind::kRange, .range = {0, 999}};
      request.machine = {.backend = "threads", .threads = 1};
      request.team = &team;
      return verify(request, {.progress = team.rank() == 0 ? &record : nullptr});
    });
    record.expect_to_rise_to_the_end();
  }
}

TEST_F(VerifyTest, PartsAreTheTableAndTakeAsLong) {
  write(table, kayles, values);
  HeapSize next = 0;
  double least = 1e9, most = 0;
  for (std::uint64_t part = 1; part <= 7; ++part) {
    const EntryRange range = share_of_proof(table, {part, 7});
    EXPECT_EQ(range.first, next);
    next = range.last + 1;
    // Heap n of kayles has about n options.
    const double middle = static_cast<double>(range.first + range.last) / 2 + 1024;
    const double cost = middle * static_cast<double>(next - range.first);
    least = std::min(least, cost);
    most = std::max(most, cost);
  }
  EXPECT_EQ(next, 1000u);
  EXPECT_LT(most, 1.02 * least);
  for (std::uint64_t part = 1; part <= 1000; ++part) {
    EXPECT_EQ(share_of_proof(table, {part, 1000}), (EntryRange{part - 1, part - 1}));
  }
  EXPECT_THROW(static_cast<void>(share_of_proof(table, {1, 1001})), Error);
}

TEST_F(VerifyTest, OneWrongValueUnderRightDigestsIsNamed) {
  std::mt19937 random(3);
  for (int i = 0; i < 12; ++i) {
    const HeapSize heap = 1 + draw(random, 999);
    std::vector<Nimber> wrong = values;
    wrong[heap] ^= 1 + draw(random, 7);
    std::filesystem::remove(table);
    write(table, kayles, wrong);
    for (const ProofKind proof : {ProofKind::kSamples, ProofKind::kRange, ProofKind::kFull}) {
      const VerifyReport report = run(proof, {0, 999});
      ASSERT_TRUE(report.wrong) << heap;
      EXPECT_EQ(report.wrong->entry, heap);
      EXPECT_THAT(report.wrong->sentence, HasSubstr(std::to_string(wrong[heap])));
    }
    EXPECT_EQ(run(ProofKind::kRange, {0, heap - 1}).wrong, std::nullopt)
        << "heaps below the wrong one are right";
  }
}

TEST_F(VerifyTest, WrongValuesBeyondTheBoundOfThePeriodAreNamed) {
  ASSERT_EQ(period.status, PeriodStatus::kCertified);
  for (const HeapSize heap : {200, 500, 999}) {
    std::vector<Nimber> wrong = values;
    wrong[heap] += 1;
    std::filesystem::remove(table);
    write(table, kayles, wrong, [&](TableInfo& info) {
      info.period = period;
      info.period.verified_to = info.computed = 170;
    });
    const VerifyReport report = run(ProofKind::kSamples);
    ASSERT_TRUE(report.wrong);
    EXPECT_EQ(report.wrong->entry, heap);
    EXPECT_LT(report.periodic_from, 180u);
    EXPECT_EQ(run(ProofKind::kRange, {0, 999}).wrong->entry, heap);
    EXPECT_EQ(run(ProofKind::kRange, {180, 999}).wrong->entry, heap);
  }
}

TEST_F(VerifyTest, FalsePeriodsAreFound) {
  const struct {
    std::function<void(TableInfo&)> change;
    const char* says;
  } cases[] = {
      {[](TableInfo& info) { info.period.period = 24; }, "not the least"},
      {[](TableInfo& info) { info.period.preperiod += 1; }, "too large"},
      {[](TableInfo& info) { info.period.preperiod -= 1; }, "gives"},
      {[](TableInfo& info) { info.period.period = 11; }, "gives"},
      {[](TableInfo& info) { info.period.saltus = 1; }, "not enough"},
      {[](TableInfo& info) { info.period.verified_to = 166; }, "not enough"},
      {[](TableInfo& info) { info.period.verified_to = 1001; }, "were computed"},
      {[](TableInfo& info) { info.period.verified_to = 5; }, "were computed"},
  };
  for (const auto& [change, says] : cases) {
    std::filesystem::remove(table);
    write_kayles(change);
    const VerifyReport report = run(ProofKind::kSamples);
    ASSERT_TRUE(report.wrong) << says;
    EXPECT_THAT(report.wrong->sentence, HasSubstr(says));
  }
  std::filesystem::remove(table);
  write_kayles([](TableInfo& info) { info.period.verified_to = 167; });
  EXPECT_FALSE(run(ProofKind::kSamples).wrong) << "Guy and Smith need just this";
}

TEST_F(VerifyTest, NumbersThatAFileClaimsDoNotWrap) {
  TableInfo info;
  info.computed = ~HeapSize{0};
  info.period.preperiod = ~HeapSize{2};
  info.stats.records = {{~HeapSize{1}, 1}};
  const Stored some(std::vector<Nimber>(500));
  for (const HeapSize n : conspicuous_heaps(info, {~HeapSize{2}}, some.get().values)) {
    EXPECT_LT(n, 500U);
  }
}

TEST_F(VerifyTest, FalseStatisticsAreDamage) {
  const struct {
    std::function<void(TableInfo&)> change;
    const char* says;
  } cases[] = {
      {[](TableInfo& info) { ++info.stats.histogram[0], --info.stats.histogram[1]; },
       "heaps have value 0"},
      {[](TableInfo& info) { info.stats.records.erase(info.stats.records.begin() + 2); },
       "records"},
      {[](TableInfo& info) { info.canonical = "no rule"; }, "rule that cannot be read"},
  };
  for (const auto& [change, says] : cases) {
    std::filesystem::remove(table);
    write_kayles(change);
    EXPECT_THAT(damage(), HasSubstr(says));
  }
}

TEST_F(VerifyTest, ValuesThatWereNeverWrittenAreDamage) {
  std::vector<Nimber> wrong = values;
  wrong[500] = 254;
  write(table, kayles, wrong);
  std::filesystem::remove(table);
  wrong[500] = 255;  // takes two bytes: the mark of one byte is a value there
  write(table, kayles, wrong);
  EXPECT_TRUE(run(ProofKind::kRange, {0, 999}).wrong);
}

/// One bit in each of 500 places spread over a product: verification reports every flip that
/// changes values or metadata as damage.
TEST_F(VerifyTest, FlippedBitsAreDamageOrHarmless) {
  write(table, kayles, values);
  const std::string good = store_test::bytes_of(table);
  const auto original = TableReader::open(table);
  std::mt19937 random(23);
  int reported = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t at =
        i * good.size() / 500 + draw(random, static_cast<unsigned>(good.size() / 500));
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << draw(random, 8)));
    store_test::write_bytes(table, bad);
    try {
      const VerifyReport report =
          verify({.table = table, .samples = 1, .machine = {.backend = "threads", .threads = 1}});
      EXPECT_TRUE(report.complete && !report.wrong) << at;
      EXPECT_EQ(report.info, original->info()) << at;
      EXPECT_EQ(store_test::read_values(*TableReader::open(table)), values) << at;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      ++reported;
    }
  }
  RecordProperty("reported", reported);
  EXPECT_GT(reported, 100);
}

TEST_F(VerifyTest, RequestsThatCannotBeMet) {
  write(table, kayles, values);
  const auto code = [&](VerifyRequest request) {
    request.machine.backend = "threads";
    return testing_support::code_of([&] { static_cast<void>(verify(request)); });
  };
  EXPECT_EQ(code({.table = table, .proof = ProofKind::kRange, .range = {5, 1000}}),
            ErrorCode::kUsage);
  EXPECT_EQ(code({.table = table, .proof = ProofKind::kRange, .range = {7, 5}}), ErrorCode::kUsage);
  EXPECT_EQ(code({.table = table,
                  .proof = ProofKind::kRange,
                  .range = {0, 999},
                  .machine = {.memory = 9}}),
            ErrorCode::kFailure);
  EXPECT_EQ(code({.table = dir / "none.h5"}), ErrorCode::kUsage);
  EXPECT_EQ(code({.table = table, .proof = ProofKind::kFull, .machine = {.engine = "warp"}}),
            ErrorCode::kUsage);
}

TEST_F(VerifyTest, AStoppedVerificationProvesNothing) {
  write(table, kayles, values);
  std::stop_source source;
  source.request_stop();
  const VerifyReport report =
      verify({.table = table, .machine = {.backend = "threads"}}, {.stop = source.get_token()});
  EXPECT_FALSE(report.complete);
  EXPECT_FALSE(report.proved);
}

}  // namespace
}  // namespace grundy::verify_test
