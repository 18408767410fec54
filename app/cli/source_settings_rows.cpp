#include "app/cli/source_settings_rows.h"

#include <charconv>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/cli/option_parser.h"
#include "app/cli/setting_kinds.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 2> kDimensions = {"2", "3"};

/// A path in letters that no mail and no shell changes: the others as %XX (RFC 3986, section 2.1).
std::string encoded(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF", kPlain = "/._-~+:@";
  std::string text;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || kPlain.find(letter) != kPlain.npos;
    if (plain)
      text += letter;
    else
      text.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return text;
}

std::string decoded(const Argument& argument) {
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
                               " has a % that two hexadecimal digits must follow, as in %20 for a "
                               "blank.");
      }
      k += 2;
    }
    path += static_cast<char>(byte);
  }
  if (path.empty()) throw CommandLineError(argument.option + " takes the path of a file, not an empty text.");
  return path;
}

}  // namespace

SceneRow file_row() {
  return {"file", [](const Options& now, const Options&) { return encoded(now.load); },
          [](const Argument& a, Options& options) { options.load = decoded(a); }};
}

SceneRow series_row() {
  return {"series", [](const Options& now, const Options&) { return encoded(now.play); },
          [](const Argument& a, Options& options) { options.play = decoded(a); }};
}

SceneRow scene_row() {
  return {"scene", [](const Options& now, const Options&) { return now.reads_a_file() ? std::string() : now.scene; },
          [](const Argument& a, Options& options) {
            const auto names = names_of(scenes());
            options.scene = names[one_of(a, names)];
          },
          true};
}

SceneRow bodies_row() {
  return {"n",
          [](const Options& now, const Options&) { return now.bodies ? std::to_string(*now.bodies) : std::string(); },
          [](const Argument& a, Options& options) {
            options.bodies = whole_number(a, "a number of bodies", 1, UINT64_MAX);
          },
          true};
}

SceneRow seed_row() {
  SceneRow row = whole_row(
      "seed", [](auto& o) -> auto& { return o.seed; }, 0, UINT64_MAX);
  row.of_recipe = true;
  return row;
}

SceneRow dimension_row() {
  return {"dimension",
          [](const Options& now, const Options& defaults) {
            const int dimension = now.config.dimension;
            return dimension == defaults.config.dimension ? std::string() : std::to_string(dimension);
          },
          [](const Argument& a, Options& options) {
            options.config.dimension = static_cast<int>(2 + one_of(a, kDimensions));
          }};
}

}  // namespace pericenter::app
