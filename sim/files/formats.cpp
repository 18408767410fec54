#include "sim/files/formats.h"

#include <algorithm>
#include <array>

#include "sim/files/csv.h"
#include "sim/files/gadget_binary.h"
#include "sim/files/jpl.h"
#include "sim/files/stdpar.h"
#include "sim/files/tipsy.h"

namespace pericenter {
namespace {

// The HDF5 signature is at offset 0 or, after a user block, at 512, 1024, 2048 ... (HDF5 File Format Specification,
// version 3, section II.A).
bool is_hdf5(const FileHead& head) {
  constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  for (std::size_t at = 0; at + kSignature.size() <= head.first.size(); at = at == 0 ? 512 : 2 * at) {
    if (std::ranges::equal(head.first.subspan(at, kSignature.size()), kSignature)) return true;
  }
  return false;
}

// Formats with an unambiguous signature first.
constexpr std::array<FileFormat, 6> kFormats = {{
    {.name = "hdf5",
     .title = "GADGET, AREPO, SWIFT or Pericenter HDF5",
     .summary = "Snapshots of GADGET-2, -3, -4, AREPO, SWIFT and Pericenter in one or several files.",
     .matches = is_hdf5,
     .read = nullptr},
    {.name = "gadget",
     .title = "GADGET-1 and -2 binary",
     .summary = "Snapshots and initial conditions of GADGET in either byte order, in one or several files.",
     .matches = is_gadget,
     .read = read_gadget},
    {.name = "tipsy",
     .title = "TIPSY",
     .summary = "Gas, dark matter and stars of PKDGRAV, Gasoline, ChaNGa and Bonsai, in either byte order.",
     .matches = is_tipsy,
     .read = read_tipsy},
    {.name = "jpl",
     .title = "JPL small bodies (CSV)",
     .summary =
         "Orbital elements of asteroids and comets from JPL's Small-Body Database. The Sun and the planets are added.",
     .matches = is_jpl,
     .read = read_jpl},
    {.name = "csv",
     .title = "table of bodies (CSV)",
     .summary =
         "Text with a header line that names the columns m (or mass), x, y and optionally z, vx, vy, vz, id, group, "
         "component; `#unit length=kpc mass=Msun` declares units.",
     .matches = is_text,
     .read = read_csv},
    {.name = "stdpar",
     .title = "stdpar-nbody binary",
     .summary = "Initial conditions of stdpar-nbody (University of Bristol) in two or three dimensions.",
     .matches = is_stdpar,
     .read = read_stdpar},
}};

}  // namespace

std::span<const FileFormat> file_formats() {
  return kFormats;
}

}  // namespace pericenter
