#pragma once

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/cli/command_line.h"
#include "app/cli/option_values.h"
#include "app/cli/settings_table.h"

namespace pericenter::app {

struct Bounds {
  double least, most;
};

/// Throws CommandLineError.
template <class Real>
Real real_in(const Argument& argument, const Bounds& bounds) {
  real_number(argument);  // which says what is wrong with words
  Real number = 0;
  const char* begin = argument.text.data();
  const auto error = std::from_chars(begin, begin + argument.text.size(), number).ec;
  const auto least = static_cast<Real>(bounds.least), most = static_cast<Real>(bounds.most);
  if (error == std::errc() && number >= least && number <= most) return number;
  throw CommandLineError(argument.option + " is " + argument.text + "; it must be between " + exact(least) + " and " +
                         exact(most) + ".");
}

// Rows of a scene string by the kind of their setting, which is `at(options)`.

template <class At>
SceneRow real_row(std::string name, At at, Bounds bounds) {
  return {std::move(name),
          [at](const Options& now, const Options& defaults) {
            return at(now) == at(defaults) ? std::string() : exact(at(now));
          },
          [at, bounds](const Argument& a, Options& options) {
            at(options) = real_in<std::remove_cvref_t<decltype(at(options))>>(a, bounds);
          }};
}

/// Of one that the scene decides where nothing is said; problem_with() knows what is allowed.
template <class At>
SceneRow own_row(std::string name, At at) {
  return {std::move(name),
          [at](const Options& now, const Options&) { return at(now) ? exact(*at(now)) : std::string(); },
          [at](const Argument& a, Options& options) { at(options) = real_number(a); }};
}

template <class At>
SceneRow whole_row(std::string name, At at, std::uint64_t least, std::uint64_t most) {
  return {std::move(name),
          [at](const Options& now, const Options& defaults) {
            return at(now) == at(defaults) ? std::string() : std::to_string(at(now));
          },
          [at, least, most](const Argument& a, Options& options) {
            using Number = std::remove_cvref_t<decltype(at(options))>;
            at(options) = static_cast<Number>(whole_number(a, "a number", least, most));
          }};
}

template <class At>
SceneRow choice_row(std::string name, At at, std::span<const std::string_view> names) {
  return {std::move(name),
          [at, names = std::vector(names.begin(), names.end())](const Options& now, const Options& defaults) {
            return at(now) == at(defaults) ? std::string() : std::string(names[static_cast<std::size_t>(at(now))]);
          },
          [at, names = std::vector(names.begin(), names.end())](const Argument& a, Options& options) {
            at(options) = static_cast<std::remove_cvref_t<decltype(at(options))>>(one_of(a, names));
          }};
}

template <class At>
SceneRow flag_row(std::string name, At at) {
  constexpr std::array<std::string_view, 2> kNames = {"off", "on"};
  return choice_row(std::move(name), at, kNames);
}

}  // namespace pericenter::app
