#include "app/cli/option_parser.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "app/cli/command_line.h"

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
  throw CommandLineError("there is no option " + extra + (hint.empty() ? "; see --help." : hint));
}

std::string first_name(const std::string& names) {
  return names.substr(0, names.find_first_of(",:"));
}

}  // namespace

ValueOption seed_option(const char* group, std::uint64_t& seed) {
  return {group, "--seed", "SEED", "seed of the random numbers; the same seed gives the same bodies (1)",
          [&](const Argument& a) { seed = whole_number(a, "a seed", 0, UINT64_MAX); }};
}

ValueOption dimension_option(const char* group, Config& config) {
  return {group, "--dimension", "2|3", "2: bodies in a plane under the same softened force (3)",
          [&](const Argument& a) {
            constexpr std::array<std::string_view, 2> names = {"2", "3"};
            config.dimension = static_cast<int>(2 + one_of(a, names));
          }};
}

void add_config_options(const char* group, Config& config, ValueOptions& rows) {
  rows.push_back({group, "--precision", "float|double", "of the solver (float)",
                  [&](const Argument& a) { config.precision = static_cast<Precision>(one_of(a, kPrecisionNames)); }});
  rows.push_back({group, "--multipole", "NAME", "what far cells act with: monopole or quadrupole (quadrupole)",
                  [&](const Argument& a) { config.multipole = static_cast<Multipole>(one_of(a, kMultipoleNames)); }});
  rows.push_back({group, "--simd", "NAME", "vector instructions of the CPU: plain, avx2, avx512 or best (best)",
                  [&](const Argument& a) { config.simd = static_cast<Simd>(one_of(a, kSimdNames)); }});
}

void add_switch_options(const char* type, const std::function<void(SolverOption, const Argument&)>& set,
                        ValueOptions& rows) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const SolverOptionInfo& info = solver_option_info(which);
    std::string help(info.summary.substr(0, info.summary.find('.')));
    help.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(help.front())));
    rows.push_back({"Optimization ladder", "--" + std::string(info.name), type,
                    help + ":\n" + list_of(names_of(info.values)) + " (the solver's own)",
                    [set, which](const Argument& a) { set(which, a); }});
  }
}

int solver_option_value(SolverOption which, const Argument& argument) {
  return static_cast<int>(one_of(argument, names_of(solver_option_info(which).values)));
}

int thread_count(const Argument& argument) {
  return static_cast<int>(whole_number(argument, "a number of threads", 0, 1024));
}

OptionReader::OptionReader(CLI::App& cli, ValueOptions rows) : cli_(cli), rows_(std::move(rows)), texts_(rows_.size()) {
  cli.get_formatter()->column_width(34);
  cli.allow_extras();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    options_.push_back(cli.add_option(rows_[k].names, texts_[k], rows_[k].help)->type_name(rows_[k].type));
    options_.back()->group(rows_[k].group)->take_last();
  }
}

std::optional<std::string> OptionReader::read(int argc, const char* const* argv) {
  try {
    cli_.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return cli_.help();
  } catch (const CLI::ArgumentMismatch& error) {
    throw CommandLineError(first_name(error.what()) + " needs a value, see --help.");
  } catch (const CLI::ParseError& error) {
    throw CommandLineError(error.what());
  } catch (const std::out_of_range&) {  // CLI11 reads the value of a flag as a number of 64 bits
    throw CommandLineError("a number given to a flag has too many digits; flags take none, see --help.");
  }
  if (!cli_.remaining().empty()) refuse_extra(cli_.remaining().front(), cli_);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (options_[k]->count() > 0) rows_[k].apply({first_name(rows_[k].names), texts_[k]});
  }
  return std::nullopt;
}

std::vector<std::string> OptionReader::given() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (options_[k]->count() > 0) names.push_back(first_name(rows_[k].names));
  }
  return names;
}

}  // namespace pericenter::app
