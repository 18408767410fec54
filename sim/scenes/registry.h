#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/progress.h"
#include "sim/core/units.h"

namespace pericenter {

class ProceduralSource;

/// Relative orbit of two point masses (G = 1) at a chosen separation before the pericentre.
struct EncounterOrbit {
  double pericenter = 4;
  double eccentricity = 1;  ///< 1: parabola
  double separation = 30;   ///< initial separation; at least `pericenter`

  friend bool operator==(const EncounterOrbit&, const EncounterOrbit&) = default;
};

/// Orientation of a disc relative to the orbit (Toomre and Toomre 1972, doi:10.1086/151823), in degrees.
struct DiscOrientation {
  double inclination = 0;          ///< inclination to the orbital plane; above 90 the rotation is retrograde
  double pericenter_argument = 0;  ///< angle from the ascending node of the companion on the disc to pericentre

  friend bool operator==(const DiscOrientation&, const DiscOrientation&) = default;
};

/// An encounter of two galaxies.
struct Encounter {
  EncounterOrbit orbit;
  DiscOrientation first, second;
  /// Factor for the speed that puts the extended galaxies on the orbit; below 1 they merge sooner.
  double speed_factor = 1;
  /// Mass of the second galaxy over that of the first; its lengths scale with the root, which keeps surface densities.
  double mass_ratio = 1;

  friend bool operator==(const Encounter&, const Encounter&) = default;
};

/// The parameters of a scene. Equal requests give equal bodies.
struct SceneRequest {
  std::size_t bodies = 0;  ///< exact number, unless SceneInfo::fixed_bodies is set
  std::uint64_t seed = 1;
  int dimension = 3;
  double softening = 0;                     ///< 0: the scene's default; the velocities of galaxies depend on it
  std::optional<Encounter> encounter = {};  ///< replaces the default of an encounter scene
  bool allow_procedural = false;            ///< return Scene::source instead of bodies, if the scene supports it
  Progress progress = {};
};

/// Direction from which a camera looks at the origin, in degrees.
struct ViewAngles {
  double yaw = 0;    ///< longitude of the camera around +z, from +x
  double pitch = 0;  ///< latitude of the camera; 90 looks straight down

  friend bool operator==(const ViewAngles&, const ViewAngles&) = default;
};

/// Times in scene units, as the narrator reports them for 3000 bodies.
struct EncounterMoments {
  double passage = 0;  ///< first pericentre
  double merger = 0;   ///< when the nuclei are about to merge, or the last time worth seeing; 0: both are estimated
};

/// Headings of the scene list.
enum class SceneGroup { encounters, galaxies, restricted, clusters, few_bodies, textbook };

/// The view of a camera that shows all that happens, where it is not the suggested one.
struct StoryView {
  double radius = 0;  ///< shown by a camera at rest; 0: view_radius
  std::optional<ViewAngles> first = {},
                            last = {};  ///< directions before and after the key moment; nullopt: none of their own
  std::optional<ViewAngles> key = {};   ///< nullopt: those of the scene

  friend bool operator==(const StoryView&, const StoryView&) = default;
};

/// How a scene is shown.
struct ScenePresentation {
  Units units = {};
  double view_radius = 1;                 ///< radius around the origin that the first frame should show
  std::optional<ViewAngles> angles = {};  ///< suggested; nullopt: the default of the program
  double highlight_time = 0;              ///< time at which to pause, in scene units; 0: none
  bool has_planets = false;               ///< the first bodies are the Sun and the planets, as in solar_system.h
};

/// Bodies with suggested settings.
struct Scene : ScenePresentation {
  Bodies bodies = {};
  std::shared_ptr<const ProceduralSource> source = {};  ///< replaces `bodies` if SceneRequest::allow_procedural
  Params params = {};                                   ///< suggested dt, theta, softening
};

/// One row of the scene table.
struct SceneInfo {
  std::string_view name;                    ///< value of --scene
  std::string_view title;                   ///< title in the panel
  std::string_view summary;                 ///< one or two sentences for --list-scenes and tooltips
  std::string_view caption;                 ///< one line for pupils: what to look at
  std::string_view highlight_caption = {};  ///< caption for pupils at Scene::highlight_time; empty without one
  SceneGroup group = SceneGroup::galaxies;
  std::size_t min_bodies = 1;
  std::size_t fixed_bodies = 0;  ///< exact number of bodies of the scene; 0: any number
  /// Creates the bodies, SceneRequest::bodies of them. Throws SceneCancelled, std::bad_alloc, and std::invalid_argument
  /// if an encounter is impossible.
  std::function<Scene(const SceneRequest& request)> make = {};
  /// Suggested dt of a number of bodies with this softening (0: the default); empty: all have the same.
  std::function<double(std::size_t bodies, double softening)> dt = {};
  double softening = 0;                  ///< that suggested_softening() reduces for many bodies; 0: none is suggested
  const Encounter* encounter = nullptr;  ///< default for SceneRequest::encounter; null if the scene is no encounter
  EncounterMoments moments = {};         ///< times of the camera path
  /// Names of its galaxies, or of its other groups of bodies, by galaxy_of(); empty: "Galaxy 1" ...
  std::array<std::string_view, 7> group_names = {};
  StoryView story = {};
  /// The first bodies, which have all or nearly all of the mass. 0: other scenes.
  std::size_t point_masses = 0;
  bool others_have_mass = false;  ///< the other bodies of a scene with point masses; otherwise they are test particles
  bool procedural = false;        ///< SceneRequest::allow_procedural has an effect
  bool single_stars = false;      ///< its bodies are stars, as those of a cluster, not samples of a galaxy
  bool by_origin = false;         ///< what it shows is seen in colours by home galaxy
  bool without_discs = false;     ///< an encounter of spheres, which have no spin
  bool trails = false;            ///< what it shows are the paths of its bodies

  /// The supported number of bodies closest to `wanted`.
  std::size_t allowed(std::size_t wanted) const {
    return fixed_bodies != 0 ? fixed_bodies : std::max(wanted, min_bodies);
  }
};

/// The scene table; the first scene is the default. A new scene is one file and one row in registry.cpp.
std::span<const SceneInfo> scenes();
/// Null if there is no scene of this name.
const SceneInfo* find_scene(std::string_view name);

}  // namespace pericenter
