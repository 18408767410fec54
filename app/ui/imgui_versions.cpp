#include "app/ui/imgui_versions.h"

#include <backends/imgui_impl_opengl3.h>
#include <dlfcn.h>

#include <utility>

namespace pericenter::app::imgui {

bool tab_pressed([[maybe_unused]] int& mapped) {
#if IMGUI_VERSION_NUM >= 18700
#if IMGUI_VERSION_NUM >= 18900
  ImGui::SetKeyOwner(ImGuiKey_Tab, ImHashStr("Pericenter"));
#endif
  return ImGui::IsKeyPressed(ImGuiKey_Tab);
#else
  int& key = ImGui::GetIO().KeyMap[ImGuiKey_Tab];
  if (key >= 0) mapped = std::exchange(key, -1);
  return mapped >= 0 && ImGui::IsKeyPressed(mapped);
#endif
}

bool init_opengl() {
  // Version 1.92 unloads the library with the first context that ends, while others still use it.
  dlopen("libGL.so.1", RTLD_LAZY | RTLD_NODELETE);
  return ImGui_ImplOpenGL3_Init("#version 430");
}

}  // namespace pericenter::app::imgui
