#include "app/window/shutdown.h"

#include <imgui.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "app/cli/options.h"
#include "app/window/crash_recovery.h"

namespace pericenter::app {
namespace {

// Seconds: how long a step may keep the program from its end, one that hangs, and any after a signal; and its bodies.
constexpr double kWaitForStep = 1.5, kWaitWhereItHangs = 0.1, kWaitAfterSignal = 0.5, kWaitForBodies = 2;

/// Ends the program while other threads still work.
[[noreturn]] void leave(int code) {
  if (const char* settings = ImGui::GetIO().IniFilename) ImGui::SaveIniSettingsToDisk(settings);
  std::cout.flush();
  std::_Exit(code);
}

}  // namespace

int Shutdown::end(const Circumstances& how) {
  simulation.cancel();
  finish_files(how.hangs);
  const double patience = how.hangs ? kWaitWhereItHangs : how.interrupted ? kWaitAfterSignal : kWaitForStep;
  const bool ended = simulation.end(patience);
  if (ended && !how.others_work) return how.exit_code;
  if (!ended && how.hangs) {
    std::cerr << "pericenter: the step does not return; the program ends without it.\n";
    rescue_within(0);
  }
  leave(how.exit_code);
}

void Shutdown::end_without_display(bool hangs) {
  std::cerr << "pericenter: the connection to the display is lost.\n";
  rescue();
  finish_files(hangs);
  leave(kDisplayLost);
}

void Shutdown::rescue() {
  rescue_within(kWaitForBodies);
}

void Shutdown::rescue_within(double seconds) {
  const SessionState state = simulation.state();
  if (!rescues || state.recorded || state.scene.empty()) return;
  const auto bodies = rescued_bodies(simulation, seconds);
  const std::string words = bodies ? save_recovery(*bodies, recovery_places()) : "No bodies could be saved.";
  std::cerr << "pericenter: " << words << '\n';
}

void Shutdown::finish_files(bool hangs) {
  if (const std::string words = output.stop(ui); !words.empty()) std::cout << words << '\n';
  desk.finish(simulation, hangs);
}

}  // namespace pericenter::app
