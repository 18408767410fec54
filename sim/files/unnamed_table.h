#pragma once

#include <span>
#include <string>
#include <vector>

namespace pericenter {

/// Names for the columns of a table that has none, or the reason why there are several readings.
struct AssumedNames {
  std::vector<std::string> names;
  std::string problem = {};
};

/// Seven columns of numbers are those of many teaching codes, if one column at an end can be the masses and the other
/// cannot. An eighth column before them can be the numbers of the bodies. `rows`: the first ones of the table.
AssumedNames assumed_names(std::span<const std::vector<double>> rows);

}  // namespace pericenter
