#include "app/ui/ui_style.h"

#include <backends/imgui_impl_opengl3.h>
#include <gtest/gtest.h>

#include "render/headless_context.h"

namespace pericenter::app {
namespace {

TEST(UiStyle, UploadKeepsGlyphsAndFreesTheirSources) {
  const render::HeadlessContext window;
  ImGuiContext* context = ImGui::CreateContext();
  ASSERT_TRUE(ImGui_ImplOpenGL3_Init("#version 430"));
  for (const float scale : {1.0f, 2.0f, 1.0f}) {
    const Fonts fonts = upload_style(scale, Theme::light);
    ImGui_ImplOpenGL3_NewFrame();  // must not rebuild the atlas, which would have only the default font
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    EXPECT_EQ(atlas.Fonts.Size, 2);
    EXPECT_TRUE(atlas.IsBuilt());
    EXPECT_NE(atlas.TexID, ImTextureID{});
    EXPECT_NEAR(fonts.text->FontSize, 16 * scale, 0.51f);
    EXPECT_TRUE(fonts.text->FindGlyphNoFallback(u'ε'));
    EXPECT_EQ(atlas.ConfigData.Size, 0);
    EXPECT_EQ(atlas.TexPixelsAlpha8, nullptr);
    EXPECT_EQ(atlas.TexPixelsRGBA32, nullptr);
  }
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context);
}

}  // namespace
}  // namespace pericenter::app
