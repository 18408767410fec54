#pragma once

#include <string>

#include "sim/files/formats.h"

namespace pericenter {

/// A sentence that names the format of a file that is not read, and says what to do instead; empty if it is none of the
/// known ones.
std::string foreign_format(const FileHead& head);
/// The same of a folder that is a snapshot as a whole.
std::string foreign_folder(const std::string& folder);

}  // namespace pericenter
