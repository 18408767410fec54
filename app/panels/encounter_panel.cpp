#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/ui/encounter_design.h"
#include "sim/scenes/model/orbit.h"

namespace pericenter::app {
namespace {

constexpr double kMinPericenter = 0.05, kMaxPericenter = 20, kMaxSeparation = 300;  // scene units

struct Preset {
  widgets::Control control;
  Encounter (*make)(const Encounter& scene_default);
};

Encounter with_tilts(Encounter encounter, const DiscOrientation& first, const DiscOrientation& second) {
  encounter.first = first;
  encounter.second = second;
  return encounter;
}

constexpr Preset kPresets[] = {
    {{"scene-default", "scene default", "The encounter of this scene."}, [](const Encounter& own) { return own; }},
    {{"prograde", "prograde",
      "Both discs spin in the same sense as the galaxies orbit each other. Outer stars keep pace with the other galaxy "
      "and are pulled out: those on the near side make a bridge, those on the far side a long tail."},
     [](const Encounter& own) {
       return with_tilts(own, {0, 0}, {0, 0});
     }},
    {{"retrograde", "retrograde",
      "Both discs spin against the orbital motion. The tidal force changes too fast to pull stars out: hardly any "
      "tails."},
     [](const Encounter& own) {
       return with_tilts(own, {180, 0}, {180, 0});
     }},
    {{"head-on", "head-on",
      "The second galaxy falls through the first along its axis. A ring of stars expands, as in the Cartwheel galaxy."},
     [](const Encounter& own) {
       Encounter encounter = with_tilts(own, {90, 90}, {0, 0});
       encounter.orbit.pericenter = kMinPericenter;
       encounter.orbit.eccentricity = 1;
       encounter.speed_factor = 1;
       return encounter;
     }},
    {{"fly-by", "fly-by", "Too fast to be bound: the galaxies pass once, distort each other, and escape."},
     [](const Encounter& own) {
       Encounter encounter = own;
       encounter.orbit.pericenter = 2 * own.orbit.pericenter;
       encounter.orbit.eccentricity = 1.5;
       encounter.speed_factor = 1.2;
       return encounter;
     }},
};

void preset_combo(const Encounter& own, EncounterDesign& encounter, Desk& desk) {
  Encounter& wish = encounter.edited;
  const auto is_now = [&](const Preset& preset) { return preset.make(own) == wish; };
  const auto now = std::ranges::find_if(kPresets, is_now);
  const std::string_view preview = now == std::end(kPresets) ? "custom" : now->control.label;
  constexpr const char* kTip = "Typical encounters. A preset sets the controls below; Apply loads it.";
  if (!widgets::begin_combo(desk, {"encounter-preset", "Preset", kTip}, preview.data())) return;
  for (const Preset& preset : kPresets)
    if (widgets::choice(desk, preset.control, is_now(preset))) wish = preset.make(own);
  widgets::end_combo(desk);
}

/// A slider for a length in scene units, in kpc if the scene has physical units.
void length_slider(const Units& units, const widgets::Control& control, double& length, const widgets::Range& range,
                   Desk& desk) {
  const double unit = units.length_kpc > 0 ? units.length_kpc : 1;
  double shown = length * unit;
  const char* format = units.length_kpc > 0 ? "%.3g kpc" : "%.3g";
  if (widgets::slider(desk, control, shown, {range.low * unit, range.high * unit, format, true})) length = shown / unit;
}

void separation_row(const Encounter& own, const Units& units, EncounterDesign& encounter, Desk& desk) {
  EncounterOrbit& orbit = encounter.edited.orbit;
  const double end = apocenter(orbit), max = std::max(kMaxSeparation, 2 * own.orbit.separation);
  double separation = encounter.draft().orbit.separation;
  const double before = separation;
  length_slider(units,
                {"initial-separation", "Initial separation",
                 end < max ? "Distance between the galaxies at the start. An elliptical orbit reaches no farther than "
                             "its apocentre, which limits this slider: increase the eccentricity to start farther out."
                           : "Distance between the galaxies at the start. Larger: they take longer to meet. Smaller: "
                             "their halos overlap from the start."},
                separation, {orbit.pericenter, std::max(std::min(end, max), 1.001 * orbit.pericenter)}, desk);
  if (separation != before) orbit.separation = separation;
}

void orbit_rows(const Encounter& own, const Units& units, EncounterDesign& encounter, Desk& desk) {
  EncounterOrbit& orbit = encounter.edited.orbit;
  length_slider(units,
                {"pericenter", "Pericentre",
                 "Pericentre distance of the point-mass orbit. Galaxies are extended, so their actual closest approach "
                 "differs; see below. A smaller distance makes the encounter more violent and the merger earlier."},
                orbit.pericenter, {kMinPericenter, std::max(kMaxPericenter, 2 * own.orbit.pericenter)}, desk);
  separation_row(own, units, encounter, desk);
  const std::string format = std::string("%.2f ") + conic_name(std::round(orbit.eccentricity * 100) / 100);
  widgets::slider(
      desk,
      {"eccentricity", "Eccentricity",
       "Shape of the point-mass orbit. Below 1: an ellipse, bound. 1: a parabola, as if the galaxies had "
       "fallen from rest at infinity. Above 1: a hyperbola, unbound unless dynamical friction binds the galaxies."},
      orbit.eccentricity, {0, 2, format.c_str()});
  widgets::slider(desk,
                  {"speed-factor", "Initial speed",
                   "Initial relative speed, as a fraction of the speed on this orbit; the weaker attraction of "
                   "overlapping halos is taken into account. Below 1 the galaxies are bound more tightly: they come "
                   "closer and merge sooner."},
                  encounter.edited.speed_factor, {0.3, 1.5, "%.2f"});
  double ratio = 1 / encounter.edited.mass_ratio;
  if (widgets::slider(desk,
                      {"mass-ratio", "Mass ratio",
                       "Mass of galaxy 1 relative to galaxy 2. A light galaxy is disrupted and hardly disturbs the "
                       "heavy one; equal galaxies disrupt each other."},
                      ratio, {1, 10, "%.2g : 1"}))
    encounter.edited.mass_ratio = 1 / ratio;
}

void orientation_rows(int galaxy, DiscOrientation& disc, Desk& desk) {
  const std::string format = std::string("%.0f° ") + spin_name(disc.inclination);
  widgets::heading(text("Galaxy %d", galaxy).c_str());
  widgets::slider(desk,
                  {text("inclination-%d", galaxy), "Inclination",
                   "Inclination i of the disc to the orbital plane. Below 90° the disc spins in the sense of the orbit "
                   "(prograde, long tails), above 90° against it (retrograde, hardly any tails)."},
                  disc.inclination, {0, 180, format.c_str()});
  widgets::slider(
      desk,
      {text("pericenter-argument-%d", galaxy), "Argument ω",
       "Argument of the pericentre ω: angle in the orbital plane from the point where the other galaxy crosses the "
       "plane of this disc (ascending node) to the pericentre. It sets the direction of the tails. Undefined "
       "at inclinations of 0° and 180°."},
      disc.pericenter_argument, {-180, 180, "%.0f°"});
}

/// Results of the trial run; "…" while it runs.
void forecast_rows(const UiFrame& frame, EncounterDesign& encounter, Desk& desk) {
  const EncounterDesign& design = encounter;
  const Units& units = frame.simulation.units;
  static const EncounterForecast kNone;
  const bool done = design.forecast.applies_to(design.draft());
  const EncounterForecast& found = design.forecast.result() ? *design.forecast.result() : kNone;
  const std::string speed =
      units.velocity_kms > 0 ? text("%.0f km/s", found.speed * units.velocity_kms) : text("%.2f", found.speed);
  widgets::readout(desk,
                   {"closest-approach", "Closest approach",
                    "Distance, time and relative speed at the closest approach, from a trial run with 4,000 bodies. "
                    "Accurate to about 10 % in distance and 3 % in time. Dashed lines in the view show the trial; thin "
                    "lines show the point-mass orbit, which the galaxies follow until their halos overlap."},
                   !done                ? "…"
                   : found.distance > 0 ? pericenter_text(found, units) + ", " + speed
                                        : "none");
  const double tolerance = 0.02 * found.speed * found.speed;
  widgets::readout(desk,
                   {"orbit-energy", "Orbit",
                    "Whether the orbital energy of rigid galaxies is enough for them to escape. Dynamical friction "
                    "in the halos removes energy, so even unbound galaxies may merge."},
                   !done                       ? "…"
                   : found.energy < -tolerance ? "bound"
                   : found.energy > tolerance  ? "unbound"
                                               : "marginally bound");
  widgets::readout(desk,
                   {"halo-overlap", "Halos overlap",
                    "When the spheres that contain 90 % of each mass touch. From then on the attraction is weaker than "
                    "between point masses, and the galaxies leave the point-mass orbit."},
                   !done                     ? "…"
                   : !found.overlap_time     ? "never"
                   : *found.overlap_time > 0 ? "from " + round_time_text(*found.overlap_time, units)
                                             : "from the start");
}

void load_encounter(const UiFrame& frame, const SceneInfo& info, std::optional<Encounter> encounter, Desk& desk) {
  SceneRequest request = frame.simulation.scene_request;
  request.encounter = std::move(encounter);
  desk.requests.push_back(request::LoadScene{std::string(info.name), std::move(request)});
  remove_notices(NoticeSource::simulation, desk);
}

void buttons(const UiFrame& frame, const SceneInfo& info, EncounterDesign& encounter, Desk& desk) {
  EncounterDesign& design = encounter;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  if (widgets::main_button(
          desk, {"apply-encounter", "Apply", "Load the scene with this encounter, the same number of bodies and seed."},
          {width, 0}, design.changed()))
    load_encounter(frame, info, design.draft(), desk);
  ImGui::SameLine(0, gap);
  if (widgets::button(desk, {"revert-encounter", "Revert", "Set the controls to the current encounter."}, {width, 0},
                      design.edited != design.live))
    design.edited = design.live;
  if (design.live == *info.encounter) return;
  if (widgets::button(
          desk,
          {"default-encounter", "Back to the scene's own encounter", "Load the scene with its original encounter."},
          {-FLT_MIN, 0}))
    load_encounter(frame, info, std::nullopt, desk);
}

}  // namespace

void draw_encounter_panel(const UiFrame& frame, EncounterDesign& encounter, Desk& desk) {
  EncounterDesign& design = encounter;
  const SceneInfo* info = encounter_scene(frame.simulation);
  design.open = true;
  preset_combo(*info->encounter, encounter, desk);
  orbit_rows(*info->encounter, frame.simulation.units, encounter, desk);
  orientation_rows(1, design.edited.first, desk);
  orientation_rows(2, design.edited.second, desk);
  ImGui::Spacing();
  forecast_rows(frame, encounter, desk);
  widgets::checkbox(desk,
                    {"show-orbit", "Show the orbit",
                     "Draw the predicted paths over the image. Each dash covers the same time, so long dashes mean "
                     "high speed; the thin line is the point-mass orbit. Before the start, discs and spins are drawn "
                     "too. Saved images and videos contain it if \"Scale bar, clock and legend\" is on. The trial run "
                     "takes about one second of CPU time."},
                    design.show);
  buttons(frame, *info, encounter, desk);
}

}  // namespace pericenter::app
