#include "app/settings/option_values.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <sstream>
#include <system_error>

#include "app/base/format.h"
#include "app/settings/command_line_error.h"

namespace pericenter::app {
namespace {

constexpr int kMaxPixels = 16384;  // texture size that every OpenGL 4.5 driver supports

/// Parses all of `text`; false if it is no number or out of the range of its type.
template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Whether `text` is a number that is too large or too close to 0 for Number.
template <class Number>
bool out_of_range(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc::result_out_of_range && end == text.data() + text.size();
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

[[noreturn]] void fail(const Argument& argument, const std::string& allowed) {
  const std::string given = argument.text.empty() ? "empty" : "'" + argument.text + "'";
  throw CommandLineError(argument.option + " must be " + allowed + ", not " + given + ".");
}

}  // namespace

std::uint64_t whole_number(const Argument& argument, std::uint64_t min, std::uint64_t max) {
  std::uint64_t number = 0;
  if (read(argument.text, number) && number >= min && number <= max) return number;
  const std::string low = std::to_string(min), high = std::to_string(max);
  const bool bounded = max != std::numeric_limits<std::uint64_t>::max() || out_of_range<std::uint64_t>(argument.text);
  fail(argument, max - min == 1 ? low + " or " + high
                 : bounded      ? "a whole number from " + low + " to " + high
                                : "a whole number of at least " + low);
}

double real_number(const Argument& argument) {
  double number = 0;
  if (read(argument.text, number)) return number;
  if (out_of_range<double>(argument.text)) fail(argument, "0 or a number between 5e-324 and 1.8e308");
  fail(argument, "a number such as 0.5");
}

std::pair<int, int> picture_size(const Argument& argument) {
  const std::string_view text = argument.text;
  const std::size_t cross = text.find('x');
  int width = 0, height = 0;
  if (cross != text.npos && read(text.substr(0, cross), width) && read(text.substr(cross + 1), height) && width >= 1 &&
      width <= kMaxPixels && height >= 1 && height <= kMaxPixels) {
    return {width, height};
  }
  fail(argument, "WIDTHxHEIGHT in pixels, such as 1280x720, each from 1 to " + std::to_string(kMaxPixels));
}

std::string language_code(const Argument& argument) {
  const auto is_letter = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  if (argument.text.size() == 2 && std::ranges::all_of(argument.text, is_letter)) return argument.text;
  throw CommandLineError(argument.option + " is '" + argument.text +
                         "'; it must be a two-letter lower-case code, such as en or de.");
}

std::size_t one_of(const Argument& argument, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), argument.text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string hint = did_you_mean(argument.text, names);
  if (hint.empty()) fail(argument, list_of(names));
  throw CommandLineError(argument.option + " has no '" + argument.text + "'" + hint + " It must be " + list_of(names) +
                         ".");
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

void check_bodies(const SceneInfo& scene, std::size_t bodies, PlannedRun run) {
  const std::string given = "-n is " + std::to_string(bodies), name(scene.name);
  if (scene.fixed_bodies != 0 && bodies != scene.fixed_bodies) {
    throw CommandLineError(given + "; scene " + name + " has " + std::to_string(scene.fixed_bodies) +
                           " bodies, so omit -n.");
  }
  if (bodies < scene.min_bodies) {
    throw CommandLineError(given + "; scene " + name + " needs at least " + std::to_string(scene.min_bodies) +
                           " bodies.");
  }
  run.procedural = run.procedural && scene.procedural;
  const double needed = memory_for(bodies, run), available = available_memory();
  if (available > 0 && needed > available) {
    constexpr double kGib = 1 << 30;
    throw CommandLineError(given +
                           text("; this needs about %.1f GiB of memory, but only %.1f GiB is free. Use fewer bodies.",
                                needed / kGib, available / kGib));
  }
  if (const std::size_t max = max_addressable_bodies(run.config); bodies > max) {
    const bool on_cuda = run.config.backend == Backend::cuda;
    throw CommandLineError(given + "; the maximum is " + std::to_string(max) +
                           (on_cuda ? " with solver " + run.config.solver + " on CUDA." : "."));
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

std::string url_decoded(const Argument& argument) {
  const std::string& text = argument.text;
  std::string path;
  for (std::size_t k = 0; k < text.size(); ++k) {
    unsigned byte = static_cast<unsigned char>(text[k]);
    if (text[k] == '%') {
      const std::string digits = text.substr(k + 1, 2);
      const char* last = digits.data() + digits.size();
      const bool hexadecimal = std::from_chars(digits.data(), last, byte, 16).ptr == last;
      if (digits.size() != 2 || !hexadecimal || byte == 0) {
        throw CommandLineError(argument.option +
                               " has a % without two hexadecimal digits after it, as in %20 for a space.");
      }
      k += 2;
    }
    path += static_cast<char>(byte);
  }
  if (path.empty()) throw CommandLineError(argument.option + " must be the path of a file, not empty.");
  return path;
}

}  // namespace pericenter::app
