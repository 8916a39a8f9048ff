// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/nim.hpp>

#include "cli/commands.hpp"
#include "cli/run_options.hpp"
#include "core/text_file.hpp"

namespace grundy::cli {
namespace {

/// The largest table of nim-addition; it takes the cube of this in steps.
constexpr std::uint64_t kLargestTable = 500;

struct NimOptions {
  std::vector<std::string> expression;
  std::string table;
  bool product = false;
};

/// Nim-addition by its definition, compared with binary addition without carry.
std::vector<std::uint64_t> addition_table(std::size_t size) {
  std::vector<std::uint64_t> table = nim_addition_by_mex(size);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i] != nim_sum(i / size, i % size)) {
      throw Error(ErrorCode::kMismatch,
                  fmt::format("the mex rule gives {} for {} + {}, and xor does not; do not trust "
                              "this machine or build",
                              table[i], i / size, i % size));
    }
  }
  return table;
}

std::vector<std::uint64_t> product_table(std::size_t size) {
  std::vector<std::uint64_t> table(size * size);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = nim_product(i / size, i % size);
  return table;
}

int print_table(Console& console, std::uint64_t largest, bool product) {
  if (largest > kLargestTable) {
    throw Error(ErrorCode::kUsage, fmt::format("--table: a table up to {} is too large; the limit "
                                               "is {}",
                                               largest, kLargestTable));
  }
  const std::size_t size = largest + 1;
  const auto table = product ? product_table(size) : addition_table(size);
  const auto row = [&](std::size_t a) { return std::span(table).subspan(a * size, size); };
  if (console.json) {
    Json rows = Json::array();
    for (std::size_t a = 0; a < size; ++a) {
      rows.push_back(std::vector<std::uint64_t>(row(a).begin(), row(a).end()));
    }
    console.print_json({{"operation", product ? "nim-product" : "nim-sum"}, {"rows", rows}});
    return 0;
  }
  const std::size_t width = std::to_string(std::ranges::max(table)).size();
  const auto line = [&](const std::string& head, const auto& entries) {
    std::string text = fmt::format("{:>{}} |", head, width);
    for (const std::uint64_t entry : entries) text += fmt::format(" {:>{}}", entry, width);
    console.print("{}\n", text);
  };
  std::vector<std::uint64_t> heads(size);
  for (std::size_t b = 0; b < size; ++b) heads[b] = b;
  line(product ? "*" : "+", heads);
  console.print("{:->{}}+{:->{}}\n", "", width + 1, "", size * (width + 1));
  for (std::size_t a = 0; a < size; ++a) line(std::to_string(a), row(a));
  return 0;
}

Json value_json(std::string_view expression, std::uint64_t value) {
  return {{"expression", expression}, {"value", value}};
}

/// Prints the values of a list of expressions; if one expression is wrong, prints no values.
int print_list(Console& console, const std::string& path) {
  std::string lines;
  Json list = Json::array();
  for_each_item(path, [&](std::string_view expression) {
    const std::uint64_t value = nim_evaluate(expression);
    if (console.json) {
      list.push_back(value_json(expression, value));
    } else {
      lines += fmt::format("{}\n", value);
    }
  });
  if (console.json) {
    console.print_json(list);
  } else {
    console.print("{}", lines);
  }
  return 0;
}

int run_nim(Console& console, const NimOptions& options) {
  const bool table = !options.table.empty();
  if (table == !options.expression.empty()) {
    throw Error(
        ErrorCode::kUsage,
        "nim takes either an expression, such as \"5 ^ 8 ^ 10\", a list @FILE, or --table N");
  }
  if (options.product && !table) {
    throw Error(ErrorCode::kUsage, "--product needs --table N; in an expression it is written *");
  }
  if (options.expression.size() == 1 && options.expression.front().starts_with('@')) {
    return print_list(console, options.expression.front().substr(1));
  }
  if (table) return print_table(console, count_option("--table", options.table), options.product);
  const std::string expression = fmt::format("{}", fmt::join(options.expression, " "));
  const std::uint64_t value = nim_evaluate(expression);
  if (console.json) {
    console.print_json(value_json(expression, value));
  } else {
    console.print("{}\n", value);
  }
  return 0;
}

}  // namespace

Command nim_command(Console& console) {
  auto options = std::make_shared<NimOptions>();
  Command command{.name = "nim", .help = "Calculate with nimbers"};
  command.add({
      {.names = "EXPRESSION",
       .target = &options->expression,
       .help = "Numbers, ^ or + (nim-sum), * (product), /, **, (), inv(x), mex(x,y,...); or "
               "@FILE with one expression a line, @- for standard input"},
      {.names = "--table",
       .value = "N",
       .target = &options->table,
       .help = "Print the table of nim-addition for 0 to N"},
      {.names = "--product",
       .target = &options->product,
       .help = "With --table: nim-multiplication instead"},
  });
  command.footer =
      R"(The addition table is computed as mex of what stands above and to the left, and
compared with binary addition without carry. In a list blank lines do not count, and
# starts a comment.

Examples:
  grundy nim "5 ^ 8 ^ 10"
  grundy nim "inv(7) * 5 ** 2"
  grundy nim --table 10
  printf '2 * 3  # a product\n5 ^ 8\n' | grundy nim @-
)";
  command.run = [&console, options](const Command&) { return run_nim(console, *options); };
  return command;
}

}  // namespace grundy::cli
