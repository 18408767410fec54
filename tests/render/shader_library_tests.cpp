#include "render/shader_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "render/gl_info.h"
#include "tests/render/picture.h"
#include "tests/render/shader_copy.h"

namespace pericenter::render {
namespace {

namespace fs = std::filesystem;

class ShaderFolder : public testing::Test {
 protected:
  ShaderFolder() { install_gl_debug(true); }

  /// Puts `line` behind the first `after` lines of a shader.
  void insert(const std::string& file, int after, const std::string& line) {
    std::ifstream in(shaders_.path() / file);
    std::string text, each;
    for (int i = 0; std::getline(in, each); ++i) text += (i == after ? line + '\n' : "") + each + '\n';
    in.close();
    shaders_.write(file, text);
  }

  int lines_of(const std::string& file) {
    std::ifstream in(shaders_.path() / file);
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
  }

  std::string message_of_loading() {
    try {
      Renderer renderer(shaders_.path().string());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }

  HeadlessContext context_;
  ShaderCopy shaders_;
};

TEST_F(ShaderFolder, DrawsTheSameAsTheShadersInTheBinary) {
  const Scene scene = two_spirals(500);
  Renderer from_binary, from_folder(shaders_.path().string());
  EXPECT_EQ(draw(from_binary, scene).rgb, draw(from_folder, scene).rgb);
}

TEST_F(ShaderFolder, AnErrorNamesFileAndLine) {
  insert("tone_map.frag", 6, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "tone_map.frag").string() + ":7: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, AnErrorInAnIncludedFileNamesThatFile) {
  insert("colors.glsl", 3, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "colors.glsl").string() + ":4: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, AnErrorBelowAnIncludeHasTheRightLine) {
  insert("accumulate.comp", 20, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "accumulate.comp").string() + ":21: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, AMissingOrEmptyFileIsNamed) {
  fs::remove(shaders_.path() / "box.vert");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "box.vert").string()), 0u) << message_of_loading();
  shaders_.write("box.vert", "");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "box.vert").string()), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, ReloadKeepsTheOldShadersOnAnError) {
  const Scene scene = two_spirals(500);
  Renderer renderer(shaders_.path().string());
  const Image before = draw(renderer, scene);
  insert("line.frag", 2, "this is not GLSL;");
  insert("fullscreen.vert", 3, "// harmless");
  EXPECT_NE(renderer.reload_shaders().find("line.frag:3: "), std::string::npos);
  EXPECT_EQ(draw(renderer, scene).rgb, before.rgb);
}

TEST_F(ShaderFolder, ReloadShowsAChange) {
  Scene empty;
  empty.width = empty.height = 8;
  Renderer renderer(shaders_.path().string());
  const Image before = draw(renderer, empty);
  insert("tone_map.frag", lines_of("tone_map.frag") - 1, "  color = vec4(1.0, 0.0, 0.0, 1.0);");
  EXPECT_EQ(draw(renderer, empty).rgb, before.rgb);
  EXPECT_EQ(renderer.reload_shaders(), "");
  EXPECT_EQ(draw(renderer, empty).rgb[0], 255);
}

}  // namespace
}  // namespace pericenter::render
