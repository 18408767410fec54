#include "app/export/export.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

#include "sim/core/printable.h"
#include "sim/files/hdf5/hdf5_units.h"

namespace pericenter::app {
namespace {

constexpr double kMyrInSeconds = 3.15576e13;
// Both codes use the largest step T / 2^k that is not above the given one.
constexpr double kAboveStep = 1.0001;
// Memory of a process of GADGET-4 in MB: the least with which it runs, and 1 kB for each body of four processes.
constexpr std::size_t kLeastMemory = 200, kBodiesPerMegabyte = 4000;

/// Shortest text that reads back as the same number.
std::string exact(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), number, std::chars_format::general);
  return {text, end};
}

std::string rounded(double number) {
  std::ostringstream text;
  text.precision(3);
  text << number;
  return text.str();
}

std::string myr(double time) {
  return rounded(time * kGalacticUnits.length_cm / kGalacticUnits.velocity_cm_s / kMyrInSeconds) + " Myr";
}

/// A name in a comment or a line of text.
std::string name_of(const ClusterRun& run) {
  return printable(run.name);
}

/// The same as a value in YAML: a string in double quotes.
std::string yaml_name(const ClusterRun& run) {
  std::string text;
  for (const char letter : name_of(run))
    text += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter};
  return '"' + text + '"';
}

/// Parameters after SWIFT's documentation (ParameterFiles/parameter_description.rst) and its example
/// GravityTests/Plummer_Selfgravitating.
std::string swift_parameters(const ClusterRun& run) {
  std::ostringstream out;
  out << "# " << name_of(run) << " with " << run.snapshot.bodies.size() << " bodies, written by Pericenter for SWIFT.\n"
      << "# Times are in units of kpc / (km/s) = 978 Myr.\n"
      << "MetaData:\n  run_name: " << yaml_name(run) << "\n\n"
      << "InternalUnitSystem:\n"
      << "  UnitMass_in_cgs:     " << exact(kGalacticUnits.mass_g) << "  # 1e10 solar masses\n"
      << "  UnitLength_in_cgs:   " << exact(kGalacticUnits.length_cm) << "  # kpc\n"
      << "  UnitVelocity_in_cgs: " << exact(kGalacticUnits.velocity_cm_s) << "  # km/s\n"
      << "  UnitCurrent_in_cgs:  1\n"
      << "  UnitTemp_in_cgs:     1\n\n"
      << "PhysicalConstants:\n"
      << "  G: " << exact(run.gravity) << "  # as used for the initial conditions\n\n"
      << "TimeIntegration:\n"
      << "  time_begin: 0.\n"
      << "  time_end:   " << exact(run.time_end) << "  # " << myr(run.time_end) << "\n"
      << "  dt_min:     " << exact(run.time_step * 1e-7) << "\n"
      << "  dt_max:     " << exact(run.time_step * kAboveStep) << "  # " << myr(run.time_step) << "\n\n"
      << "Gravity:\n"
      << "  eta:                       0.025\n"
      << "  MAC:                       adaptive\n"
      << "  epsilon_fmm:               0.001\n"
      << "  theta_cr:                  0.7\n"
      << "  max_physical_DM_softening: " << exact(run.snapshot.softening) << "  # Plummer-equivalent, kpc\n\n"
      << "Snapshots:\n"
      << "  basename:   snapshot\n"
      << "  subdir:     output\n"
      << "  time_first: 0.\n"
      << "  delta_time: " << exact(run.time_between) << "  # " << myr(run.time_between) << "\n\n"
      << "Statistics:\n"
      << "  delta_time: " << exact(run.time_between) << "\n\n"
      << "Scheduler:\n"
      << "  max_top_level_cells: 16\n\n"
      << "InitialConditions:\n"
      << "  file_name: " << kExportedBodies << "\n"
      << "  periodic:  0\n";
  return out.str();
}

/// Options after GADGET-4's documentation (04_config-options.md).
std::string gadget4_config() {
  return "# Build options of GADGET-4, written by Pericenter.\n"
         "# No PERIODIC: open boundaries. 64-bit IDs encode the home galaxy of a body.\n"
         "SELFGRAVITY\n"
         "NTYPES=6\n"
         "NSOFTCLASSES=1\n"
         "MULTIPOLE_ORDER=3\n"
         "RANDOMIZE_DOMAINCENTER\n"
         "DOUBLEPRECISION=1\n"
         "EVALPOTENTIAL\n"
         "IDS_64BIT\n";
}

/// Parameters after GADGET-4's documentation (05_parameterfile.md) and its example G2-galaxy. GADGET-4 requires each of
/// them exactly once, even if unused.
std::string gadget4_parameters(const ClusterRun& run) {
  std::ostringstream out;
  const auto line = [&](const std::string& name, const std::string& value) {
    out << name << std::string(std::max<std::size_t>(34, name.size() + 1) - name.size(), ' ') << value << '\n';
  };
  out << "% " << name_of(run) << " with " << run.snapshot.bodies.size()
      << " bodies, written by Pericenter for GADGET-4.\n"
      << "% Lengths in kpc, masses in 1e10 solar masses, velocities in km/s, times in 978 Myr.\n";
  line("InitCondFile", "./ics");
  line("OutputDir", "./output");
  line("SnapshotFileBase", "snapshot");
  line("OutputListFilename", "none.txt");
  line("ICFormat", "3");
  line("SnapFormat", "3");
  line("TimeLimitCPU", "31536000");  // a year: the queue limits the time
  line("CpuTimeBetRestartFile", "7200");
  line("MaxMemSize", std::to_string(kLeastMemory + run.snapshot.bodies.size() / kBodiesPerMegabyte));
  line("TimeBegin", "0");
  line("TimeMax", exact(run.time_end));
  line("ComovingIntegrationOn", "0");
  for (const char* none : {"Omega0", "OmegaLambda", "OmegaBaryon", "Hubble", "BoxSize"}) line(none, "0");
  line("HubbleParam", "1.0");
  line("OutputListOn", "0");
  line("TimeBetSnapshot", exact(run.time_between));
  line("TimeOfFirstSnapshot", "0");
  line("TimeBetStatistics", exact(run.time_between));
  line("NumFilesPerSnapshot", "1");
  line("MaxFilesWithConcurrentIO", "1");
  line("ErrTolIntAccuracy", "0.025");
  line("CourantFac", "0.15");
  line("MaxSizeTimestep", exact(run.time_step * kAboveStep));
  line("MinSizeTimestep", "0");
  line("TypeOfOpeningCriterion", "1");
  line("ErrTolTheta", "0.5");
  line("ErrTolThetaMax", "0.9");
  line("ErrTolForceAcc", "0.0025");
  line("TopNodeFactor", "2.5");
  line("ActivePartFracForNewDomainDecomp", "0.01");
  line("DesNumNgb", "64");
  line("MaxNumNgbDeviation", "1");
  line("UnitLength_in_cm", exact(kGalacticUnits.length_cm));
  line("UnitMass_in_g", exact(kGalacticUnits.mass_g));
  line("UnitVelocity_in_cm_per_s", exact(kGalacticUnits.velocity_cm_s));
  line("GravityConstantInternal", exact(run.gravity));
  line("SofteningComovingClass0", exact(run.snapshot.softening));
  line("SofteningMaxPhysClass0", exact(run.snapshot.softening));
  for (int type = 0; type < 6; ++type) line("SofteningClassOfPartType" + std::to_string(type), "0");
  line("ArtBulkViscConst", "1.0");
  line("MinEgySpec", "0");
  line("InitGasTemp", "0");
  return out.str();
}

constexpr const char* kSwiftCommands = R"(
1. Get and build SWIFT, once. It needs MPI, HDF5 (parallel, for several machines) and GSL
   (https://swift.strw.leidenuniv.nl/docs/GettingStarted/compiling_code.html), and to build it autoconf, automake and
   libtool. With METIS 5.1.0 of Debian 12, swift_mpi ended with a segmentation fault when it redistributed the bodies:

     git clone https://github.com/SWIFTSIM/SWIFT.git
     cd SWIFT
     ./autogen.sh
     ./configure --without-metis --without-parmetis
     make -j 8

2. Run it in this folder, on one machine with your number of cores, or with MPI on several (here 4 processes with 16
   threads each):

     /path/to/SWIFT/swift --self-gravity --threads=16 swift.yml
     mpirun -np 4 /path/to/SWIFT/swift_mpi --self-gravity --threads=16 swift.yml

   SWIFT stops if a body leaves the box of %BOX% kpc, which is large enough for the whole run. With max_top_level_cells
   above 24 and MAC: adaptive, swift_mpi can stop with "Missing link to pack task". For many processes MAC: geometric
   with 64 cells may balance better; we have not tried it.

3. View the snapshots in Pericenter:

     pericenter --play output/snapshot_0000.hdf5

   The velocities in some snapshots are ahead of the positions, in the first by half a step, in others by a whole
   one: energies of these are wrong by some thousandths.
)";

constexpr const char* kGadget4Commands = R"(
1. Get and build GADGET-4 with the options in Config.sh. It needs MPI, HDF5, GSL and FFTW3
   (https://wwwmpa.mpa-garching.mpg.de/gadget4):

     git clone https://gitlab.mpcdf.mpg.de/vrs/gadget4.git
     cd gadget4
     SYSTYPE=Generic-gcc make -j 8 DIR=/path/to/this/folder

   On Debian and Ubuntu, name the folders of HDF5 and Python 3:

     export CPATH=/usr/include/hdf5/serial LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/hdf5/serial
     SYSTYPE=Generic-gcc make -j 8 PYTHON=python3 DIR=/path/to/this/folder

2. Run it in this folder with MPI, with your number of cores instead of 16:

     mpirun -np 16 ./Gadget4 param.txt

   Each process reserves MaxMemSize (in param.txt, in MB). If the message is "not enough space for MaxMemSize", lower it
   until the number of processes times MaxMemSize fits in the memory. If it is "Not enough memory in mymalloc", raise it.

3. View the snapshots in Pericenter:

     pericenter --play output/snapshot_000.hdf5
)";

std::string readme(const ClusterRun& run, ClusterCode code) {
  const auto massless = std::ranges::count_if(run.snapshot.bodies, [](const Body& body) { return !(body.mass > 0); });
  std::ostringstream out;
  out << export_mark(code) << "\n\n"
      << name_of(run) << ", " << run.snapshot.bodies.size() << " bodies, " << myr(run.time_end)
      << " with a snapshot every " << myr(run.time_between)
      << ".\nLengths are in kpc, masses in 1e10 solar masses, velocities in km/s, times in "
      << "kpc / (km/s) = 978 Myr.\n"
      << "The softening length is " << rounded(run.snapshot.softening)
      << " kpc; the code uses spline softening of equal depth instead of Plummer softening. At short distances 1.2 to "
         "1.3 "
         "times this length would be closer to Plummer softening.\n";
  if (run.assumed_units) {
    out << "The scene has no physical units; a length of 1 is taken as 1 kpc, a mass of 1 as 1e10 solar masses.\n";
  }
  if (massless > 0) out << massless << " bodies have zero mass, which not every version of the code supports.\n";
  std::string commands = code == ClusterCode::swift ? kSwiftCommands : kGadget4Commands;
  if (const std::size_t at = commands.find("%BOX%"); at != std::string::npos) {
    commands.replace(at, 5, exact(run.box_size));
  }
  return out.str() + commands;
}

}  // namespace

std::string export_mark(ClusterCode code) {
  return std::string("Pericenter export for ") + (code == ClusterCode::swift ? "SWIFT" : "GADGET-4");
}

std::vector<TextFile> export_texts(const ClusterRun& run, ClusterCode code) {
  if (code == ClusterCode::swift) return {{"swift.yml", swift_parameters(run)}, {"README.txt", readme(run, code)}};
  return {{"param.txt", gadget4_parameters(run)}, {"Config.sh", gadget4_config()}, {"README.txt", readme(run, code)}};
}

}  // namespace pericenter::app
