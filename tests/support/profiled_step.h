#pragma once

#include "sim/core/config.h"

namespace pericenter::test {

/// Expects that a profiler records the stages of a step, those whose times were measured, as ranges. Runs a child
/// process: the name of the test suite ends in DeathTest.
void expect_ranges_are_stages(const Config& config);

}  // namespace pericenter::test
