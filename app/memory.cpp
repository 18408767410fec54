#include "app/memory.h"

#include <fstream>
#include <string>

namespace pericenter::app {
namespace {

constexpr double kBytesABody = 500;
constexpr double kBytesOfProgram = 100e6;

}  // namespace

double memory_for(std::size_t bodies) {
  return kBytesOfProgram + kBytesABody * static_cast<double>(bodies);
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
