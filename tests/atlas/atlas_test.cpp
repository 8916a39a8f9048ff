// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <grundy/error.hpp>
#include <grundy/table.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/atlas_testing.hpp"
#include "atlas/family_game.hpp"
#include "atlas/literature.hpp"
#include "core/digest.hpp"
#include "session/machine.hpp"
#include "support/errors.hpp"
#include "support/progress_record.hpp"
#include "support/team.hpp"
#include "table/h5.hpp"
#include "table/h5_columns.hpp"

namespace grundy {
namespace {

using testing_support::atlas;
using testing_support::bytes_of;
using testing_support::class_of;
using testing_support::fresh_directory;
using testing_support::games;
using testing_support::Tally;
using testing_support::tally;

TEST(Atlas, CensusOfThreeDigits) {
  const AtlasReport report = atlas({"0.ddd", "4.ddd"}, 2500);
  ASSERT_TRUE(report.complete);
  const Tally found = tally(report);
  EXPECT_EQ(report.games, 1023u);
  EXPECT_EQ(found.certified, 675u);
  EXPECT_EQ(found.open, 90u);
  EXPECT_EQ(found.observed, 0u);  // every equality has a proof
}

TEST(Atlas, KnowsWhichOpenClassesAreSolved) {
  const AtlasReport report = atlas({"0.ddd", "4.ddd"}, 2500);
  std::map<LiteratureStatus, std::size_t> open, certified;
  for (const AtlasClass& c : report.classes) {
    EXPECT_EQ(c.reference.empty(), c.literature == LiteratureStatus::kUnlisted) << c.code;
    ++(c.period.status == PeriodStatus::kCertified ? certified : open)[c.literature];
  }
  EXPECT_EQ(open[LiteratureStatus::kSolved], 16u);
  EXPECT_EQ(open[LiteratureStatus::kUnsolved], 74u);
  EXPECT_EQ(open[LiteratureStatus::kUnlisted], 0u);
  EXPECT_EQ(certified[LiteratureStatus::kSolved], 84u);
  EXPECT_EQ(certified.size(), 1u);
  // Every listed game is in a class of its own; two leave three heaps.
  EXPECT_EQ(atlas::known_games().size(), 176u);
  const AtlasClass* const treblecross = class_of(report, "0.007");
  ASSERT_NE(treblecross, nullptr);
  EXPECT_EQ(treblecross->literature, LiteratureStatus::kUnsolved) << "it is listed as .04";
  EXPECT_EQ(class_of(report, "0.106")->reference.find("0.106: period 328226140474 from heap "), 0u);
}

// A listed game speaks for its class though it is not in the family.
TEST(Atlas, LiteratureDoesNotDependOnTheFamily) {
  const AtlasReport whole = atlas({"0.ddd", "4.ddd"}, 2500);
  for (const std::vector<std::string>& part :
       {std::vector<std::string>{"0.ddd"}, {"4.ddd"}, {"0.d7d", "4.77d"}}) {
    for (const AtlasClass& c : atlas(part, 2500).classes) {
      const AtlasClass* const same = class_of(whole, c.code);
      ASSERT_NE(same, nullptr) << c.code;
      EXPECT_EQ(c.literature, same->literature) << c.code;
      EXPECT_EQ(c.reference, same->reference) << c.code;
    }
  }
  const AtlasReport family = atlas({"0.ddd"}, 500);
  EXPECT_EQ(class_of(family, "0.2")->reference.find("4.0: period 2 from heap 1 on"), 0u);
  EXPECT_EQ(class_of(family, "0.352")->reference.find("4.3: period 2 from heap 2 on"), 0u);
}

// The list has preperiods in the heaps of its games, which need not stand for their classes.
TEST(Atlas, HasThePeriodsThatAreListedOfEarlyGames) {
  const auto path = fresh_directory() / "t.h5";
  atlas({"0.ddd", "4.ddd", "0.3F", "hex:0.2048"}, 2500, path);
  atlas::AtlasReader reader(path);
  std::size_t compared = 0;
  for (const atlas::KnownGame& known : atlas::known_games()) {
    const auto place = reader.find(known.code);
    ASSERT_TRUE(place) << known.code;
    std::vector<Nimber> values;
    const AtlasClass c = reader.read(place->number, values);
    if (c.period.status != PeriodStatus::kCertified) continue;
    const atlas::FamilyGame game = atlas::game_of_class(c, c.members[place->member], values);
    EXPECT_EQ(game.period.preperiod, known.preperiod) << known.code;
    EXPECT_EQ(game.period.period, known.period) << known.code;
    EXPECT_EQ(game.period.saltus, known.saltus) << known.code;
    EXPECT_EQ(c.literature, LiteratureStatus::kSolved) << known.code;
    ++compared;
  }
  EXPECT_EQ(compared, 85u);
  std::vector<Nimber> values;
  const AtlasClass ruler = reader.read(reader.find("hex:0.2048")->number, values);
  EXPECT_EQ(ruler.literature, LiteratureStatus::kUnsolved);
  EXPECT_EQ(ruler.reference.find("hex:0.2048: no period, but a ruler regularity"), 0u)
      << ruler.reference;
}

TEST(Atlas, LiteratureDoesNotSpeakOfGamesThatOnlyLookEqual) {
  // Values 0 to 18 tell too little: the classes are observed ones.
  for (const AtlasClass& c : atlas({"0.ddd", "4.ddd"}, 18).classes) {
    const std::string listed = c.reference.substr(0, c.reference.find(':'));
    for (const AtlasMember& member : c.members) {
      EXPECT_TRUE(member.code != listed || member.evidence != AtlasEvidence::kObserved) << listed;
    }
  }
}

/// The games of tests/golden/octal_periods.csv with a period, by their notation there.
std::map<std::string, HeapSize> golden_periods() {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/octal_periods.csv");
  std::map<std::string, HeapSize> periods;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string code, name, preperiod, period;
    std::getline(fields, code, ',');
    std::getline(fields, name, ',');
    std::getline(fields, preperiod, ',');
    std::getline(fields, period, ',');
    if (code != "code" && !period.empty()) periods[code] = std::stoull(period);
  }
  return periods;
}

TEST(Atlas, HasThePeriodsOfTheLiterature) {
  const AtlasReport report = atlas({"0.ddd", "4.ddd"}, 2500);
  const auto golden = golden_periods();
  std::size_t found = 0;
  for (const auto& [code, period] : golden) {
    const AtlasClass* const c = class_of(report, code.starts_with('.') ? "0" + code : code);
    if (c == nullptr || c->period.status != PeriodStatus::kCertified) continue;
    EXPECT_EQ(c->period.period, period) << code;
    ++found;
  }
  EXPECT_GT(found, 400u);
}

TEST(Atlas, CorrectsTheLiterature) {
  const AtlasReport report = atlas({"0.dd", "0.161", "0.314", "4.44", "0.776"}, 2500);
  // .161 is not .36 (they differ first at heap 519), .27 is .26 and not .06, .314 is not .31.
  EXPECT_NE(class_of(report, "0.161"), class_of(report, "0.36"));
  EXPECT_EQ(class_of(report, "0.27"), class_of(report, "0.26"));
  EXPECT_NE(class_of(report, "0.27"), class_of(report, "0.06"));
  EXPECT_NE(class_of(report, "0.314"), class_of(report, "0.31"));
  EXPECT_EQ(class_of(report, "0.37"), class_of(report, "0.6"));
  EXPECT_EQ(class_of(report, "4.44"), class_of(report, "0.776"));
}

TEST(Atlas, SaysHowGamesAreShifted) {
  const AtlasReport report = atlas({"0.007", "0.04", "0.11337", "0.07", "0.137"}, 500);
  ASSERT_EQ(report.classes.size(), 2u);
  const AtlasClass& treblecross = *class_of(report, "0.007");
  EXPECT_EQ(treblecross.code, "0.04");
  ASSERT_EQ(treblecross.members.size(), 3u);
  EXPECT_EQ(treblecross.members[0].lead, 4u);
  EXPECT_EQ(treblecross.members[1].lead, 3u);
  EXPECT_EQ(treblecross.members[2].lead, 1u);
  EXPECT_EQ(treblecross.members[1].evidence, AtlasEvidence::kStandardForm);
  const AtlasClass& dawson = *class_of(report, "0.137");
  EXPECT_EQ(dawson.period.preperiod, 53u);
  EXPECT_EQ(dawson.period.period, 34u);
}

TEST(Atlas, MergesByPeriodsAndByObservation) {
  // S{1} and S{1,3} are 0 1 0 1 ..; for 0.1346 and 0.1366 no proof is known here.
  const AtlasReport report = atlas({"S{1}", "S{1,3}", "0.1346", "0.1366"}, 300);
  const AtlasClass& parity = *class_of(report, "S{1}");
  ASSERT_EQ(parity.members.size(), 2u);
  EXPECT_EQ(parity.members[1].evidence, AtlasEvidence::kPeriods);
  const AtlasClass& seen = *class_of(report, "0.1366");
  EXPECT_EQ(seen.code, "0.1346");
  EXPECT_EQ(seen.members[1].evidence, AtlasEvidence::kObserved);
  EXPECT_EQ(seen.members[1].compared, 300u);  // all values but that of heap 0
}

TEST(Atlas, FindsPeriodsBeyondTheScreen) {
  const AtlasReport report = atlas({"0.156", "0.356", "4.364", "0.165"}, 20000);
  const auto expect = [&](const char* code, HeapSize preperiod, HeapSize period) {
    const AtlasClass& c = *class_of(report, code);
    EXPECT_EQ(c.period.status, PeriodStatus::kCertified) << code;
    EXPECT_EQ(c.period.preperiod, preperiod) << code;
    EXPECT_EQ(c.period.period, period) << code;
    EXPECT_LE(c.stats.count, 20001u);
  };
  expect("0.156", 3479, 349);
  expect("0.356", 7315, 142);
  expect("0.165", 5181, 1550);
}

TEST(Atlas, IsTheSameForAnyNumberOfThreads) {
  const auto directory = fresh_directory();
  const std::vector<std::string> family{"0.1dd", "S{max<=5,size<=3}", "4!.0"};
  const AtlasReport one = atlas(family, 6000, directory / "1.h5", 1);
  const AtlasReport three = atlas(family, 6000, directory / "3.h5", 3);
  for (const auto format : {SummaryFormat::kCsv, SummaryFormat::kJson, SummaryFormat::kMarkdown}) {
    EXPECT_EQ(summarize(one, format), summarize(three, format));
  }
  EXPECT_TRUE(bytes_of(directory / "1.h5") == bytes_of(directory / "3.h5"));
}

TEST(Atlas, GoesOnAfterAStop) {
  const auto directory = fresh_directory();
  const std::vector<std::string> family{"0.16", "0.6", "0.36", "0.34d"};
  const AtlasReport whole = atlas(family, 30000, directory / "whole.h5");
  ASSERT_TRUE(whole.complete);

  /// Asks for a stop when a share of the values is there.
  struct StopAt final : ProgressSink {
    std::stop_source stop;
    double share = 0;
    void report(const Progress& p) override {
      if (p.share() >= share) stop.request_stop();
    }
  };
  AtlasRequest request;
  request.games = games(family);
  request.last = 30000;
  request.output = directory / "stopped.h5";
  request.machine.threads = 1;
  const auto work = directory / "stopped.h5.atlas";
  std::size_t kept = 0;
  for (const double share : {0.05, 0.5, 0.9}) {
    StopAt stop;
    stop.share = share;
    const AtlasReport part =
        compute_atlas(request, {.stop = stop.stop.get_token(), .progress = &stop});
    ASSERT_FALSE(part.complete);
    ASSERT_FALSE(std::filesystem::exists(request.output));
    if (std::filesystem::exists(work)) {
      kept = static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(work), {}));
    }
  }
  EXPECT_GT(kept, 0u);  // the last run will not begin anew
  // A kill leaves half a file under a temporary name, and a table that is cut.
  std::ofstream(work / "0.6.h5.0123456789abcdef.tmp") << "half";
  for (const auto& entry : std::filesystem::directory_iterator(work)) {
    if (entry.path().extension() != ".h5") continue;
    std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
    break;
  }
  const AtlasReport resumed = compute_atlas(request);
  ASSERT_TRUE(resumed.complete);
  EXPECT_TRUE(bytes_of(request.output) == bytes_of(directory / "whole.h5"));
  EXPECT_EQ(summarize(resumed, SummaryFormat::kCsv), summarize(whole, SummaryFormat::kCsv));
  EXPECT_FALSE(std::filesystem::exists(work));
}

TEST(Atlas, PartsHaveEachPieceOnce) {
  for (std::uint64_t parts = 1; parts < 8; ++parts) {
    for (std::uint64_t count = 0; count < 40; ++count) {
      std::multiset<std::uint64_t> dealt;
      for (std::uint64_t number = 1; number <= parts; ++number) {
        const WorkPart part{number, parts};
        std::uint64_t own = 0;
        while (part.piece(own) < count) dealt.insert(part.piece(own++));
        EXPECT_EQ(own, part.among(count));
      }
      ASSERT_EQ(dealt.size(), count);
      for (std::uint64_t piece = 0; piece < count; ++piece) EXPECT_TRUE(dealt.contains(piece));
    }
  }
}

TEST(Atlas, RanksWriteTheFileOfOneProcess) {
  const auto directory = fresh_directory();
  const std::vector<std::string> family = {"0.0d", "4.0d", "0.156"};
  for (const HeapSize last : {900u, 6000u}) {
    const auto whole = directory / "whole.h5";
    std::filesystem::remove(whole);
    atlas(family, last, whole);
    for (const std::uint64_t ranks : {1, 2, 3, 4}) {
      const auto shared = directory / "shared.h5";
      std::filesystem::remove(shared);
      const auto reports = testing_support::on_all_ranks(ranks, [&](Team& team) {
        AtlasRequest request{.games = games(family), .last = last, .output = shared};
        request.machine = {.backend = "threads", .threads = 1};
        request.team = &team;
        return compute_atlas(request);
      });
      EXPECT_TRUE(bytes_of(shared) == bytes_of(whole)) << ranks << " ranks to heap " << last;
      HeapSize finished = 0;
      for (const AtlasReport& report : reports) {
        EXPECT_TRUE(report.complete);
        EXPECT_EQ(report.classes.empty(), &report != &reports.front());
        finished += report.finished;
      }
      EXPECT_EQ(finished, reports.front().open);
    }
  }
}

TEST(Atlas, RankZeroTellsHowFarAllRanksAre) {
  const auto shared = fresh_directory() / "told.h5";
  for (const std::uint64_t ranks : {1, 2, 3}) {
    std::filesystem::remove(shared);
    testing_support::ProgressRecord record;
    testing_support::on_all_ranks(ranks, [&](Team& team) {
      AtlasRequest request{
          .games = games({"0.0d", "4.0d", "0.156"}), .last = 6000, .output = shared};
      request.machine = {.backend = "threads", .threads = 1};
      if (ranks > 1) request.team = &team;
      return compute_atlas(request, {.progress = team.rank() == 0 ? &record : nullptr});
    });
    record.expect_to_rise_to_the_end();
  }
}

TEST(Atlas, FileHoldsTheClasses) {
  const auto path = fresh_directory() / "atlas.h5";
  const AtlasReport report = atlas({"0.d7", "S{1,2}"}, 400, path);
  const h5::File file = h5::File::open(path);
  const h5::Object root = file.root();
  EXPECT_EQ(root.text("format"), "grundy-atlas");
  EXPECT_EQ(root.number("classes"), report.classes.size());
  EXPECT_EQ(root.document("summary_csv"), summarize(report, SummaryFormat::kCsv));
  const h5::Object classes = root.open_group("class");
  for (const AtlasClass& c : report.classes) {
    const h5::Object group = classes.open_group(c.code);
    const auto values = h5::read_column<std::uint32_t>(group, "grundy");
    ASSERT_EQ(values.size(), 401u);
    ValueDigest digest;
    digest.update(std::span<const std::uint32_t>(values));
    EXPECT_EQ(to_hex(digest.value()), group.text("xxh3_128"));
  }
  EXPECT_EQ(classes.open_group("0.77").number("period"), 12u);
  EXPECT_THROW(TableReader::open(path), Error);  // not a table: an Error, no crash
}

TEST(Atlas, RowsAreThoseOfTheTablesInUse) {
  const std::string rows = summarize(atlas({"0.77", "0.6", "0.3"}, 2500), SummaryFormat::kRows);
  EXPECT_NE(rows.find("\n0.77\t12\t0\t70\t8\t27\t1111\t1111\t9\t10\t70\t0\t2501\n"),
            std::string::npos)
      << rows;
  EXPECT_NE(rows.find("\n0.6\t-\t-\t-\t75\t2441\t1101110\t0111011\t522\t523\t2500\t408\t2501\n"),
            std::string::npos)
      << rows;
  EXPECT_NE(rows.find("\n0.3\t2\t0\t-\t1\t1\t-\t-\t-\t-\t-\t-\t2501\n"), std::string::npos) << rows;
}

TEST(Atlas, TimeLimitEndsGames) {
  AtlasRequest request;
  request.games = games({"0.6", "0.06"});
  request.last = 1u << 24;
  for (const double seconds : {0.05, 1e-9}) {
    request.seconds = seconds;
    const AtlasReport report = compute_atlas(request);
    ASSERT_TRUE(report.complete);
    for (const AtlasClass& c : report.classes) {
      EXPECT_GT(c.stats.count, kAtlasScreen) << "what the screen computed is kept";
      EXPECT_LT(c.stats.count, 1u << 22);
      EXPECT_EQ(c.period.status, PeriodStatus::kNone);
    }
  }
}

TEST(Atlas, ForetellsWhatItsGamesNeed) {
  AtlasRequest request{.games = games({"0.ddd", "4.ddd"}), .last = 20'000};
  request.machine.threads = 1;
  const AtlasPrediction whole = predict_atlas(request).value();
  EXPECT_EQ(whole.games, 1023u);
  EXPECT_EQ(whole.open, 90u);
  EXPECT_EQ(whole.own, 90u);
  EXPECT_EQ(whole.tried, 24u);
  // Of the games that differ by their rules, the values of the screen are kept beside the others.
  const std::uint64_t further = process_bytes(nullptr) + 90u * 2 * 20'000;
  EXPECT_GE(whole.needs.memory_bytes, further + whole.differing * 100);
  EXPECT_LE(whole.needs.memory_bytes, further + whole.games * 2 * (kAtlasScreen + 1));
  const auto most = [](const Prediction& needs) {
    return needs.seconds ? *needs.seconds : needs.seconds_most.value();
  };
  EXPECT_GT(most(whole.needs), 0);
  request.games = games({"0.dd"});
  const HeapSize open = predict_atlas(request).value().open;
  EXPECT_GT(open, 4u);
  // With a limit little is foretold besides the time of the screen; where that is all, it is told.
  request.seconds = 0.001;
  const AtlasPrediction limited = predict_atlas(request).value();
  EXPECT_LE(most(limited.needs) - limited.screen_seconds, 0.001 * static_cast<double>(open) + 1e-9);
  request.seconds.reset();
  request.last = kAtlasScreen;
  const AtlasPrediction screen = predict_atlas(request).value();
  EXPECT_EQ(screen.open, 0u);
  EXPECT_GT(screen.screen_seconds, 0);
  EXPECT_EQ(screen.needs.seconds, screen.screen_seconds);
  EXPECT_GT(screen.needs.memory_bytes.value(), process_bytes(nullptr) + screen.differing * 60);
  // Shares add up, and a table at a time is in memory where the values go to disk.
  const auto directory = fresh_directory();
  request.last = 20'000;
  request.output = directory / "a.h5";
  HeapSize own = 0;
  for (std::uint64_t part = 1; part <= 4; ++part) {
    request.part = WorkPart{part, 4};
    const AtlasPrediction share = predict_atlas(request).value();
    EXPECT_GE(share.needs.memory_bytes, process_bytes(nullptr) + 2u * 20'000);
    EXPECT_LT(share.needs.memory_bytes, whole.needs.memory_bytes);
    own += share.own;
  }
  EXPECT_EQ(own, open);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(predict_atlas(request, {.stop = stop.get_token()}));
}

TEST(Atlas, RefusesWhatCannotBe) {
  const auto directory = fresh_directory();
  std::ofstream(directory / "taken.h5") << "mine";
  EXPECT_THROW(atlas({}, 100), Error);
  EXPECT_THROW(atlas({"0.77"}, 100, directory / "taken.h5"), Error);
  EXPECT_THROW(atlas({"0.77"}, 100, directory / "none" / "a.h5"), Error);
  EXPECT_THROW(atlas({"0.77"}, HeapSize{1} << 48), Error);
  EXPECT_EQ(
      testing_support::code_of([] { static_cast<void>(atlas({"0.6"}, (HeapSize{1} << 48) - 1)); }),
      ErrorCode::kFailure);  // does not fit memory
  EXPECT_EQ(bytes_of(directory / "taken.h5"), "mine");
}

}  // namespace
}  // namespace grundy
