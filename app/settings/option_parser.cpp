#include "app/settings/option_parser.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <deque>
#include <stdexcept>
#include <utility>

#include "app/settings/command_line_error.h"
#include "app/settings/setting_values.h"

namespace pericenter::app {
namespace {

[[noreturn]] void refuse_extra(const std::string& extra, const CLI::App& cli) {
  if (extra.empty() || extra.front() != '-') {
    throw CommandLineError("'" + extra + "' is not an option; options begin with --, see --help.");
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : cli.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string hint =
      did_you_mean(extra.substr(0, extra.find('=')), std::vector<std::string_view>(known.begin(), known.end()));
  throw CommandLineError("unknown option " + extra + (hint.empty() ? "; see --help." : hint));
}

std::string first_name(const std::string& names) {
  return names.substr(0, names.find_first_of(",:"));
}

/// Writes the names of an option as "-n, --bodies", and a negated flag without CLI11's suffix {false}.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    constexpr std::string_view kNegated = "{false}";
    std::string names = CLI::Formatter::make_option_name(option, is_positional);
    if (const std::size_t at = names.find(kNegated); at != names.npos) names.erase(at, kNegated.size());
    for (std::size_t at = names.find(','); at != names.npos; at = names.find(',', at + 1)) names.insert(at + 1, 1, ' ');
    return names;
  }
};

}  // namespace

struct OptionParser::Impl {
  CLI::App cli;
  OptionRows rows;
  std::deque<std::string> texts;  // one per row; CLI11 holds references
  std::deque<std::vector<std::string>> lists;
  std::deque<bool> flags;
  std::vector<CLI::Option*> options;

  Impl(const ProgramHelp& program, OptionRows all) : cli(program.description, program.command), rows(std::move(all)) {
    cli.footer(program.footer);
    cli.formatter(std::make_shared<HelpFormatter>());
    cli.get_formatter()->column_width(34);
    cli.allow_extras();
    for (const OptionRow& row : rows) {
      lists.emplace_back();
      if (row.many) {
        options.push_back(cli.add_option(row.names, lists.back(), row.help)->type_name(row.type));
        texts.emplace_back();
        flags.push_back(false);
        continue;
      }
      if (is_flag(row)) {
        options.push_back(cli.add_flag(row.names, flags.emplace_back(false), row.help)->group(row.group));
        texts.emplace_back();
        continue;
      }
      CLI::Option* option = cli.add_option(row.names, texts.emplace_back(), row.help)->type_name(row.type);
      if (!row.group.empty()) option->group(row.group)->take_last();
      flags.push_back(false);
      options.push_back(option);
    }
    cli.set_help_flag("-h,--help", kHelpHelp)->group("Help");
  }

  static bool is_positional(const OptionRow& row) { return row.names.front() != '-'; }
  static bool is_flag(const OptionRow& row) { return row.type.empty() && !is_positional(row); }
  bool is_given(std::size_t k) const { return options[k]->count() > 0; }
};

OptionRow flag(std::string group, std::string names, std::string help, bool& value) {
  return {
      std::move(group), std::move(names), {}, std::move(help), [&value](const Argument& a) { value = a.text == "on"; }};
}

OptionRow seed_option(const char* group, std::uint64_t& seed) {
  return {group, "--seed", kSeedType, kSeedHelp, [&](const Argument& a) { seed = whole_number(a, 0); }};
}

OptionRow config_option(const char* group, std::string_view key, Config& config) {
  OptionRow row;
  for_each_config_setting([&](const SettingInfo& info, auto member) {
    if (info.key != key) return;
    row = {group,
           "--" + std::string(key),
           std::string(info.type),
           std::string(info.help),
           [&config, member, range = info.range](const Argument& a) { read_value(a, range, config.*member); },
           false,
           value_names<std::remove_cvref_t<decltype(config.*member)>>()};
  });
  return row;
}

OptionRow gpus_option(const char* group, Config& config) {
  return {
      group, "--gpus", "N|all",
      "NVIDIA GPUs of this machine that divide the forces of the solver fmm, with the same bits as one (default: 1)",
      [&](const Argument& a) { config.gpus = a.text == "all" ? 0 : static_cast<int>(whole_number(a, 1, kMaxGpus)); }};
}

void add_solver_options(const char* type, const std::function<void(SolverOption, const Argument&)>& set,
                        OptionRows& rows) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const SolverOptionInfo& info = solver_option_info(which);
    rows.push_back({kSolverOptionsGroup, "--" + std::string(info.name), type, solver_option_help(info),
                    [set, which](const Argument& a) { set(which, a); }, false, copies_of(names_of(info.values))});
  }
}

std::string solver_option_help(const SolverOptionInfo& info) {
  std::string help(info.summary.substr(0, info.summary.find('.')));
  help.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(help.front())));
  return help + ":\n" + list_of(names_of(info.values));
}

int solver_option_value(SolverOption which, const Argument& argument) {
  return static_cast<int>(one_of(argument, names_of(solver_option_info(which).values)));
}

std::string solver_option_text(const Config& config, SolverOption which) {
  const int value = config.solver_options[which];
  if (value == SolverOptions::kDefault) return {};
  return std::string(solver_option_info(which).values[static_cast<std::size_t>(value)].name);
}

int thread_count(const Argument& argument) {
  return static_cast<int>(whole_number(argument, 0, kMaxThreads));
}

OptionParser::OptionParser(const ProgramHelp& program, OptionRows rows)
    : impl_(std::make_unique<Impl>(program, std::move(rows))) {}

OptionParser::~OptionParser() = default;

std::optional<std::string> OptionParser::read(int argc, const char* const* argv) {
  try {
    impl_->cli.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return impl_->cli.help();
  } catch (const CLI::ArgumentMismatch& error) {
    throw CommandLineError(first_name(error.what()) + " needs a value, see --help.");
  } catch (const CLI::ParseError& error) {
    throw CommandLineError(error.what());
  } catch (const std::out_of_range&) {  // CLI11 parses the value of a flag as a 64-bit number
    throw CommandLineError("a flag has a number that is too large; flags need no value, see --help.");
  }
  if (!impl_->cli.remaining().empty()) refuse_extra(impl_->cli.remaining().front(), impl_->cli);
  for (std::size_t k = 0; k < impl_->rows.size(); ++k) {
    const OptionRow& row = impl_->rows[k];
    if (!impl_->is_given(k)) continue;
    for (const std::string& word : impl_->lists[k]) row.apply({first_name(row.names), word});
    if (row.many) continue;
    row.apply({first_name(row.names), Impl::is_flag(row) ? (impl_->flags[k] ? "on" : "off") : impl_->texts[k]});
  }
  return std::nullopt;
}

std::vector<std::string> OptionParser::given() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < impl_->rows.size(); ++k) {
    const OptionRow& row = impl_->rows[k];
    if (impl_->is_given(k) && !Impl::is_flag(row) && !Impl::is_positional(row)) names.push_back(first_name(row.names));
  }
  return names;
}

}  // namespace pericenter::app
