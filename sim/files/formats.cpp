#include "sim/files/formats.h"

#include <vector>

/// One row per format, in the order in which they are tried: formats with an unambiguous signature first. NAME.cpp
/// defines FileFormat NAME_format().
#define PERICENTER_FILE_FORMATS(ROW) \
  ROW(hdf5)                          \
  ROW(gadget)                        \
  ROW(ramses)                        \
  ROW(fits)                          \
  ROW(votable)                       \
  ROW(rebound)                       \
  ROW(tipsy)                         \
  ROW(horizons)                      \
  ROW(mpcorb)                        \
  ROW(jpl)                           \
  ROW(csv)                           \
  ROW(stdpar)

namespace pericenter {

#define PERICENTER_DECLARE(name) FileFormat name##_format();
PERICENTER_FILE_FORMATS(PERICENTER_DECLARE)
#undef PERICENTER_DECLARE

std::span<const FileFormat> file_formats() {
#define PERICENTER_CALL(name) name##_format(),
  static const std::vector<FileFormat> kFormats = {PERICENTER_FILE_FORMATS(PERICENTER_CALL)};
#undef PERICENTER_CALL
  return kFormats;
}

}  // namespace pericenter
