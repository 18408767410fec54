#include "app/panels/file_units.h"

#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/panels/file_selection.h"
#include "app/ui/send_requests.h"
#include "app/ui/ui_style.h"
#include "app/widgets/widgets.h"
#include "sim/core/display_units.h"
#include "sim/files/stated.h"
#include "sim/files/unit_system.h"

namespace pericenter::app {
namespace {

constexpr const char* kAsInTheFile = "as in the file";

void measure_rows(const FileMeasures& measures, const FileUnits& units, Desk& desk) {
  const MeasureTexts texts = measure_texts(measures, units);
  widgets::readout(desk,
                   {"half-radius", "Half of the bodies within", "Distance from the centre of mass, in these units."},
                   texts.radius);
  widgets::readout(desk, {"file-mass", "Mass", "Mass of all bodies, in these units."}, texts.mass);
  widgets::readout(
      desk, {"file-period", "Orbital time", "Period of a circular orbit at that distance around half of the mass."},
      texts.period);
  const double ratio = measures.virial_ratio_in(units);
  if (!(ratio > 0)) return;
  widgets::readout(desk,
                   {"file-virial", "2K/|W|",
                    "Twice the kinetic over the potential energy, about: 1 in equilibrium. If it is a thousand or a "
                    "thousandth, the units are not these, or the system flies apart or collapses."},
                   number_text(ratio));
  if (measures.is_far_from_equilibrium(units))
    widgets::paragraph(desk,
                       {"units-far", "▲ Far from 1, the value of equilibrium: are other units meant?",
                        "Choose other units until the measures are those of the system, then Apply."},
                       palette(desk.view.theme).caution);
}

/// The statement that is typed; `problem` says what is wrong with it.
Stated typed(const FilesState& files, std::string& problem) {
  Stated stated;
  try {
    if (!files.periodic.empty()) stated.box = periodic_from(files.periodic);
    if (!files.units.empty()) stated.units = units_from(files.units);
  } catch (const InputError& error) {
    problem = error.what();
  }
  return stated;
}

void usual_combo(FilesState& files, Desk& desk) {
  if (!widgets::begin_combo(desk,
                            {"usual-units", "Units",
                             "Units of the numbers in the file. Choose a usual system, or type others below; Apply "
                             "reads the file again."},
                            files.units.empty() ? kAsInTheFile : files.units.c_str()))
    return;
  if (widgets::choice(desk, {"as-in-file", kAsInTheFile, "What the file declares, or its format assumes."},
                      files.units.empty()))
    files.units.clear();
  for (const std::string_view text : usual_units())
    if (widgets::choice(desk, {text, text, "The numbers in the file are in these units."}, files.units == text))
      files.units = text;
  widgets::end_combo(desk);
}

}  // namespace

MeasureTexts measure_texts(const FileMeasures& measures, const FileUnits& units) {
  const double period = measures.period_in(units);
  if (!units.known()) return {number_text(measures.radius), number_text(measures.mass), number_text(period)};
  return {short_length_text(measures.radius, {.length_kpc = units.length_cm / kKpcCm}),
          number_text(measures.mass * units.mass_g / kSunGram) + " Msun",
          period > 0 ? time_text(1, {.time_myr = period / (1e6 * kYearSecond)}) : "0"};
}

void file_units_rows(const SessionState& state, FilesState& files, Desk& desk) {
  if (state.file.empty() || !(state.file_measures.mass > 0)) return;
  file_selection_rows(state, files, desk);
  usual_combo(files, desk);
  constexpr widgets::Control kTyped = {
      "file-units", "",
      "Two or three of length, mass, velocity and time: \"length=kpc mass=1e10 Msun velocity=km/s\"."};
  widgets::indent();
  ImGui::SetNextItemWidth(-FLT_MIN);
  widgets::text_field(desk, kTyped, files.units, kAsInTheFile);
  constexpr widgets::Control kPeriodic = {
      "file-periodic", "Periodic",
      "Side of the periodic volume, in the file's unit of length; 0: not periodic. In a playback, bodies that leave "
      "through a wall enter through the opposite one."};
  widgets::row(desk, kPeriodic);
  ImGui::SetNextItemWidth(-FLT_MIN);
  widgets::text_field(desk, kPeriodic, files.periodic, kAsInTheFile);
  std::string problem;
  const Stated wanted = typed(files, problem);
  const Selection selection = typed_selection(files, problem);
  FileUnits units = state.file_measures.declared;
  try {
    if (problem.empty() && wanted.units.any()) units = stated_units(wanted.units, units);
  } catch (const InputError& error) {
    problem = error.what();
  }
  if (!problem.empty())
    widgets::paragraph(desk, {"units-problem", problem, "Correct it, then Apply."});
  else
    measure_rows(state.file_measures, units, desk);
  if (wanted == state.file_options.stated && selection == state.file_options.selection && problem.empty()) return;
  if (!widgets::main_button(desk, {"apply-units", "Apply", "Read the file again, in these units and these bodies."},
                            {-FLT_MIN, 0}, problem.empty()))
    return;
  files.opened = state.file;
  files.read.stated = wanted;
  files.read.selection = selection;
  state.playback ? play_series(state.file, files, desk) : open_alone(state.file, files, desk);
}

}  // namespace pericenter::app
