#include "app/window/uploaded_style.h"

#include <backends/imgui_impl_opengl3.h>

namespace pericenter::app {

Fonts upload_style(float scale, Theme theme) {
  const Fonts fonts = apply_style(scale, theme);
  ImGui_ImplOpenGL3_NewFrame();  // the first time it uploads the letters with all else that it needs
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  ImGui::GetIO().Fonts->ClearInputData();
  ImGui::GetIO().Fonts->ClearTexData();
  return fonts;
}

}  // namespace pericenter::app
