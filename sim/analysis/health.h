#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"

namespace pericenter {

enum class HealthLevel { unknown, good, fair, poor };

/// Why a result cannot be trusted: the cause rather than the effect, a long step or bad forces rather than the energy
/// that they change.
enum class HealthProblem { none, non_finite, long_step, few_steps_per_orbit, lost_orbit, pericenter, forces, energy };

/// A quantity that shows how far a result can be trusted: its latest value, also with a setting that was only tried,
/// and the worse of that and of all since the scene started or was reset. NaN: not measured.
struct HealthValue {
  double now = std::numeric_limits<double>::quiet_NaN(), worst = std::numeric_limits<double>::quiet_NaN();
  HealthLevel level = HealthLevel::unknown;  ///< level of `worst`
};

/// How far the result of a run can be trusted.
struct Health {
  /// The worst of all values. A fair time step only predicts an error of the energy: it counts as good while the
  /// measured error is good.
  HealthLevel level = HealthLevel::unknown;
  HealthValue energy_error;     ///< |E - E0| / |E0|
  HealthValue force_error;      ///< mean relative error of the forces of the last sampled bodies
  HealthValue fall_per_step;    ///< fall_per_step() of timestep_criterion.h; not measured without softening
  HealthValue steps_per_orbit;  ///< steps of the shortest orbit; measured only without softening
  /// Steps of a circular orbit at the nearest pericentre about the central body (OrbitCheck). It only predicts an
  /// error, also of bodies without mass: the latest value counts, and it is never poor.
  HealthValue steps_at_pericenter;
  HealthValue orbit_change;    ///< relative change of the energy of an orbit whose pericentre is not resolved
  double momentum_change = 0;  ///< ConservationErrors::momentum; shown only
  HealthProblem problem = HealthProblem::none;
  std::string cause;  ///< cause of HealthLevel::poor, or of a pericentre that will not be resolved; without a full stop
  std::string reason;    ///< `cause` and what to change, one sentence for the window; empty without a cause
  double last_good = 0;  ///< latest timeline position at which `level` was not poor
};

/// A value is good below the first and poor from the second limit on.
///
/// The limits belong to the suggested settings of the scenes: at their θ, dt and softening, with 6,000 to 1,000,000
/// bodies, all values are good from the start to the key moment. Measured with three seeds: the mean force error at
/// θ = 0.7 is 0.06 to 0.17 %, and never above 0.24 % in a sample of 1,024 bodies; the energy error is at most 9·10⁻⁴;
/// A force error of 1 %
/// matters less than the discreteness of the bodies (Hernquist, Hut and Makino 1993, doi:10.1086/186686).
struct HealthLimits {
  double good, fair;
};
inline constexpr HealthLimits kEnergyErrorLimits = {1e-3, 1e-2};
inline constexpr HealthLimits kForceErrorLimits = {3e-3, 1e-2};  ///< limits of the mean relative error
/// The first is that of timestep_criterion.h. Between them the energy decides.
inline constexpr HealthLimits kFallPerStepLimits = {0.025, 0.5};
inline constexpr HealthLimits kOrbitsPerStepLimits = {1.0 / 20, 1.0 / 10};  ///< 1 / steps per orbit

/// HealthLevel::unknown for NaN.
HealthLevel level_within(const HealthLimits& limits, double value);

/// Values of one moment. NaN: not measured.
struct HealthMeasurement {
  double position = 0;                                             ///< position on the timeline
  double energy_error = std::numeric_limits<double>::quiet_NaN();  ///< signed error
  double force_error = std::numeric_limits<double>::quiet_NaN();
  double fall_per_step = std::numeric_limits<double>::quiet_NaN();
  double steps_per_orbit = std::numeric_limits<double>::quiet_NaN();
  double steps_at_pericenter = std::numeric_limits<double>::quiet_NaN();
  double orbit_change = std::numeric_limits<double>::quiet_NaN();
  std::string pericenter = {};     ///< "body 1 comes within 0.59 AU of body 0"
  std::string changed_orbit = {};  ///< "body 1 about body 0"
  double momentum_change = 0;
  std::size_t non_finite = 0;  ///< bodies; one makes the health poor
  /// Whether a step was taken with these forces and this time step. If not, they do not count as worst values: a
  /// setting that was only tried while the simulation was paused has spoiled nothing.
  bool stepped = true;
};

/// The measurement of these diagnostics, without its errors. A body that does not move, or an unknown orbit, gives NaN
/// or 0, never a division by zero.
HealthMeasurement measurement_of_time_step(const Params& params, const Diagnostics& diagnostics);

/// Collects measurements of a run. The worst values are remembered with their positions, so that a run that continues
/// from an earlier moment has the health of that moment again.
class HealthHistory {
 public:
  /// Positions must not decrease.
  void add(const HealthMeasurement& measurement);
  /// The run continues from this position.
  void rewind(double position);
  void clear() { *this = {}; }

  Health health() const;

 private:
  enum Value : std::size_t { energy, force, fall, orbits, orbit_change, non_finite, count };
  using Values = std::array<double, count>;  ///< larger is worse
  struct Worst {
    double position;
    Values values;
    double last_good;  ///< latest position before this one at which the level was not poor
  };

  static Values values_of(const HealthMeasurement& measurement);
  static HealthLevel level_of(Value which, double value);
  /// A fair time step counts as good while the energy is.
  static HealthLevel level_of(Value which, const Values& values);
  static HealthLevel level_of(const Values& values);
  HealthValue value_of(Value which) const;
  void explain(Health& health) const;
  void explain_pericenter(Health& health) const;
  void explain_lost_orbit(Health& health) const;

  std::vector<Worst> worst_;  ///< ascending; a new entry when a worst value grows
  HealthMeasurement now_;
};

/// What defines the energy of given bodies: it changes with the softening, and with the approximations of a solver.
struct EnergyDefinition {
  double softening = 0, gravity = 1;
  Config config = {};

  friend bool operator==(const EnergyDefinition&, const EnergyDefinition&) = default;
};

/// Changes of conserved quantities since the start of a scene.
struct ConservationErrors {
  double energy = 0;  ///< relative, as energy_error(); NaN: unknown
  /// |P - P0| / sqrt(2 K M), with the kinetic energy K at the start or now, whichever is larger. sqrt(2 K M) is an
  /// upper bound of the sum of m |v|, by Cauchy and Schwarz. 0 if nothing moves.
  double momentum = 0;
};

/// Errors of the conserved quantities of a run, across changes of softening, gravity and solver.
///
/// Such a change gives the same bodies another energy, which is no error of the motion. So the error after it is the
/// error before it plus the change since, relative to the energy after it. Nothing but a new scene sets it to 0.
class Conservation {
 public:
  /// Starts a scene from this reference, which may be from before the bodies were saved.
  void start(double position, const Diagnostics& reference, const EnergyDefinition& definition);
  /// Errors at this position, which must not be less than that of an earlier call. The first call starts the scene; one
  /// with another definition continues from the last errors.
  ConservationErrors add(double position, const Diagnostics& now, const EnergyDefinition& definition);
  /// The run continues from this position.
  void rewind(double position);
  void clear() { *this = {}; }

  /// The latest reference.
  std::optional<Diagnostics> reference() const;

 private:
  struct Reference {
    double position;
    EnergyDefinition definition;
    Diagnostics diagnostics;
    double carried_energy = 0;  ///< error before
    Vec3 carried_momentum;      ///< change before
  };
  struct Entry {
    double position;
    double energy;
    Vec3 momentum;  ///< change since the start
  };

  std::vector<Reference> references_;  ///< ascending
  std::vector<Entry> entries_;         ///< ascending
  double first_scale_ = 0;             ///< sqrt(2 K M) at the start
};

}  // namespace pericenter
