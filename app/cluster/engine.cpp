#include "app/cluster/engine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pericenter::app {
namespace {

// Tried on Debian 12; both engines are built in the folder of their sources.
constexpr const char* kBuildsSwift =
    R"(  sudo apt-get install git make gcc autoconf automake libtool libopenmpi-dev openmpi-bin libhdf5-dev libgsl-dev
  git clone https://github.com/SWIFTSIM/SWIFT.git && cd SWIFT
  ./autogen.sh
  ./configure --without-metis --without-parmetis
  make -j 8)";
constexpr const char* kBuildsGadget4 =
    R"(  sudo apt-get install git make g++ python3 libopenmpi-dev openmpi-bin libhdf5-dev libgsl-dev libfftw3-dev
  git clone https://gitlab.mpcdf.mpg.de/vrs/gadget4.git && cd gadget4
  export CPATH=/usr/include/hdf5/serial LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/hdf5/serial
  SYSTYPE=Generic-gcc make -j 8 PYTHON=python3 DIR=FOLDER
  # FOLDER: one that pericenter export --for gadget4 FOLDER wrote, with a path without spaces)";

constexpr std::array<EngineMark, 2> kSwiftMarks = {
    {{"Inter-dependent Fine-grained", "is another program"}, {"MPI_Init", "was built without MPI: use swift_mpi"}}};
// The options of Config.sh are texts in GADGET-4.
constexpr std::array<EngineMark, 6> kGadget4Marks = {
    {{"Start as ./Gadget4", "is another program or an earlier version"},
     {"SELFGRAVITY", "was built without SELFGRAVITY in Config.sh"},
     {"NTYPES=6", "was built without NTYPES=6 in Config.sh"},
     {"NSOFTCLASSES=1", "was built without NSOFTCLASSES=1 in Config.sh"},
     {"EVALPOTENTIAL", "was built without EVALPOTENTIAL in Config.sh"},
     {"IDS_64BIT", "was built without IDS_64BIT in Config.sh"}}};

/// In the order of ClusterCode.
constexpr std::array<Engine, 2> kEngines = {{
    {.code = ClusterCode::swift,
     .name = "swift",
     .title = "SWIFT",
     .program = "swift_mpi",
     .snapshots = "output/snapshot_",
     .step_line = "^ *[0-9][0-9]* ",
     .energies = "statistics.txt",
     .steps = "engine.log",
     .builds = kBuildsSwift,
     .marks = kSwiftMarks},
    {.code = ClusterCode::gadget4,
     .name = "gadget4",
     .title = "GADGET-4",
     .program = "Gadget4",
     .snapshots = "output/snapshot_",
     .step_line = "^Sync-Point ",
     .energies = "output/energy.txt",
     .steps = "output/info.txt",
     .builds = kBuildsGadget4,
     .marks = kGadget4Marks},
}};

/// The number at the beginning of a text, after spaces.
std::optional<double> number_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace

const Engine& engine_of(ClusterCode code) {
  return kEngines.at(static_cast<std::size_t>(code));
}

std::vector<std::string> engine_arguments(ClusterCode code, int threads) {
  if (code == ClusterCode::gadget4) return {"param.txt"};
  return {"--self-gravity", "--threads=" + std::to_string(threads), "swift.yml"};
}

std::optional<double> time_of_step(ClusterCode code, std::string_view line) {
  if (code == ClusterCode::gadget4) {
    constexpr std::string_view kBefore = "Time:";
    const std::size_t at = line.find(kBefore);
    return at == line.npos ? std::nullopt : number_at(line.substr(at + kBefore.size()));
  }
  // Columns: step, time.
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::size_t space = line.find(' ');
  return space == line.npos ? std::nullopt : number_at(line.substr(space));
}

bool is_snapshot_name(const Engine& engine, std::string_view path) {
  constexpr std::string_view kEnd = ".hdf5";
  if (!path.starts_with(engine.snapshots) || !path.ends_with(kEnd)) return false;
  path.remove_prefix(engine.snapshots.size());
  path.remove_suffix(std::min(kEnd.size(), path.size()));
  return !path.empty() && std::ranges::all_of(path, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace pericenter::app
