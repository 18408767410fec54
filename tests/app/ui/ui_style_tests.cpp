#include "app/ui/ui_style.h"

#include <backends/imgui_impl_opengl3.h>
#include <gtest/gtest.h>

#include <string_view>

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
    EXPECT_EQ(atlas.Fonts.Size, 5);
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

TEST(ProjectorSizes, FollowTheHeightOfTheWindow) {
  EXPECT_EQ(projector_sizes(1080, 1), (ProjectorSizes{48, 32, 24}));
  EXPECT_EQ(projector_sizes(720, 1), (ProjectorSizes{32, 21, 16}));
  EXPECT_EQ(projector_sizes(2160, 1), (ProjectorSizes{96, 64, 48}));
  EXPECT_EQ(projector_sizes(1080, 2), (ProjectorSizes{96, 64, 48}));
  EXPECT_EQ(projector_sizes(1080, 0.5f), (ProjectorSizes{24, 16, 12}));
  EXPECT_EQ(projector_sizes(1080, 100), projector_sizes(1080, kPrintedSize));
  EXPECT_GE(projector_sizes(600, kPrintedSize).legend * 8 / 2.54 * 72 / 960, 8) << "points, in a worksheet";
  EXPECT_EQ(projector_sizes(720, 1, 1.25f), (ProjectorSizes{40, 27, 20})) << "follows the UI scale";
  EXPECT_EQ(projector_sizes(720, 1, 2), (ProjectorSizes{48, 32, 24})) << "but leaves room for the picture";
  EXPECT_EQ(projector_sizes(2160, 1, 2), projector_sizes(2160, 1)) << "large enough";
  EXPECT_EQ(projector_sizes(720, 1, 0.75f), projector_sizes(720, 1));
  EXPECT_EQ(projector_sizes(360, 0.5f).legend, 10) << "legible";
  EXPECT_EQ(projector_sizes(-1, 1).legend, 10) << "before the first frame";
}

class LessonFonts : public testing::Test {
 protected:
  LessonFonts() { ImGui::CreateContext(); }
  ~LessonFonts() override { ImGui::DestroyContext(); }

  /// Pixels of the texture.
  static int pixels(const ProjectorSizes& sizes, Fonts& fonts) {
    fonts = apply_style(1, Theme::dark, sizes);
    unsigned char* texture = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&texture, &width, &height);
    return width * height;
  }
};

TEST_F(LessonFonts, HaveTheSizesInPixels) {
  for (const float height : {720.0f, 1080.0f, 2160.0f}) {
    const ProjectorSizes sizes = projector_sizes(height, 1);
    Fonts fonts;
    pixels(sizes, fonts);
    EXPECT_EQ(fonts.clock->FontSize, sizes.clock);
    EXPECT_EQ(fonts.caption->FontSize, sizes.caption);
    EXPECT_EQ(fonts.legend->FontSize, sizes.legend);
    EXPECT_EQ(fonts.sizes, sizes);
  }
}

TEST_F(LessonFonts, HaveTheLettersOfLessons) {
  Fonts fonts;
  pixels({}, fonts);
  for (const ImFont* font : {fonts.clock, fonts.caption, fonts.legend})
    for (const char16_t letter : std::u16string_view(u"äöüÄÖÜßéèçñłőθεΔμ²³⁻⁸₂→←↑↓„“”‘’–—•…−×±≈≤≥√∞●▲■☉"))
      EXPECT_TRUE(font->FindGlyphNoFallback(letter)) << std::hex << static_cast<int>(letter);
}

TEST_F(LessonFonts, NeedATextureOfLimitedSize) {
  Fonts fonts;
  EXPECT_LT(pixels(projector_sizes(1080, 1), fonts), 2'600'000);
  EXPECT_LT(pixels(projector_sizes(2160, 1), fonts), 7'000'000);
  const int largest = pixels(projector_sizes(2160, 2), fonts);
  EXPECT_LT(largest, 25'000'000);
  EXPECT_EQ(pixels(projector_sizes(8640, 2), fonts), largest) << "larger text is scaled";
  EXPECT_EQ(fonts.sizes.clock, 768);
}

}  // namespace
}  // namespace pericenter::app
