#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pericenter {

/// "body 17", counted from 0 as in files.
std::string body_name(std::size_t index);
/// "body 17 (halo of galaxy 2)"; without the galaxy if the component is `other`.
std::string body_name(std::size_t index, std::uint32_t tag);

/// "Body 17 (halo of galaxy 2) and 3 more have ...". `count` includes the first.
std::string nonfinite_bodies_message(std::string first, std::size_t count);

}  // namespace pericenter
