/// @file
/// Tables in parts on the command line. They are read like other tables and merged, and they are
/// refused if a part is missing.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <grundy/machine.hpp>
#include <grundy/table.hpp>

#include "cli/run_grundy.hpp"
#include "core/digest.hpp"
#include "table/table_of_parts.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using ::testing::HasSubstr;

class PartsCli : public CommandTest {
 protected:
  /// A table of a game in one file, `w.h5`, and in three parts, `t.h5`.
  void SetUp() override {
    ASSERT_EQ(run({"compute", "wythoff", "--shape", "300x200", "-o", "w.h5", "-q"}).code, 0);
    const auto table = TableReader::open(directory() / "w.h5");
    const TableInfo& info = table->info();
    const auto executor = make_executor(2);
    std::uint64_t slab = 0;
    for (std::uint64_t number = 0; number < 3; ++number) {
      const TablePart part{number, 3, slab, 100 * (number + 1)};
      slab = part.end_slab;
      const std::uint64_t begin = part.begin(info.layout);
      std::vector<Nimber> values(part.entries(info.layout));
      table->read(begin, values);
      const auto writer =
          create_part_writer(directory() / "t.h5", info.layout, part, *executor, {});
      writer->put({.begin = begin, .values = Values(std::span(values)), .table = {}});
      TableInfo some = info;
      some.stats = stats_of(values);
      some.computed = some.stats.count;
      std::vector<std::uint64_t> zeros;
      for (std::uint64_t entry = 0; entry < values.size(); ++entry) {
        if (values[entry] == 0) zeros.push_back(entry);
      }
      writer->finish(some, zeros);
    }
    EXPECT_EQ(make_table_of_parts(directory() / "t.h5", info, {}), info);
  }

  static TableStats stats_of(const std::vector<Nimber>& values) {
    TableStats stats;
    stats.count = values.size();
    for (std::uint64_t entry = 0; entry < values.size(); ++entry) {
      const Nimber value = values[entry];
      if (entry == 0 || value > stats.max_value) {
        stats.max_value = value;
        stats.argmax = entry;
        stats.records.push_back({entry, value});
        stats.histogram.resize(value + 1);
      }
      ++stats.histogram[value];
    }
    ValueDigest digest;
    digest.update(Values(std::span(values)));
    stats.digest = digest.value();
    return stats;
  }
};

TEST_F(PartsCli, AreReadAsOneTable) {
  json one = output_json({"info", "w.h5"});
  json parts = output_json({"info", "t.h5"});
  EXPECT_EQ(parts["parts"],
            json({"t.parts/part-0000.h5", "t.parts/part-0001.h5", "t.parts/part-0002.h5"}));
  EXPECT_THAT(output({"info", "t.h5"}), HasSubstr("3 in t.parts,"));
  for (const char* field : {"file", "file_bytes", "chunk_values", "parts"}) {
    one.erase(field);
    parts.erase(field);
  }
  EXPECT_EQ(parts, one);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"query", "FILE", "150,70"},
        {"query", "FILE", "299,199"},
        {"export", "FILE", "--format", "csv", "--terms", "60000"},
        {"export", "FILE", "--format", "csv", "--value", "0"}}) {
    std::vector<std::string> of_one = words;
    std::vector<std::string> of_parts = words;
    of_one[1] = "w.h5";
    of_parts[1] = "t.h5";
    EXPECT_EQ(output(of_parts), output(of_one)) << words[0];
  }
  EXPECT_THAT(output({"verify", "t.h5", "--seconds", "0.2"}), HasSubstr("are proved"));
  EXPECT_THAT(output({"verify", "t.h5", "--range", "0:59999"}), HasSubstr("0 to 59 999"));
}

TEST_F(PartsCli, MergeMakesOneFile) {
  const json merged = output_json({"merge", "t.h5", "-o", "m.h5", "--reproducible"});
  EXPECT_EQ(merged["digest"], output_json({"info", "w.h5"})["digest"]);
  fs::remove_all(directory() / "t.parts");
  fs::remove(directory() / "t.h5");
  EXPECT_EQ(output({"export", "m.h5", "--format", "csv", "--terms", "60000"}),
            output({"export", "w.h5", "--format", "csv", "--terms", "60000"}));
  json one = output_json({"info", "w.h5"});
  json file = output_json({"info", "m.h5"});
  for (const char* field : {"file", "file_bytes"}) {
    one.erase(field);
    file.erase(field);
  }
  EXPECT_EQ(file, one);
  EXPECT_EQ(output_json({"verify", "m.h5", "--range", "0:59999"})["ok"], true);
}

TEST_F(PartsCli, MergeRefuses) {
  EXPECT_THAT(refusal({"merge", "t.h5", "-o", "w.h5"}, kUsage), HasSubstr("'w.h5' exists"));
  EXPECT_THAT(refusal({"merge", "w.h5", "-o", "m.h5"}, kUsage), HasSubstr("nothing to merge"));
  EXPECT_THAT(refusal({"merge", "t.parts/part-0001.h5", "-o", "m.h5"}, kUsage),
              HasSubstr("is one part of a table; open the table"));
  fs::create_symlink("t.parts/part-0002.h5", directory() / "link.h5");
  for (const char* among : {"t.parts/part-0001.h5", "t.parts/m.h5", "link.h5"}) {
    EXPECT_THAT(refusal({"merge", "t.h5", "-o", among, "--force"}, kUsage),
                HasSubstr("is among the parts of the table"));
  }
  EXPECT_THAT(refusal({"merge", "none.h5", "-o", "m.h5"}, kUsage), HasSubstr("none.h5"));
  EXPECT_EQ(run({"merge", "t.h5", "-o", "w.h5", "--force", "-q"}).code, 0);
}

TEST_F(PartsCli, AMissingPartIsExitCode4) {
  fs::rename(directory() / "t.parts/part-0001.h5", directory() / "away");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"info", "t.h5"},
                                                {"query", "t.h5", "150,70"},
                                                {"export", "t.h5", "--format", "csv"},
                                                {"verify", "t.h5"},
                                                {"merge", "t.h5", "-o", "m.h5"}}) {
    EXPECT_THAT(refusal(words, kCorrupt), HasSubstr("part 't.parts/part-0001.h5' is missing"))
        << words[0];
  }
  fs::rename(directory() / "away", directory() / "t.parts/part-0001.h5");
  fs::rename(directory() / "t.parts/part-0002.h5", directory() / "away");
  fs::copy_file(directory() / "t.parts/part-0001.h5", directory() / "t.parts/part-0002.h5");
  EXPECT_THAT(refusal({"query", "t.h5", "10,10"}, kCorrupt), HasSubstr("part-0002.h5"));
}

TEST_F(PartsCli, APartIsNoTable) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", "t.parts/part-0001.h5"},
        {"query", "t.parts/part-0001.h5", "1,1"},
        {"verify", "t.parts/part-0001.h5"},
        {"release", "data", "t.parts/part-0001.h5", "--creator", "Lovelace, Ada"}}) {
    EXPECT_THAT(refusal(words, kUsage), ::testing::ContainsRegex("is (one|a) part of a table"))
        << words[0];
  }
}

TEST_F(PartsCli, AReleaseWantsOneFile) {
  EXPECT_THAT(refusal({"release", "data", "t.h5", "--creator", "Lovelace, Ada"}, kUsage),
              HasSubstr("merge its parts (grundy merge)"));
}

}  // namespace
}  // namespace grundy::testing
