#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/config.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// An option and the text that was given for it, as they are named in errors. All functions here throw
/// CommandLineError.
struct Argument {
  std::string option;  ///< "--theta"
  std::string text;
};

/// A whole number in [least, most]; `what` names it in the error: "a number of bodies".
std::uint64_t whole_number(const Argument& argument, std::string_view what, std::uint64_t least, std::uint64_t most);

/// Any number, NaN and infinity included: what is allowed is for problem_with() to say.
double real_number(const Argument& argument);

/// Width and height in pixels from "1280x720", each in [1, 16384].
std::pair<int, int> picture_size(const Argument& argument);

/// Index in `names` of the argument's text.
std::size_t one_of(const Argument& argument, std::span<const std::string_view> names);

/// "one, two or three".
std::string list_of(std::span<const std::string_view> names);

/// The texts between the commas of the argument, each under the argument's name.
std::vector<Argument> list_items(const Argument& argument);

/// Throws if `scene` cannot have `bodies` bodies (-n), or if they are too many for this machine.
void check_bodies(const SceneInfo& scene, std::size_t bodies, const Config& config = {});

/// "; did you mean NAME?" for the name that is a slip of the keyboard away from `text`, else empty.
std::string did_you_mean(std::string_view text, std::span<const std::string_view> names);

}  // namespace pericenter::app
