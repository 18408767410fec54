#pragma once

#include <map>
#include <span>
#include <string>

namespace pericenter {

/// The units of the columns of an ECSV table by column name, from the comments before its rows: YAML that Astropy
/// writes (Aldcroft 2017, Astropy proposal for enhancement 6). Empty if the comments are not ECSV. Columns without
/// units are left out.
std::map<std::string, std::string> ecsv_units(std::span<const std::string> comments);

}  // namespace pericenter
