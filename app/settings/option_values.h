#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/memory_budget.h"
#include "sim/core/config.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// An option with its text, both as errors name them. All functions here throw CommandLineError.
struct Argument {
  std::string option;  ///< "--theta"
  std::string text;
};

/// A whole number from `min` to `max`.
std::uint64_t whole_number(const Argument& argument, std::uint64_t min, std::uint64_t max = UINT64_MAX);

/// Any number, including NaN and infinity, which problem_with() rejects.
double real_number(const Argument& argument);

/// Width and height from "1280x720", each from 1 to 16384 pixels.
std::pair<int, int> picture_size(const Argument& argument);

/// The code of a language: "de".
std::string language_code(const Argument& argument);

/// Index of the argument's text in `names`.
std::size_t one_of(const Argument& argument, std::span<const std::string_view> names);

/// "one, two or three".
std::string list_of(std::span<const std::string_view> names);

/// The comma-separated items of the argument, each with the argument's name.
std::vector<Argument> list_items(const Argument& argument);

/// Throws if `scene` does not support `bodies` bodies (-n), or if they need more memory than is available. `run` may
/// create them with CUDA where `procedural` is set, and the scene supports it.
void check_bodies(const SceneInfo& scene, std::size_t bodies, PlannedRun run = {});

/// "; did you mean NAME?" for the name closest to `text`; empty if none is close.
std::string did_you_mean(std::string_view text, std::span<const std::string_view> names);

/// The path of url_encoded() again. Throws CommandLineError if it is empty or has an invalid %XX.
std::string url_decoded(const Argument& argument);

}  // namespace pericenter::app
