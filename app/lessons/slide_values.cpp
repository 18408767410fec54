#include "app/lessons/slide_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/plots/lab_plots.h"
#include "app/settings/option_values.h"
#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

constexpr double kMaxUntilSeconds = 3600, kMaxUntilMyr = 1e6, kMaxBirthRadius = 1e6;
constexpr int kMaxGalaxy = 1 << kTagGalaxyBits;

struct UntilName {
  std::string_view name;
  SlideEnd end;
};
const std::array<UntilName, 5> kUntilNames = {{
    {"pericentre", UntilEvent{EncounterEventKind::pericenter}},
    {"apocentre", UntilEvent{EncounterEventKind::apocenter}},
    {"first tails", UntilEvent{EncounterEventKind::tails}},
    {"merger", UntilEvent{EncounterEventKind::merger}},
    {"start", UntilStart{}},
}};

[[noreturn]] void refuse_value(std::string_view text, const std::vector<std::string_view>& allowed) {
  throw std::invalid_argument("is '" + std::string(text) + "'" + did_you_mean(text, allowed) + "; it must be " +
                              list_of(allowed) + ".");
}

/// Removes a number from the beginning; nullopt if there is none in (0, max].
std::optional<double> take_number(std::string_view& text, double max) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0 && number <= max)) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_text(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Index of the galaxy of "galaxy 1".
std::optional<int> galaxy_index(std::string_view text) {
  if (!take_text(text, "galaxy ")) return {};
  const std::optional<double> number = take_number(text, kMaxGalaxy);
  if (!number || !text.empty() || *number != std::floor(*number)) return {};
  return static_cast<int>(*number) - 1;
}

}  // namespace

SlideEnd parse_until(std::string_view text) {
  const auto named = std::ranges::find(kUntilNames, text, &UntilName::name);
  if (named != kUntilNames.end()) return named->end;
  std::string_view rest = text;
  if (const auto myr = take_number(rest, kMaxUntilMyr); myr && rest == " Myr") return UntilTime{*myr};
  rest = text;
  if (const auto seconds = take_number(rest, kMaxUntilSeconds); seconds && rest == " s") return UntilSeconds{*seconds};
  std::vector<std::string_view> allowed;
  for (const UntilName& row : kUntilNames) allowed.push_back(row.name);
  allowed.insert(allowed.end(), {"a time of the run such as 390 Myr", "seconds such as 8 s"});
  refuse_value(text, allowed);
}

SlideAction parse_action(std::string_view text) {
  if (text == "run backwards") return SlideAction::run_backwards;
  if (text == "undo") return SlideAction::undo;
  refuse_value(text, {"run backwards", "undo"});
}

Follow parse_follow(std::string_view text) {
  if (text == "centre of mass") return {.what = Follow::What::center_of_mass};
  if (const auto galaxy = galaxy_index(text)) return {.what = Follow::What::galaxy, .galaxy = *galaxy};
  refuse_value(text, {"galaxy 1", "galaxy 2", "centre of mass"});
}

Highlight parse_highlight(std::string_view text) {
  if (text == "tails") return {.what = Highlight::What::tails};
  if (text == "young stars") return {.what = Highlight::What::young};
  if (const auto galaxy = galaxy_index(text)) return {.what = Highlight::What::galaxy, .galaxy = *galaxy};
  std::string_view rest = text;
  if (take_text(rest, "birth radius ")) {
    const bool from_center = take_text(rest, "0 to ");
    const auto first = from_center ? 0 : take_number(rest, kMaxBirthRadius);
    const bool has_to = from_center || take_text(rest, " to ");
    const auto last = take_number(rest, kMaxBirthRadius);
    if (first && has_to && last && rest == " kpc" && *first < *last)
      return {.what = Highlight::What::birth_radius, .first_kpc = *first, .last_kpc = *last};
  }
  refuse_value(text, {"tails", "young stars", "galaxy 1", "galaxy 2", "birth radius 8 to 15 kpc"});
}

std::string parse_plot(std::string_view text) {
  // The IDs of all plots: also those that a run has only with two galaxies, or after it turned around.
  std::vector<std::string_view> ids = {"cost", "separation", "start-distance"};
  const SessionState empty;
  for (const LabPlot& plot : lab_plots({.run = empty}))
    if (std::ranges::find(ids, plot.id) == ids.end()) ids.push_back(plot.id);
  if (std::ranges::find(ids, text) == ids.end()) refuse_value(text, ids);
  return std::string(text);
}

}  // namespace pericenter::app
