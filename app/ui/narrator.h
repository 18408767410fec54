#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/run_sentences.h"
#include "app/ui/ui_state.h"

namespace pericenter::app {

/// How long a sentence over the image is shown, in seconds.
double narration_seconds(const std::string& sentence);

/// Reports the events of a run in sentences: over the image (CaptionUi::narration), and as a line of text, each event
/// once. A replay that passes an event shows its sentence again, but does not print it. Of a comparison it says which
/// run an event belongs to, unless both have it.
class Narrator {
 public:
  /// Lines go to `lines`, also while the narrator is off if `always_prints`.
  explicit Narrator(std::ostream& lines, bool always_prints = false) : lines_(lines), always_prints_(always_prints) {}

  /// Once per frame.
  void update(const UiFrame& frame, UiState& ui);

 private:
  /// One of the two runs of a comparison, or the only one.
  struct Run {
    std::optional<std::uint64_t> serial;  ///< serial of its scene
    ReportedEvents reported;
  };
  /// An event of one run of a comparison, until the other one has passed it too.
  struct Waiting {
    EncounterEvent event;
    bool is_a = false;
    double time = 0;  ///< time at which it was found
  };
  /// What the image shows in this frame, or in the last one.
  struct Shown {
    std::uint64_t simulation = 0, reference = 0;  ///< serials of the scenes; 0: none
    double position = 0;
  };
  bool is_current(const Shown& before, const UiFrame& frame, const UiState& ui) const;
  std::vector<EncounterEvent> new_events(const SessionState& state, Run& run);
  void compare(const UiFrame& frame, UiState& ui);
  void report_both(const Waiting& one, const Waiting& two, const UiFrame& frame, UiState& ui);
  std::string sentence(const Waiting& one, const UiFrame& frame, const UiState& ui) const;
  void report(const Waiting& one, const char* run, const UiFrame& frame, UiState& ui);
  void follow_replay(double before, const UiFrame& frame, UiState& ui);
  void show(const std::string& sentence, double now, UiState& ui) const;

  std::ostream& lines_;
  bool always_prints_;
  Run only_, reference_;  ///< the simulation of the window, and A of a comparison
  std::vector<Waiting> waiting_;
  Shown shown_;
};

/// Describes the scene in sentences for screen readers, one a line: what it is, where the galaxies are, about every ten
/// seconds while they move, and what the user changes, at most one line per second. Events come from the Narrator.
class Describer {
 public:
  explicit Describer(std::ostream& lines) : lines_(lines) {}

  /// `now`: seconds since the program started.
  void update(const SessionState& state, double now);

 private:
  std::string change(const SessionState& state);

  std::ostream& lines_;
  std::optional<std::uint64_t> serial_;  ///< serial of the scene that was described
  double last_line_ = -1e9, last_moment_ = 0;
  double described_time_ = 0;  ///< simulation time of the last description of a moment
  // Values in the last line about each.
  bool running_ = false, rewound_ = false;
  Params params_;
  Config config_;
  std::uint64_t message_ = 0;
};

}  // namespace pericenter::app
