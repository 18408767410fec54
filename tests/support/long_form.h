#pragma once

#include <cstdlib>

namespace pericenter::test {

/// `times` where PERICENTER_TEST_LONG is set, else 1: how much longer a test then runs than all have patience for.
inline int long_form(int times) {
  return std::getenv("PERICENTER_TEST_LONG") ? times : 1;
}

}  // namespace pericenter::test
