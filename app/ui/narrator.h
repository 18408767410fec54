#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/event_sentences.h"
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
    ReportedEvents::New found;
    bool is_a = false;
    double time = 0;  ///< time at which it was found
  };
  std::vector<ReportedEvents::New> new_events(const SessionState& state, Run& run);
  void compare(const UiFrame& frame, UiState& ui);
  void report_both(const Waiting& one, const Waiting& two, const UiFrame& frame, UiState& ui);
  void report(const ReportedEvents::New& found, const char* run, const UiFrame& frame, UiState& ui);
  void follow_replay(const UiFrame& frame, UiState& ui);
  void show(const std::string& sentence, double now, UiState& ui) const;

  std::ostream& lines_;
  bool always_prints_;
  Run only_, reference_;  ///< the simulation of the window, and A of a comparison
  std::vector<Waiting> waiting_;
  std::optional<double> shown_;  ///< position in the last frame
};

}  // namespace pericenter::app
