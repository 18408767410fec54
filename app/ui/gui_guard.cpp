#include "app/ui/gui_guard.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/ui/imgui_versions.h"

namespace pericenter::app {
namespace {

struct FailedAssertion {
  std::string what;
};

thread_local bool is_guarded = false;

/// Ends the frame of the current context after an exception.
void abandon_frame() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (!context.WithinFrameScope) return;
  imgui::end_everything(context);
  ImGui::EndFrame();
}

}  // namespace

std::string draw_guarded(const std::function<void()>& draw) {
  std::string failed;
  const bool outer = std::exchange(is_guarded, true);
  for (const std::function<void()>& work : {draw, std::function<void()>(abandon_frame)}) {
    try {
      work();
      break;
    } catch (const FailedAssertion& assertion) {
      if (failed.empty()) failed = assertion.what;
    } catch (...) {
      is_guarded = outer;
      throw;
    }
  }
  is_guarded = outer;
  return failed;
}

/// Replaces __assert_fail() of the C library, which is declared not to throw; hence another name in C++.
extern "C" [[noreturn]] void pericenter_assert_fail(const char* expression, const char* file, unsigned line,
                                                    const char* function) __asm__("__assert_fail");

[[noreturn]] void pericenter_assert_fail(const char* expression, const char* file, unsigned line,
                                         const char* function) {
  std::array<char, 1000> words;
  std::snprintf(words.data(), words.size(), "%s:%u: %s: Assertion `%s' failed.", file, line, function, expression);
  if (is_guarded) throw FailedAssertion{words.data()};
  std::fprintf(stderr, "%s\n", words.data());
  std::abort();
}

}  // namespace pericenter::app
