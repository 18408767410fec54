#pragma once

#include <optional>
#include <string>

#include "app/annotator.h"
#include "app/recorder.h"
#include "app/window.h"

namespace pericenter::app {

/// Saves what the window shows, as pictures and films, each under a new name. What came of it stands in ui.notice and
/// ui.output; errors also go to stderr.
class WindowOutput {
 public:
  /// The renderer must outlive it.
  explicit WindowOutput(render::Renderer& renderer) : renderer_(renderer) {}

  Annotator& annotator() { return annotator_; }

  /// A picture of the size that ui.output asks for, where `area` pixels show it in the window.
  void save_picture(const Shot& shot, Extent area, UiState& ui);
  /// The back buffer as it is, panel included.
  void save_window(const Shot& shot, Extent window, UiState& ui);

  /// Begins a film; its first frame is this one.
  void start(const Shot& first, Extent area, UiState& ui);
  /// One more frame, if a film is being made; on an error that film ends.
  void add(const Shot& shot, UiState& ui);
  /// Ends the film, if there is one; what it says of it.
  std::string stop(UiState& ui);

 private:
  template <class Work>
  void attempt(UiState& ui, const Work& work);

  render::Renderer& renderer_;
  Annotator annotator_;
  std::optional<Recorder> recorder_;
};

/// Pixels of a picture that is saved as `size`, where `area` pixels show it in the window.
Extent still_size(StillSize size, Extent area);

}  // namespace pericenter::app
