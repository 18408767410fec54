#include "app/memory.h"

#include <fstream>
#include <string>

namespace pericenter::app {
namespace {

// 290 with doubles and a picture, measured at two million; a rebuild holds bodies and solver twice for a moment.
constexpr double kBytesABody = 500;
// Counted while a simulation is rebuilt: bodies twice, their arrays on the way from the device and to it, vertices.
constexpr double kBytesABodyOnCuda = 320;
constexpr double kBytesOfProgram = 100e6;

}  // namespace

double memory_for(std::size_t bodies, Backend backend) {
  return kBytesOfProgram + (backend == Backend::cuda ? kBytesABodyOnCuda : kBytesABody) * static_cast<double>(bodies);
}

double available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string name;
  for (double kib = 0; meminfo >> name >> kib; meminfo.ignore(64, '\n')) {
    if (name == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

}  // namespace pericenter::app
