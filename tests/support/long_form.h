#pragma once

#include <cstdlib>

namespace pericenter::test {

/// Factor for the length of a test: `times` if PERICENTER_TEST_LONG is set, else 1.
inline int long_form(int times) {
  return std::getenv("PERICENTER_TEST_LONG") ? times : 1;
}

}  // namespace pericenter::test
