#include "app/ui/thumbnails.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/base/decoded_image.h"
#include "app/ui/imgui_versions.h"
#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

TEST(Thumbnails, ThereIsASmallOneForEachScene) {
  std::ptrdiff_t bytes = 0;
  for (const SceneInfo& scene : scenes()) {
    const auto found = std::ranges::find(thumbnails(), scene.name, &Thumbnail::scene);
    ASSERT_NE(found, thumbnails().end()) << scene.name << ": run assets/gallery/thumbnails.sh";
    const DecodedImage image = decode_image(found->begin, found->end);
    EXPECT_EQ(image.width, kThumbnailWidth) << scene.name;
    EXPECT_EQ(image.height, kThumbnailHeight) << scene.name;
    ASSERT_FALSE(image.rgba.empty()) << scene.name;
    EXPECT_GT(*std::ranges::max_element(image.rgba.begin(), image.rgba.end(), {},
                                        [&, k = 0](unsigned char v) mutable { return k++ % 4 == 3 ? 0 : v; }),
              60)
        << scene.name << " is black";
    bytes += found->end - found->begin;
  }
  EXPECT_LT(bytes, 300'000);
  const unsigned char damaged[] = {0xFF, 0xD8, 0xFF, 0xE0, 0};
  EXPECT_TRUE(decode_image(damaged, damaged + sizeof damaged).rgba.empty());
}

class ThumbnailLists : public Panels {
 protected:
  static constexpr unsigned kTexture = 77;

  /// Rectangles of the pictures that were drawn.
  std::vector<ImRect> pictures() {
    std::vector<ImRect> all;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int list = 0; list < data.CmdListsCount; ++list) {
      for (const ImDrawCmd& command : data.CmdLists[list]->CmdBuffer) {
        if (command.GetTexID() != imgui::texture_id(kTexture)) continue;
        for (unsigned k = 0; k < command.ElemCount; k += 6) {
          const auto* const draws = data.CmdLists[list];
          const auto corner = [&](unsigned n) {
            return draws
                ->VtxBuffer[static_cast<int>(command.VtxOffset) +
                            draws->IdxBuffer[static_cast<int>(command.IdxOffset + k + n)]]
                .pos;
          };
          all.emplace_back(corner(0), corner(2));
        }
      }
    }
    return all;
  }
};

TEST_F(ThumbnailLists, AreDrawnOnceTheWindowHasTheTexture) {
  frame();
  EXPECT_FALSE(ui.pictures.wanted) << "no list is open";
  open_list("scene");
  EXPECT_TRUE(ui.pictures.wanted);
  EXPECT_TRUE(pictures().empty());
  ui.pictures.texture = kTexture;
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (int k = 0; k < 3; ++k) frame();
    const auto entry = find("scene/collision");
    ASSERT_TRUE(entry);
    const std::vector<ImRect> all = pictures();
    ASSERT_GE(all.size(), 5u);
    EXPECT_GE(all[0].Min.y, entry->y0);
    EXPECT_LE(all[0].Max.y, entry->y1);
    EXPECT_NEAR(all[0].GetWidth() / all[0].GetHeight(), 16.0f / 9, 0.1f);
    EXPECT_GE(all[0].GetHeight(), 2 * fonts.text->FontSize);
  }
}

TEST_F(ThumbnailLists, ALessonHasThatOfItsFirstScene) {
  window_height = 1080;
  for (const char* scene : {"mice", ""}) {
    auto lesson = std::make_shared<Lesson>(*example_lesson().lesson);
    lesson->slides.front().options.scene = scene;
    ui.lessons.entries.push_back({std::string("of-") + scene, "", lesson, ""});
  }
  ui.lessons.open = true;
  ui.pictures.texture = kTexture;
  frame();
  frame();
  const std::vector<ImRect> all = pictures();
  ASSERT_EQ(all.size(), 1u) << "the other scene has none";
  EXPECT_GE(all[0].Min.y, find("lesson-of-mice")->y0);
  EXPECT_LE(all[0].Max.y, find("lesson-of-mice")->y1);
}

}  // namespace
}  // namespace pericenter::app
