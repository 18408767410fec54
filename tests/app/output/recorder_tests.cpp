#include "app/output/recorder.h"

#include <stb/stb_image.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/bridge_fixture.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using render::Image;

/// Stars in a GL buffer.
class Recording : public ::testing::Test {
 protected:
  Recording() : buffer_(render::make_buffer()) {
    std::mt19937 random(1);
    const auto place = [&] { return static_cast<float>(random()) / 4294967296.0f - 0.5f; };
    for (int k = 0; k < kStars; ++k)
      stars_.push_back({place(), place(), place(), make_attribute(make_tag(0, Component::disc), 1)});
    glNamedBufferStorage(buffer_.name(), static_cast<GLsizeiptr>(stars_.size() * sizeof(Vertex)), stars_.data(),
                         GL_DYNAMIC_STORAGE_BIT);
  }

  /// Orbited by `angle`, so that all frames differ.
  CapturedFrame shot(float angle) {
    render::Frame picture{.stars = {buffer_.name(), stars_.size()}};
    picture.settings.auto_exposure = false;  // stills and videos adapt at different speeds
    picture.settings.exposure = 2;           // a few old stars are faint
    picture.camera.fit(1);
    picture.camera.orbit(angle, 0, 100);
    return {.frame = picture, .state = state_, .view = view_, .overlay = {}, .annotated = false};
  }

  static constexpr int kStars = 500, kWidth = 120, kHeight = 70;
  render::HeadlessContext context_;
  render::Renderer renderer_;
  Annotator annotator_;
  render::Buffer buffer_;
  std::vector<Vertex> stars_;
  SessionState state_;
  ViewSettings view_;
};

Image read(const std::filesystem::path& file) {
  Image image;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(file.c_str(), &image.width, &image.height, &channels, 3), &stbi_image_free);
  if (pixels) image.rgb.assign(pixels.get(), pixels.get() + 3 * image.width * image.height);
  return image;
}

std::filesystem::path numbered(const TemporaryFolder& folder, int number) {
  return folder / "a-frames" / ("00000" + std::to_string(number) + ".png");
}

// Asynchronous read-back neither loses, repeats nor reorders frames.
TEST_F(Recording, FramesAreTheGivenOnesInOrder) {
  const TemporaryFolder folder;
  VideoRecorder recorder(renderer_, &annotator_, {folder / "a.png", kWidth, kHeight, 60});
  for (int k = 1; k <= 5; ++k) recorder.add(shot(20.0f * static_cast<float>(k)));
  EXPECT_EQ(recorder.frames(), 5u);
  recorder.finish();
  for (int k = 1; k <= 5; ++k) {
    const Image frame = read(numbered(folder, k));
    CapturedFrame same = shot(20.0f * static_cast<float>(k));
    EXPECT_EQ(frame.rgb, still(renderer_, &annotator_, same, kWidth, kHeight).rgb) << k;
    EXPECT_GT(*std::max_element(frame.rgb.begin(), frame.rgb.end()), 60) << k;
  }
  EXPECT_FALSE(std::filesystem::exists(numbered(folder, 6)));
}

TEST_F(Recording, IsReproducible) {
  const TemporaryFolder first, second;
  for (const TemporaryFolder* folder : {&first, &second}) {
    VideoRecorder recorder(renderer_, &annotator_, {*folder / "a.png", kWidth, kHeight, 30});
    for (int k = 1; k <= 3; ++k) recorder.add(shot(20.0f * static_cast<float>(k)));
    recorder.finish();
  }
  for (int k = 1; k <= 3; ++k) EXPECT_EQ(test::text_of(numbered(first, k)), test::text_of(numbered(second, k))) << k;
}

/// A red square in the lower right corner, and a letter next to it.
void draw_mark(ImDrawList& draw, const Fonts& fonts, float scale, ImVec2 /*low*/, ImVec2 high) {
  draw.AddRectFilled({high.x - 40 * scale, high.y - 40 * scale}, high, IM_COL32(255, 0, 0, 255));
  draw.AddText(fonts.headline, fonts.headline->FontSize, {high.x - 80 * scale, high.y - 40 * scale},
               IM_COL32(0, 255, 0, 255), "M");
}

Image marked(Annotator& annotator, glm::ivec2 whole, glm::ivec2 tile) {
  Image image{whole.x, whole.y, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(whole.x * whole.y))};
  for (int y = 0; y < whole.y; y += tile.y) {
    for (int x = 0; x < whole.x; x += tile.x) {
      const render::OffscreenTarget target(tile.x, tile.y);
      glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
      glClearColor(0, 0, 0, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      annotator.draw({target.framebuffer(), {x, y}, tile, whole}, draw_mark);
      const Image part = render::read_pixels(target.framebuffer(), tile.x, tile.y);
      for (int row = 0; row < tile.y; ++row)
        std::copy_n(part.rgb.begin() + 3 * row * tile.x, 3 * tile.x, image.rgb.begin() + 3 * ((y + row) * whole.x + x));
    }
  }
  return image;
}

std::size_t count(const Image& image, int channel) {
  std::size_t strong = 0;
  for (std::size_t k = static_cast<std::size_t>(channel); k < image.rgb.size(); k += 3) strong += image.rgb[k] > 100;
  return strong;
}

TEST_F(Recording, AnnotationsScaleWithTheImageAndCrossTiles) {
  const Image small = marked(annotator_, {640, 360}, {640, 360}), large = marked(annotator_, {1280, 720}, {1280, 720});
  EXPECT_EQ(count(small, 0), 20u * 20);
  EXPECT_EQ(count(large, 0), 40u * 40);
  EXPECT_GT(count(small, 1), 20u);
  EXPECT_GT(count(large, 1), 3 * count(small, 1));
  const std::size_t last = large.rgb.size() - 3;
  EXPECT_EQ(large.rgb[last], 255) << "the mark is not in the lower right corner";
  EXPECT_EQ(marked(annotator_, {1280, 720}, {320, 240}).rgb, large.rgb);
}

TEST_F(Recording, ImagesOfAnySizeAreAnnotated) {
  state_.scene = "galaxy";
  state_.bodies = 1000;
  view_.guides = {.grid = true, .axes = true, .scale_bar = true, .legend = true};
  const std::vector<glm::ivec2> sizes = {{1, 1},    {2, 1},    {16, 16},   {22, 22},   {32, 32},   {64, 48},
                                         {200, 20}, {4096, 8}, {16384, 1}, {1, 16384}, {20, 4000}, {64, 6000}};
  for (const glm::ivec2 size : sizes) {
    CapturedFrame small = shot(30);
    small.annotated = true;
    const Image image = still(renderer_, &annotator_, small, size.x, size.y);
    EXPECT_EQ(image.rgb.size(), 3 * static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    const render::OffscreenTarget tile(1, 1);
    annotator_.draw({tile.framebuffer(), {0, 0}, {1, 1}, size},
                    [&](ImDrawList&, const Fonts& fonts, float, ImVec2, ImVec2) {
                      EXPECT_LE(fonts.text->ContainerAtlas->TexHeight, 8192) << size.x << " x " << size.y;
                    });
  }
}

TEST_F(Recording, ImagesOfAComparisonAreDividedWithoutAnnotationsToo) {
  ComparisonState comparison;
  comparison.divider = 0.25f;
  for (const auto& [theme, line] : {std::pair{Theme::dark, 160u}, {Theme::light, 160u}, {Theme::dark, 320u}}) {
    comparison.side_by_side = line == 320;
    view_.theme = theme;
    CapturedFrame plain = shot(30);
    plain.frame.settings.background = background_of(theme);
    const Image before = still(renderer_, &annotator_, plain, 640, 360);
    plain.overlay.comparison = &comparison;
    const Image divided = still(renderer_, &annotator_, plain, 640, 360);
    const auto changed_rows = [&](std::size_t x, int least) {
      int rows = 0;
      for (std::size_t at = 3 * x; at < divided.rgb.size(); at += 3 * 640)
        rows += std::abs(divided.rgb[at] - before.rgb[at]) >= least ? 1 : 0;
      return rows;
    };
    EXPECT_GT(changed_rows(line, 100), 300) << "clearly visible";
    for (std::size_t x = 0; x < 640; ++x) {
      const bool is_line = x >= line - 2 && x <= line + 2;
      EXPECT_TRUE(is_line || changed_rows(x, 1) == 0) << x;
    }
  }
}

TEST_F(Recording, KeepsAnotherContextCurrent) {
  ImGuiContext* other = ImGui::CreateContext();
  ImGui::SetCurrentContext(other);
  {
    Annotator second;
    EXPECT_EQ(ImGui::GetCurrentContext(), other);
    const render::OffscreenTarget target(64, 64);
    second.draw({target.framebuffer(), {0, 0}, {64, 64}, {64, 64}}, draw_mark);
    EXPECT_EQ(ImGui::GetCurrentContext(), other);
  }
  EXPECT_EQ(ImGui::GetCurrentContext(), other);
  ImGui::DestroyContext(other);
}

class Pace : public Bridges {
 protected:
  /// Numbers of steps between frames, in a main loop with occasional slow frames.
  std::vector<std::uint64_t> steps_between_frames(std::size_t bodies, std::size_t pictures) {
    simulation.request(plummer(bodies));
    std::vector<std::uint64_t> between;
    std::uint64_t last = 0;
    for (int k = 0; between.size() < pictures && k < 20'000; ++k) {
      const auto published = bridge->exchange(simulation, simulation.state());
      if (published && published->count == bodies && published->steps > 0)
        between.push_back(published->steps - std::exchange(last, published->steps));
      std::this_thread::sleep_for(std::chrono::milliseconds(k % 7 == 0 ? 40 : 1));
    }
    return between;
  }
};

TEST_F(Pace, FramesHaveExactlyTheSetSteps) {
  simulation.request(request::SetStepsPerFrame{3});
  simulation.request(request::SetExactPace{true});
  simulation.request(request::Play{true});
  // Steps that are much faster than a frame, and slower ones.
  EXPECT_EQ(steps_between_frames(500, 40), std::vector<std::uint64_t>(40, 3));
  EXPECT_EQ(steps_between_frames(20'000, 10), std::vector<std::uint64_t>(10, 3));
}

}  // namespace
}  // namespace pericenter::app
