#pragma once

#include <memory>

#include "app/bars/presenter_view.h"
#include "app/window/window.h"

struct ImGuiContext;

namespace pericenter::app {

/// A second window with the teacher's notes, drawn only when its content has changed and once per second.
/// Keys pressed in it do what they do in the main window.
class PresenterWindow {
 public:
  /// `main` must outlive it; its context is current again afterwards. `scale`: size of text, and so of the window.
  PresenterWindow(Window& main, float scale);
  ~PresenterWindow();
  PresenterWindow(const PresenterWindow&) = delete;
  PresenterWindow& operator=(const PresenterWindow&) = delete;

  /// Also if the window could not be opened.
  bool closing() const;
  /// Moves it to a monitor without the main window. False if there is only one.
  bool move_to_free_monitor() { return window_ && main_.place_elsewhere(window_); }
  void update(const LessonState& lesson, float scale, Theme theme);

 private:
  void draw(const PresenterContent& content, float scale, Theme theme);

  Window& main_;
  GLFWwindow* window_ = nullptr;
  ImGuiContext* gui_ = nullptr;
  Fonts fonts_;
  float scale_ = 0;
  Theme theme_ = Theme::dark;
  PresenterContent shown_;
  std::shared_ptr<const Lesson> lesson_;
  double began_ = 0, drawn_ = 0;  ///< times of the begin of the lesson, and of the last frame
};

}  // namespace pericenter::app
