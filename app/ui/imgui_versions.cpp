#include "app/ui/imgui_versions.h"

#include <backends/imgui_impl_opengl3.h>
#include <dlfcn.h>

namespace pericenter::app::imgui {

bool init_opengl() {
  // Version 1.92 unloads the library with the first context that ends, while others still use it.
  dlopen("libGL.so.1", RTLD_LAZY | RTLD_NODELETE);
  return ImGui_ImplOpenGL3_Init("#version 430");
}

}  // namespace pericenter::app::imgui
