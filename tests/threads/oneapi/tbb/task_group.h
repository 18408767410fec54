#pragma once

#include "tests/threads/stand_in.h"
