#pragma once

#include "tests/tbb_stub/tbb_stub.h"
