#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"

struct GLFWwindow;

namespace pericenter::app {

/// Stores the window layout, the side bar and the theme of ImGui between sessions. The file is replaced atomically,
/// so ImGui's own file, which is written in place, must be off (io.IniFilename null).
class LayoutStore {
 public:
  /// Stored in the file `path`; not stored if it is empty.
  explicit LayoutStore(std::string path) : path_(std::move(path)) {}

  /// Loads the layout into the current ImGui context. Returns what is wrong with the file, which is then renamed, or an
  /// empty text.
  std::string load();
  /// Writes the layout of the current context if it has changed. Throws FileError once; later changes are not stored.
  void save();

 private:
  std::string path_;
  std::string stored_;
};

/// What is wrong with the text of a layout file; empty if it is valid. ImGui does not check the numbers in it.
std::string problem_with_layout(const std::string& text);

/// What is stored with the layout of an ImGui context.
struct StoredLook {
  Theme theme = Theme::dark;
  bool reduced_motion = false;
  SideBar side_bar;
};
/// Stores `look`, which must outlive the context, with the layout of the current ImGui context.
void store_look(StoredLook& look);

/// Before Dear ImGui 1.87, a key that was pressed and released between two frames is lost: holds it for one frame.
class ShortPresses {
 public:
  /// `key`: GLFW's number.
  void press(int key) { pressed_.push_back(key); }
  /// Before ImGui::NewFrame().
  void begin_frame();

 private:
  std::vector<int> pressed_, held_;
};

/// Dear ImGui with its backends for a window with a current OpenGL context. Create it after the window's own callbacks
/// are installed.
class GuiContext {
 public:
  /// Starts with the theme and the side bar of the last session. Call set_style() before the first frame.
  explicit GuiContext(GLFWwindow* window);
  ~GuiContext();
  GuiContext(const GuiContext&) = delete;
  GuiContext& operator=(const GuiContext&) = delete;

  /// Rebuilds fonts and style if scale, theme or sizes have changed. Call it between two frames.
  void set_style(float scale, Theme theme, const ProjectorSizes& sizes);
  Theme theme() const { return look_.theme; }
  const SideBar& side_bar() const { return look_.side_bar; }
  bool reduced_motion() const { return look_.reduced_motion; }
  void store_reduced_motion(bool reduced);
  /// Why settings could not be read or written; empty if they could. Cleared by this call.
  std::string take_problem() { return std::exchange(problem_, {}); }
  /// A key is pressed down; GLFW's number.
  void press(int key) { short_presses_.press(key); }
  void begin_frame();
  /// Ends the frame and draws it to the current framebuffer. The side bar is stored for the next session.
  void render(const SideBar& side_bar);
  const Fonts& fonts() const { return fonts_; }

 private:
  void save_layout();

  LayoutStore layout_;
  std::string problem_;
  float scale_ = 0;
  StoredLook look_;
  Fonts fonts_;
  ShortPresses short_presses_;
};

}  // namespace pericenter::app
