#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pericenter {

/// Lines before the names or rows of a table that are neither.
struct TablePreamble {
  std::size_t bytes = 0, lines = 0;
  std::size_t rows = 0;   ///< 0: not stated
  std::string time = {};  ///< "": not stated
  /// Where the lines themselves define the columns.
  std::vector<std::string> names = {};
};

/// "sep=;" (Excel); the number of rows; the number of rows and the time (ACS, Hut and Makino); the number of rows and
/// the size of the universe, before rows of x, y, vx, vy, mass and the name of an image (Princeton, COS 126, "N-Body
/// simulation").
TablePreamble preamble_of(std::string_view text);

/// Whether the line is a comment: "#", "%" (MATLAB, TeX), "!" (Fortran), "//", or the only ";" of the line.
bool is_comment(std::string_view line, char separator);

}  // namespace pericenter
