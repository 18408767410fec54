#include "app/manual/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/manual/option_text.h"
#include "app/settings/settings_table.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

OptionText text_of(OptionRow row) {
  return option_text(row);
}

TEST(Manual, AnOptionOffersTheValuesOfItsTypeAndItsRow) {
  const OptionText backend = text_of({"", "--backend", "auto|cpu", "processor (default: auto)", nullptr});
  EXPECT_THAT(backend.values, ElementsAre("auto", "cpu"));
  EXPECT_EQ(backend.summary, "processor");
  EXPECT_FALSE(backend.files);
  const OptionText precision = text_of({"", "--precision", "float|double", "", nullptr, false, {"float", "double"}});
  EXPECT_THAT(precision.values, ElementsAre("float", "double"));
  const OptionText path = text_of({"", "--camera-path", "FILE|scene|off", "path", nullptr});
  EXPECT_THAT(path.values, ElementsAre("scene", "off"));
  EXPECT_TRUE(path.files);
  const OptionText solver = text_of({"", "-a,!--solver", "LIST", "names", nullptr, false, {"fmm"}});
  EXPECT_THAT(solver.names, ElementsAre("-a", "--solver"));
  EXPECT_THAT(solver.values, ElementsAre("fmm"));
  EXPECT_TRUE(solver.is_list);
  EXPECT_THAT(text_of({"", "--size", "WxH", "size", nullptr}).values, testing::IsEmpty());
}

/// A name that completions offer but the program refuses would be a trap.
TEST(Manual, EverySettingReadsTheValuesThatItOffers) {
  std::set<std::string> with_values;
  for (const SettingRow& setting : settings_table()) {
    if (setting.help.empty()) continue;
    for (const std::string& value :
         option_text({setting.group, "--" + setting.key, setting.type, setting.help, nullptr, false, setting.values})
             .values) {
      Options options;
      EXPECT_NO_THROW(setting.read({"--" + setting.key, value}, options)) << setting.key << '=' << value;
      with_values.insert(setting.key);
    }
  }
  for (const char* key : {"scene", "precision", "dimension", "integrator", "simd", "color-by", "color-map", "theme",
                          "sky", "opening", "walk"})
    EXPECT_TRUE(with_values.contains(key)) << key;
}

TEST(Manual, EveryOptionWithANameOffersNames) {
  for (const CommandInfo& command : all_commands()) {
    for (const OptionText& option : options_of(command)) {
      if (option.type.find("NAME") == std::string::npos) continue;
      EXPECT_FALSE(option.values.empty()) << command.name << ' ' << option.names.front();
    }
  }
}

TEST(Manual, DescribesAllCommandsAndOptions) {
  const std::vector<CommandInfo> commands = all_commands();
  EXPECT_THAT(subcommands_of(commands.front(), commands),
              ElementsAre("bench", "export", "submit", "check-lessons", "worksheet"));
  const std::string page = man_page(commands);
  for (const CommandInfo& command : commands) {
    for (const OptionText& option : options_of(command))
      EXPECT_THAT(page, HasSubstr("\\fB" + replaced(option.names.back(), "-", "\\-") + "\\fR"));
  }
  EXPECT_THAT(page, HasSubstr("\\fB\\-n\\fR, \\fB\\-\\-bodies\\fR \\fIN\\fR\n"));
}

TEST(Manual, NoLineOfThePageIsAnUnknownMacro) {
  const std::set<std::string> known = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br", ".nf", ".fi", ".\\\""};
  std::string page = man_page(all_commands());
  for (std::size_t at = 0; at < page.size(); at = page.find('\n', at) + 1) {
    const std::string line = page.substr(at, page.find('\n', at) - at);
    EXPECT_FALSE(line.starts_with('\'')) << line;
    const bool is_macro = line.starts_with('.');
    EXPECT_TRUE(!is_macro || known.contains(line.substr(0, line.find(' ')))) << line;
  }
}

TEST(Manual, EachAnswerIsOfItsShell) {
  EXPECT_THAT(generated_text("man"), HasSubstr("\n.TH PERICENTER 1 "));
  EXPECT_THAT(generated_text("bash"), HasSubstr("complete -F _pericenter pericenter"));
  EXPECT_THAT(generated_text("zsh"), testing::StartsWith("#compdef pericenter\n"));
  EXPECT_THAT(generated_text("fish"), HasSubstr("complete -c pericenter"));
}

}  // namespace
}  // namespace pericenter::app
