#pragma once

#include <functional>
#include <string>

namespace pericenter::app {

/// Calls `draw`, between ImGui::NewFrame() and the end of the frame, which it may contain. If an assertion of Dear
/// ImGui fails, which would end the process, the frame is abandoned instead: all that was begun is ended, and nothing
/// is rendered. Returns what failed, or an empty text. Other exceptions pass.
///
/// The assertion throws through functions of Dear ImGui: this file replaces the function of the C library that a failed
/// assert() calls. Outside of `draw`, and on other threads, a failed assertion ends the process as usual.
std::string draw_guarded(const std::function<void()>& draw);

}  // namespace pericenter::app
