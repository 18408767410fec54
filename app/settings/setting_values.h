#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "app/base/enum_names.h"
#include "app/base/format.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "sim/core/settings.h"

namespace pericenter::app {

inline constexpr std::array<std::string_view, 2> kSwitchNames = {"off", "on"};

/// A value of a setting as text, which reads back as the same bits; empty: not set.
template <class Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>)
    return std::string(kSwitchNames[value ? 1 : 0]);
  else if constexpr (std::is_enum_v<Value>)
    return std::string(enum_name(value));
  else if constexpr (std::is_arithmetic_v<Value>)
    return exact(value);
  else
    return value;
}
template <class Value>
std::string value_text(const std::optional<Value>& value) {
  return value ? value_text(*value) : std::string();
}

/// A floating-point number in the range, without double rounding. Throws CommandLineError.
template <std::floating_point Number>
Number number_in(const Argument& argument, Range range) {
  Number number = 0;
  const char *const begin = argument.text.data(), *const all = begin + argument.text.size();
  const auto [end, error] = std::from_chars(begin, all, number);
  if (error == std::errc::invalid_argument || end != all) real_number(argument);
  const auto min = static_cast<Number>(range.min), max = static_cast<Number>(range.max);
  if (error == std::errc() && number >= min && number <= max) return number;
  throw CommandLineError(argument.option + " is " + argument.text + "; it must be between " + exact(min) + " and " +
                         exact(max) + ".");
}

/// Parses a value of a setting. An optional number has no range here: problem_with() checks it. Throws
/// CommandLineError.
template <class Value>
void read_value(const Argument& argument, Range range, Value& value) {
  if constexpr (std::is_same_v<Value, bool>)
    value = one_of(argument, kSwitchNames) == 1;
  else if constexpr (std::is_enum_v<Value>)
    value = static_cast<Value>(one_of(argument, kEnumNames<Value>));
  else if constexpr (std::is_floating_point_v<Value>)
    value = number_in<Value>(argument, range);
  else if constexpr (std::is_same_v<Value, std::optional<double>>)
    value = real_number(argument);
  else if constexpr (std::is_same_v<Value, std::optional<bool>>)
    read_value(argument, range, value.emplace());
  else if constexpr (std::is_same_v<Value, std::string>)
    value = argument.text;
  else
    value = static_cast<int>(
        whole_number(argument, static_cast<std::uint64_t>(range.min), static_cast<std::uint64_t>(range.max)));
}
/// Numbers of bodies, seeds and steps have no upper bound.
inline void read_value(const Argument& argument, Range range, std::uint64_t& value) {
  value = whole_number(argument, static_cast<std::uint64_t>(range.min));
}
inline void read_value(const Argument& argument, Range range, std::optional<std::size_t>& value) {
  value = whole_number(argument, static_cast<std::uint64_t>(range.min));
}

}  // namespace pericenter::app
