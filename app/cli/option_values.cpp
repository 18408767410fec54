#include "app/cli/option_values.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <sstream>
#include <system_error>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/cli/command_line.h"

namespace pericenter::app {
namespace {

constexpr int kMaxPixels = 16384;  // every OpenGL 4.5 driver has textures as wide

/// Reads all of `text`; a number too large for the type is not an error of syntax but reads as the largest.
template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) number = std::numeric_limits<Number>::max();
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

/// Number of insertions, deletions and replacements between the two (Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string quoted(const std::string& text) {
  return text.empty() ? "an empty text" : "'" + text + "'";
}

}  // namespace

std::uint64_t whole_number(const Argument& argument, std::string_view what, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  if (read(argument.text, number) && number >= least && number <= most) return number;
  const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
  throw CommandLineError(argument.option + " takes " + std::string(what) + ", a whole number " +
                         (bounded ? "from " + std::to_string(least) + " to " + std::to_string(most)
                                  : "of at least " + std::to_string(least)) +
                         ", not " + quoted(argument.text) + ".");
}

double real_number(const Argument& argument) {
  double number = 0;
  if (read(argument.text, number)) return number;
  throw CommandLineError(argument.option + " takes a number such as 0.5, not " + quoted(argument.text) + ".");
}

std::pair<int, int> picture_size(const Argument& argument) {
  const std::string_view text = argument.text;
  const std::size_t cross = text.find('x');
  int width = 0, height = 0;
  if (cross != text.npos && read(text.substr(0, cross), width) && read(text.substr(cross + 1), height) && width >= 1 &&
      width <= kMaxPixels && height >= 1 && height <= kMaxPixels) {
    return {width, height};
  }
  throw CommandLineError(argument.option + " takes width x height in pixels, such as 1280x720, each from 1 to " +
                         std::to_string(kMaxPixels) + ", not " + quoted(argument.text) + ".");
}

std::size_t one_of(const Argument& argument, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), argument.text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string hint = did_you_mean(argument.text, names);
  throw CommandLineError(argument.option + " takes " + list_of(names) + ", not " + quoted(argument.text) +
                         (hint.empty() ? "." : hint));
}

std::string list_of(std::span<const std::string_view> names) {
  std::string list;
  for (std::size_t k = 0; k < names.size(); ++k) {
    list += std::string(k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + std::string(names[k]);
  }
  return list;
}

std::vector<Argument> list_items(const Argument& argument) {
  std::vector<Argument> items;
  std::istringstream texts(argument.text + ",");
  for (std::string item; std::getline(texts, item, ',');) items.push_back({argument.option, item});
  return items;
}

void check_bodies(const SceneInfo& scene, std::size_t bodies, const Config& config) {
  const std::string given = "-n is " + std::to_string(bodies), name(scene.name);
  if (scene.fixed_bodies != 0 && bodies != scene.fixed_bodies) {
    throw CommandLineError(given + "; scene " + name + " has just " + std::to_string(scene.fixed_bodies) +
                           " bodies, so leave -n out.");
  }
  if (bodies < scene.min_bodies) {
    throw CommandLineError(given + "; scene " + name + " needs at least " + std::to_string(scene.min_bodies) +
                           " bodies.");
  }
  const double needed = memory_for(bodies, config), available = available_memory();
  if (available > 0 && needed > available) {
    constexpr double kGib = 1 << 30;
    throw CommandLineError(given + text("; so many bodies need about %.1f GiB of memory, and %.1f GiB are free.",
                                        needed / kGib, available / kGib));
  }
  if (const std::size_t most = max_addressable_bodies(config); bodies > most) {
    const bool on_cuda = config.backend == Backend::cuda;
    throw CommandLineError(given + "; at most " + std::to_string(most) + " are possible" +
                           (on_cuda ? " with the solver " + config.solver + " on CUDA." : "."));
  }
}

std::string did_you_mean(std::string_view text, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, text.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(text, name);
    if (distance < best_distance && distance < name.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : "; did you mean " + std::string(best) + "?";
}

}  // namespace pericenter::app
