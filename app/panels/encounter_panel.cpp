#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/ui/encounter_design.h"
#include "sim/scenes/model/orbit.h"

namespace pericenter::app {
namespace {

constexpr double kNearest = 0.05, kFarthestPericenter = 20, kFarthestStart = 300;  // in scene units

struct Preset {
  const char* name;
  const char* tip;
  Encounter (*make)(const Encounter& own);
};

Encounter with_tilts(Encounter encounter, const DiscOrientation& first, const DiscOrientation& second) {
  encounter.first = first;
  encounter.second = second;
  return encounter;
}

constexpr std::array<Preset, 5> kPresets = {{
    {"as the scene has it", "The encounter that the scene was made for.", [](const Encounter& own) { return own; }},
    {"prograde",
     "Both discs turn the way in which the galaxies pass each other. Stars on the near side stay beside the other "
     "galaxy for long and are pulled out: long tails.",
     [](const Encounter& own) {
       return with_tilts(own, {0, 0}, {0, 0});
     }},
    {"retrograde",
     "Both discs turn against the passage. Its pull changes too fast to throw stars out: hardly any tails.",
     [](const Encounter& own) {
       return with_tilts(own, {180, 0}, {180, 0});
     }},
    {"head-on",
     "The second galaxy falls through the first along its axis. A ring of stars runs outwards, as in the Cartwheel.",
     [](const Encounter& own) {
       Encounter encounter = with_tilts(own, {90, 90}, {0, 0});
       encounter.orbit.pericenter = kNearest;
       encounter.orbit.eccentricity = 1;
       encounter.speed_factor = 1;
       return encounter;
     }},
    {"fly-by", "Faster than they could hold each other: they pass once, bend their discs, and part for ever.",
     [](const Encounter& own) {
       Encounter encounter = own;
       encounter.orbit.pericenter = 2 * own.orbit.pericenter;
       encounter.orbit.eccentricity = 1.5;
       encounter.speed_factor = 1.2;
       return encounter;
     }},
}};

void preset_combo(const Encounter& own, UiState& ui) {
  Encounter& wish = ui.encounter.edited;
  const auto is_now = [&](const Preset& preset) { return preset.make(own) == wish; };
  const auto now = std::ranges::find_if(kPresets, is_now);
  if (!widgets::begin_combo(ui, "Kind", now == kPresets.end() ? "of your own" : now->name,
                            "Encounters to begin with. Choosing one sets the controls below; Apply makes it."))
    return;
  for (const Preset& preset : kPresets)
    if (widgets::choice(ui, preset.name, is_now(preset), preset.tip)) wish = preset.make(own);
  widgets::end_combo();
}

/// A slider of a length in scene units that shows kiloparsecs where the scene has them.
void length_slider(UiState& ui, const char* label, double& length, const widgets::Range& range, const Units& units,
                   std::string_view tip) {
  const double unit = units.length_kpc > 0 ? units.length_kpc : 1;
  double shown = length * unit;
  const char* format = units.length_kpc > 0 ? "%.3g kpc" : "%.3g";
  if (widgets::slider(ui, label, shown, {range.low * unit, range.high * unit, format, true}, tip))
    length = shown / unit;
}

void orbit_rows(const Encounter& own, const Units& units, UiState& ui) {
  EncounterOrbit& orbit = ui.encounter.edited.orbit;
  length_slider(ui, "Pericentre", orbit.pericenter, {kNearest, std::max(kFarthestPericenter, 2 * own.orbit.pericenter)},
                units,
                "The smallest distance of the orbit that two points would take. Galaxies are extended: what they come "
                "to is told below. Closer is more violent, and they merge sooner.");
  const double end = apocenter(orbit), most = std::max(kFarthestStart, 2 * own.orbit.separation);
  const bool ends = end < most;
  double separation = ui.encounter.draft().orbit.separation;
  const double before = separation;
  length_slider(
      ui, "Start at", separation, {orbit.pericenter, std::max(std::min(end, most), 1.001 * orbit.pericenter)}, units,
      ends ? "Distance of the galaxies at the start. An ellipse goes no farther than its apocentre, where "
             "this slider ends: a larger eccentricity lets them start from farther."
           : "Distance of the galaxies at the start. From farther they need longer to meet; from closer their "
             "halos start within each other.");
  if (separation != before) orbit.separation = separation;
  const std::string format = std::string("%.2f ") + conic_name(std::round(orbit.eccentricity * 100) / 100);
  widgets::slider(ui, "Eccentricity", orbit.eccentricity, {0, 2, format.c_str()},
                  "Below 1 an ellipse: points would come back. 1 is a parabola, as if they had fallen from infinitely "
                  "far. Above 1 a hyperbola: they come in faster, and part again unless friction holds them.");
  widgets::slider(
      ui, "Speed", ui.encounter.edited.speed_factor, {0.3, 1.5, "%.2f"},
      "Share of the speed that this orbit needs, with the weaker pull of halos that overlap taken into "
      "account. Below 1 the galaxies are bound more tightly than the orbit says: they come closer and merge "
      "within a lesson instead of within billions of years.");
}

void mass_row(UiState& ui) {
  double times = 1 / ui.encounter.edited.mass_ratio;
  if (widgets::slider(ui, "Masses", times, {1, 10, "1 : %.2g"},
                      "How many times heavier the first galaxy is. A light one is torn apart and hardly disturbs the "
                      "heavy one; equal ones ruin each other."))
    ui.encounter.edited.mass_ratio = 1 / times;
}

void tilt_rows(int galaxy, DiscOrientation& disc, UiState& ui) {
  const std::string format = std::string("%.0f° ") + spin_name(disc.inclination);
  const std::string tilt = text("Tilt %d", galaxy), node = text("Node %d", galaxy);
  widgets::slider(ui, tilt.c_str(), disc.inclination, {0, 180, format.c_str()},
                  "Inclination i of this disc to the plane of the orbit. Below 90° it turns as the galaxies pass "
                  "(prograde, long tails), above against it (retrograde, hardly any).");
  widgets::slider(ui, node.c_str(), disc.pericenter_argument, {-180, 180, "%.0f°"},
                  "Argument of the pericentre, omega: the angle in this disc from where the other galaxy comes up "
                  "through its plane to the pericentre. It decides where the tails go; a disc that lies in the plane "
                  "of the orbit (0° or 180°) has no such place.");
}

/// What the trial found, or that it is not there yet.
std::string found_text(const EncounterDesign& design, const std::string& words) {
  return design.forecast.applies_to(design.draft()) ? words : "…";
}

void readouts(const UiFrame& frame, UiState& ui) {
  const EncounterDesign& design = ui.encounter;
  const Units& units = frame.simulation.units;
  static const EncounterForecast kNone;
  const EncounterForecast& found = design.forecast.result() ? *design.forecast.result() : kNone;
  widgets::readout(
      ui, "They will be", found_text(design, found.distance > 0 ? pericenter_text(found, units) : std::string()),
      "Of the galaxies' stars, from a quick trial with 4 000 bodies, which is drawn as dashed ways over "
      "the picture. Right to some 10 % in distance and 3 % in time. Until their halos overlap they keep to "
      "the thin line, which is the orbit of two points.");
  const std::string speed =
      units.velocity_kms > 0 ? text("%.0f km/s", found.speed * units.velocity_kms) : text("%.2f", found.speed);
  widgets::readout(ui, "with", found_text(design, speed), "Their speed past each other where they are nearest.");
  ImGui::SameLine(0, ImGui::GetFontSize());
  const double slack = 0.02 * found.speed * found.speed;
  widgets::readout(ui, "they are",
                   found_text(design, found.energy < -slack  ? "bound"
                                      : found.energy > slack ? "not bound"
                                                             : "just bound"),
                   "Whether the energy of their motion would let them part for ever if they stayed rigid. Friction in "
                   "the halos takes energy: even galaxies that are not bound may merge.");
  std::string meet = "never";
  if (found.overlap_time)
    meet = *found.overlap_time > 0 ? "after " + round_time_text(*found.overlap_time, units) : "from the start";
  widgets::readout(ui, "halos overlap", found_text(design, meet),
                   "When the spheres that hold nine tenths of their masses touch. From then on they attract each other "
                   "less than points would, and leave the thin line.");
}

void buttons(const UiFrame& frame, const SceneInfo& info, UiState& ui) {
  EncounterDesign& design = ui.encounter;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  ImGui::BeginDisabled(!design.changed());
  if (widgets::main_button(ui, "Apply###Make encounter", {width, 0},
                           "Makes the scene anew with this encounter, with as many bodies and the same seed as now.")) {
    SceneRequest request = frame.simulation.scene_request;
    request.encounter = design.draft();
    ui.requests.push_back(request::LoadScene{std::string(info.name), std::move(request)});
    remove_notices(NoticeSource::simulation, ui);
  }
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(design.edited == design.live);
  if (widgets::button(ui, "As before###Undo encounter", {width, 0}, "The controls as the encounter is that runs."))
    design.edited = design.live;
  ImGui::EndDisabled();
}

}  // namespace

void draw_encounter_section(const UiFrame& frame, UiState& ui) {
  EncounterDesign& design = ui.encounter;
  design.open = false;
  const SceneInfo* info = encounter_scene(frame.simulation);
  if (!info) return;
  design.open =
      widgets::section(ui, "Encounter", false,
                       "How the galaxies meet: their orbit, and how their discs lie in it. While this is open, "
                       "the orbit is drawn over the picture.");
  if (!design.open) return;
  preset_combo(*info->encounter, ui);
  orbit_rows(*info->encounter, frame.simulation.units, ui);
  mass_row(ui);
  tilt_rows(1, design.edited.first, ui);
  tilt_rows(2, design.edited.second, ui);
  readouts(frame, ui);
  widgets::checkbox(ui, "Draw the orbit", design.show,
                    "Over the picture: dashes are the ways that the galaxies will take, each as long as it takes the "
                    "same time, so that long ones are fast; thin is the orbit of two points. Before they move, also "
                    "their discs and spins. In saved pictures and films only with annotations. The trial for it "
                    "takes about a second on the CPU.");
  buttons(frame, *info, ui);
}

}  // namespace pericenter::app
