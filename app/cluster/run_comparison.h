#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/run_record.h"
#include "app/plots/plot.h"
#include "sim/analysis/structure.h"
#include "sim/core/progress.h"
#include "sim/core/simulation.h"

namespace pericenter::app {

/// The engine's bodies and ours at the time of a snapshot, in kpc, km/s, 1e10 solar masses and kpc / (km/s).
struct ComparedMoment {
  struct Side {
    StructureSample structure;  ///< separation of the nuclei, Lagrange radii
    double centers = 0;         ///< distance between the mass centres of the first two galaxies; NaN without two
    double kinetic = 0, potential = 0;

    double energy() const { return kinetic + potential; }
  };
  double time = 0;
  Side engine, ours;
  double median_distance = 0, distance_99 = 0;  ///< distances between the same bodies of both
};

/// Computes a run of an engine again, from the same initial conditions with the longest time step of the engine, and
/// compares the two at each snapshot. Energies of both are those of Plummer softening.
class RunComparison {
 public:
  /// Reads the initial conditions and computes their forces. Throws InputError, SceneCancelled.
  explicit RunComparison(const RunRecord& record, const Progress& progress = {});
  ~RunComparison();

  /// Takes our run to the time of a snapshot of the engine, which must not be earlier than the one before, and
  /// measures both. Throws InputError, whose text starts with the path, and SceneCancelled.
  const ComparedMoment& add(const std::string& path, const Progress& progress = {});

  const std::vector<ComparedMoment>& moments() const { return moments_; }
  /// Energy of a side relative to ours at the first moment: both start with the same bodies, but the velocities in some
  /// snapshots of SWIFT are those of later.
  double energy_error(const ComparedMoment& moment, ComparedMoment::Side ComparedMoment::*side) const;

 private:
  ComparedMoment::Side measured(Simulation& simulation) const;

  RunRecord record_;
  Config config_;
  Params params_;
  Vec3 center_;  ///< centre of the box of the initial conditions
  std::unique_ptr<Simulation> ours_;
  std::optional<StructureMeter> meter_;
  std::vector<ComparedMoment> moments_;
};

/// Separation, half-mass radii, energy errors and distances of the same bodies over time in Myr. The engine is A.
std::vector<Plot> comparison_plots(const RunComparison& comparison, const RunRecord& record);
/// File names of the plots, without an ending.
inline constexpr std::array kComparisonNames = {"separation", "radii", "energy", "distance"};

/// A row per moment with both sides (RFC 4180); unknown values are empty.
std::string comparison_csv(const RunComparison& comparison);

/// Nine of the moments, one per line, as a text of fixed width.
std::string comparison_table(const RunComparison& comparison, const std::string& engine);

/// What differs between an engine and our run, as sentences.
std::string known_differences(ClusterCode code);

}  // namespace pericenter::app
