#pragma once

#include <cstdlib>
#include <string_view>

namespace pericenter::test {

/// How much of a soak runs: PERICENTER_SOAK=long asks for all of it.
template <class T>
T long_or_short(T in_full, T in_short) {
  const char* wanted = std::getenv("PERICENTER_SOAK");
  return wanted && std::string_view(wanted) == "long" ? in_full : in_short;
}

}  // namespace pericenter::test
