#include "render/shader_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "render/gl_info.h"
#include "shaders/shaders.h"
#include "tests/render/picture.h"

namespace pericenter::render {
namespace {

namespace fs = std::filesystem;

/// A copy of the shaders that a test may spoil.
class ShaderFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(PERICENTER_OUTPUT_DIR) /
              (std::string("shaders_of_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (const ShaderSource& source : shader_sources()) std::ofstream(folder_ / source.name) << source.text;
    install_gl_debug(true);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Puts `line` behind the first `after` lines of a shader.
  void insert(const std::string& file, int after, const std::string& line) {
    std::ifstream in(folder_ / file);
    std::string text, each;
    for (int i = 0; std::getline(in, each); ++i) text += (i == after ? line + '\n' : "") + each + '\n';
    in.close();
    std::ofstream(folder_ / file) << text;
  }

  int lines_of(const std::string& file) {
    std::ifstream in(folder_ / file);
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
  }

  std::string message_of_loading() {
    try {
      Renderer renderer(folder_.string());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

  HeadlessContext context_;
  fs::path folder_;
};

TEST_F(ShaderFolder, DrawsTheSameAsTheShadersInTheBinary) {
  const Scene scene = two_spirals(500);
  Renderer from_binary, from_folder(folder_.string());
  EXPECT_EQ(draw(from_binary, scene).rgb, draw(from_folder, scene).rgb);
}

TEST_F(ShaderFolder, AnErrorNamesFileAndLine) {
  insert("tone_map.frag", 6, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((folder_ / "tone_map.frag").string() + ":7: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, AnErrorInAnIncludedFileNamesThatFile) {
  insert("colors.glsl", 3, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((folder_ / "colors.glsl").string() + ":4: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, AnErrorBelowAnIncludeHasTheRightLine) {
  insert("accumulate.comp", 20, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((folder_ / "accumulate.comp").string() + ":21: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, AMissingOrEmptyFileIsNamed) {
  fs::remove(folder_ / "box.vert");
  EXPECT_EQ(message_of_loading().find((folder_ / "box.vert").string()), 0u) << message_of_loading();
  std::ofstream(folder_ / "box.vert") << "";
  EXPECT_EQ(message_of_loading().find((folder_ / "box.vert").string()), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, ReloadKeepsTheOldShadersOnAnError) {
  const Scene scene = two_spirals(500);
  Renderer renderer(folder_.string());
  const Image before = draw(renderer, scene);
  insert("line.frag", 2, "this is not GLSL;");
  insert("fullscreen.vert", 3, "// harmless");
  EXPECT_NE(renderer.reload_shaders().find("line.frag:3: "), std::string::npos);
  EXPECT_EQ(draw(renderer, scene).rgb, before.rgb);
}

TEST_F(ShaderFolder, ReloadShowsAChange) {
  Scene empty;
  empty.width = empty.height = 8;
  Renderer renderer(folder_.string());
  const Image before = draw(renderer, empty);
  insert("tone_map.frag", lines_of("tone_map.frag") - 1, "  color = vec4(1.0, 0.0, 0.0, 1.0);");
  EXPECT_EQ(draw(renderer, empty).rgb, before.rgb);
  EXPECT_EQ(renderer.reload_shaders(), "");
  EXPECT_EQ(draw(renderer, empty).rgb[0], 255);
}

}  // namespace
}  // namespace pericenter::render
