#pragma once

#include <string>

#include "app/settings/option_values.h"

namespace pericenter::app {

/// A path with all characters but letters, digits and /._-~+:@ as %XX (RFC 3986, section 2.1).
std::string url_encoded(const std::string& path);
/// The path again. Throws CommandLineError if it is empty or has an invalid %XX.
std::string url_decoded(const Argument& argument);

}  // namespace pericenter::app
