#pragma once

#include <string>
#include <utility>

#include "app/ui/ui_style.h"
#include "app/window/layout_store.h"

struct GLFWwindow;

namespace pericenter::app {

/// Dear ImGui with its backends for a window that has a current OpenGL context. The window's own callbacks are
/// installed before.
class Ui {
 public:
  /// Begins with the theme of the last session.
  Ui(GLFWwindow* window, float scale);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  /// Makes fonts and style anew when scale or theme is another. Between two frames.
  void set_style(float scale, Theme theme);
  Theme theme() const { return theme_; }
  /// What came between the settings and their files, in sentences, once; empty when all is well.
  std::string take_problem() { return std::exchange(problem_, {}); }
  void begin_frame();
  /// Ends the frame and draws it to the current framebuffer.
  void render();
  const Fonts& fonts() const { return fonts_; }

 private:
  void keep_layout();

  LayoutStore layout_;
  std::string problem_;
  float scale_ = 0;
  Theme theme_ = Theme::dark;
  Fonts fonts_;
};

/// Lets the settings of the current ImGui context remember `theme`, which must outlive it.
void remember_theme(Theme& theme);

/// $XDG_CONFIG_HOME/pericenter/imgui.ini, its folder made; empty when there is no place for it.
std::string settings_path();
/// cameras.csv beside it; empty when there is no place for it.
std::string cameras_path();
/// recent_files.txt beside it; empty when there is no place for it.
std::string recent_files_path();

}  // namespace pericenter::app
