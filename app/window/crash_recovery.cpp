#include "app/window/crash_recovery.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/window/imgui_context.h"
#include "sim/session/checkpoint.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Of the local day and second, as it stands in the names of files.
std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  std::array<char, 32> digits;
  return {digits.data(), std::strftime(digits.data(), digits.size(), "%Y%m%d-%H%M%S", &local)};
}

void leave_note(const std::string& note, const std::string& path) {
  if (note.empty()) return;
  try {
    write_file(note, {reinterpret_cast<const std::uint8_t*>(path.data()), path.size()});
  } catch (const FileError&) {  // the user has been told of the file itself
  }
}

}  // namespace

RecoveryPlaces recovery_places() {
  RecoveryPlaces places;
  std::error_code error;
  const fs::path settings = fs::path(settings_path()).parent_path();
  if (!settings.empty()) {
    places.folders.push_back(settings.string());
    places.note = (settings / "recovery.txt").string();
  }
  places.folders.push_back(fs::current_path(error).string());
  places.folders.push_back(fs::temp_directory_path(error).string());
  return places;
}

std::shared_ptr<const Snapshot> rescued_bodies(SimulationThread& simulation, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  simulation.cancel();
  simulation.request(request::TakeSnapshot{});
  while (Clock::now() < end) {
    if (auto taken = simulation.take_snapshot()) {
      // A file with other bodies would not be read again.
      if (!all_finite(taken->bodies)) break;
      return std::make_shared<const Snapshot>(std::move(*taken));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return simulation.rollback_target();
}

std::string save_recovery(const Snapshot& bodies, const RecoveryPlaces& places, const SnapshotWriter& writer) {
  const std::string scene = bodies.run ? bodies.run->scene : "run";
  const std::string step = bodies.run ? " of step " + with_thousands(bodies.run->steps) : "";
  const auto go_on = [](double) { return true; };
  std::string problem;
  for (const std::string& folder : places.folders) {
    try {
      const std::string path = new_path_in(folder, "recovery-" + scene + "-" + date_text(), ".hdf5");
      save_snapshot(path, bodies, go_on, writer);
      leave_note(places.note, path);
      return "The bodies" + step + " are saved in " + path + "; to go on with them:\n  pericenter --load '" + path +
             "'";
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  return "The bodies are lost: " + problem;
}

std::string take_recovery(const RecoveryPlaces& places) {
  std::string path;
  std::error_code error;
  std::ifstream note(places.note);
  if (!std::getline(note, path)) return {};
  fs::remove(places.note, error);
  return fs::exists(path, error) ? path : std::string();
}

}  // namespace pericenter::app
