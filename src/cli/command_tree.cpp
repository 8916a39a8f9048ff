// SPDX-License-Identifier: MIT
#include "cli/command_tree.hpp"

#include <algorithm>

namespace grundy::cli {
namespace {

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  text.help = option.get_description();
  if (option.nonpositional()) {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
  } else {
    text.value = option.get_name(true);
  }
  return text;
}

CommandText text_of(const CLI::App& app) {
  CommandText text;
  text.name = app.get_name();
  text.help = app.get_description();
  text.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) text.options.push_back(text_of(*option));
  std::ranges::stable_partition(text.options, [](const OptionText& o) { return o.names.empty(); });
  return text;
}

}  // namespace

std::vector<CommandText> command_tree(const CLI::App& app) {
  std::vector<CommandText> tree{text_of(app)};
  for (const CLI::App* command : app.get_subcommands({})) tree.push_back(text_of(*command));
  return tree;
}

}  // namespace grundy::cli
