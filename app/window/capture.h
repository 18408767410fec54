#pragma once

#include <optional>
#include <string>

#include "app/output/annotator.h"
#include "app/output/recorder.h"
#include "app/window/window.h"

namespace pericenter::app {

/// Pixels of the whole window, and of the part of it that shows the stars.
struct WindowArea {
  Extent window, picture;
};

/// Saves what the window shows, as pictures and films, each under a new name. What came of it stands in ui.notice and
/// ui.output; errors also go to stderr.
class Capture {
 public:
  /// The renderer must outlive it.
  explicit Capture(render::Renderer& renderer) : renderer_(renderer) {}

  /// Notes the picture that a command asks for, of the size that ui.output says or of the window with its panel; false
  /// for other commands.
  bool apply(const Command& command, UiState& ui);
  /// Once a frame, before the buffers are swapped: saves what was asked for.
  void save_wanted(const Shot& shot, const WindowArea& area, UiState& ui);
  /// Writes the shot under this name. Throws FileError.
  void write(const std::string& path, const Shot& shot, Extent size);

  /// Begins a film; its first frame is this one. `area`: as in WindowArea::picture.
  void start(const Shot& first, Extent area, UiState& ui);
  /// One more frame, if a film is being made; on an error that film ends.
  void add(const Shot& shot, UiState& ui);
  /// Ends the film, if there is one; what it says of it.
  std::string stop(UiState& ui);

 private:
  void save_picture(const Shot& shot, Extent area, UiState& ui);
  void save_window(const Shot& shot, Extent window, UiState& ui);
  template <class Work>
  void attempt(UiState& ui, const Work& work);

  render::Renderer& renderer_;
  Annotator annotator_;
  std::optional<VideoRecorder> recorder_;
  int picture_in_ = 0;  // frames until a picture is saved; 0: none is
  bool window_wanted_ = false;
};

/// Pixels of a picture that is saved as `size`, where `area` pixels show it in the window.
Extent still_size(StillSize size, Extent area);

}  // namespace pericenter::app
