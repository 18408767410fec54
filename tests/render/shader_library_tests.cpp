#include "render/shader_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "render/gl_info.h"
#include "tests/render/shader_copy.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

namespace fs = std::filesystem;

class ShaderFolder : public testing::Test {
 protected:
  ShaderFolder() { install_gl_debug(true); }

  /// Inserts `line` after the first `after` lines of a shader.
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

/// Number of programs and shaders that are not deleted; deleted objects stay while in use.
GLboolean is_kept_program(GLuint name) {
  GLint deleted = GL_TRUE;
  if (glIsProgram(name)) glGetProgramiv(name, GL_DELETE_STATUS, &deleted);
  return !deleted;
}
GLboolean is_kept_shader(GLuint name) {
  GLint deleted = GL_TRUE;
  if (glIsShader(name)) glGetShaderiv(name, GL_DELETE_STATUS, &deleted);
  return !deleted;
}

/// Number of objects of each type in the context, counting small names only, which drivers assign first.
std::map<std::string, int> objects_of_context() {
  const std::map<std::string, GLboolean (*)(GLuint)> kinds = {
      {"buffers", glIsBuffer},           {"framebuffers", glIsFramebuffer},
      {"programs", is_kept_program},     {"queries", glIsQuery},
      {"shaders", is_kept_shader},       {"textures", glIsTexture},
      {"vertex arrays", glIsVertexArray}};
  std::map<std::string, int> objects;
  for (const auto& [kind, is_one] : kinds)
    for (GLuint name = 1; name < 10000; ++name) objects[kind] += is_one(name) == GL_TRUE;
  return objects;
}

TEST_F(ShaderFolder, MatchesTheEmbeddedShaders) {
  const Scene scene = two_spirals(500);
  Renderer from_binary, from_folder(shaders_.path().string());
  EXPECT_EQ(draw(from_binary, scene).rgb, draw(from_folder, scene).rgb);
}

TEST_F(ShaderFolder, ErrorNamesFileAndLine) {
  insert("tone_map.frag", 6, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "tone_map.frag").string() + ":7: "), 0u)
      << message_of_loading();
}

TEST_F(ShaderFolder, ErrorNamesTheIncludedFile) {
  insert("colors.glsl", 3, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "colors.glsl").string() + ":4: "), 0u) << message_of_loading();
}

TEST_F(ShaderFolder, LineIsCorrectBelowAnInclude) {
  insert("accumulate.comp", 20, "this is not GLSL;");
  EXPECT_EQ(message_of_loading().find((shaders_.path() / "accumulate.comp").string() + ":21: "), 0u)
      << message_of_loading();
}

TEST_F(ShaderFolder, ErrorNamesAMissingOrEmptyFile) {
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
  EXPECT_THAT(renderer.reload_shaders(), testing::HasSubstr("line.frag:3: "));
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

TEST_F(ShaderFolder, ReloadLeaksNoObjects) {
  const Scene scene = two_spirals(500);
  const std::map<std::string, int> without = objects_of_context();
  {
    Renderer renderer(shaders_.path().string());
    draw(renderer, scene);
    const std::map<std::string, int> with = objects_of_context();
    EXPECT_GT(with.at("programs"), 5);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(renderer.reload_shaders(), "");
      draw(renderer, scene);
      EXPECT_EQ(objects_of_context(), with);
    }
    insert("line.frag", 2, "this is not GLSL;");
    ASSERT_NE(renderer.reload_shaders(), "");
    EXPECT_EQ(objects_of_context(), with);
  }
  EXPECT_EQ(objects_of_context(), without);
}

}  // namespace
}  // namespace pericenter::render
