#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pericenter {

/// One column of a heading such as "x [kpc]".
struct ColumnHeading {
  std::string name, unit;
};

/// The columns that a comment names: separated as a row is, or in brackets with numbers, "[01  x]   [02  y]" (SPLASH).
/// Blanks around * and / belong to a unit, "m * s**-1" (AMUSE).
std::vector<std::string> fields_of_comment(std::string_view comment);
/// Joins fields such as "x", "[kpc]" that blanks separate.
void join_units(std::vector<std::string>& fields);
/// "x [kpc]" and "x (kpc)" have a unit.
ColumnHeading heading_of(std::string_view field);
/// A time that a comment states: "t = 0.1", "time: 0.1 Myr", "Time [Gyr] = 2" or "- {time: 3}" (ECSV).
struct StatedTime {
  double number;
  std::string unit;
};
std::optional<StatedTime> time_in_comment(std::string_view comment);
/// Whether these are units rather than names: most of them are.
bool are_units(std::span<const std::string> fields);
/// Whether these are the types of an RDB table, such as N and 8S, or only dashes and the like.
bool are_types_or_rules(std::span<const std::string> fields);

/// ',', ';', '\t' or '|', whichever is most frequent outside of quotes, otherwise ' '.
char separator_of(std::string_view line);

}  // namespace pericenter
