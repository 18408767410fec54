#include <glad/gl.h>
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

/// Prints the error or the OpenGL version and exits.
[[noreturn]] void open_and_complain() {
  try {
    HeadlessContext context;
    std::cerr << "no complaint about OpenGL " << gl_info().version;
  } catch (const std::runtime_error& error) {
    std::cerr << error.what();
  }
  std::exit(0);
}

bool software_renderer() {
  try {
    HeadlessContext context;
    return gl_info().software;
  } catch (const std::runtime_error&) {
    return true;  // the child process below, with an overridden version
  }
}

TEST(HeadlessContext, HasOpenGl45AndCanBeRecreated) {
  for (int i = 0; i < 2; ++i) {
    HeadlessContext context;
    EXPECT_NE(GLAD_GL_VERSION_4_5, 0);
    EXPECT_FALSE(gl_info().renderer.empty());
  }
}

TEST(HeadlessContext, ThatNoLongerDrawsIsNoticed) {
  {
    const HeadlessContext context;
    EXPECT_EQ(lost_context(), "");
  }
  // Without a context commands are ignored, as after a reset of the GPU.
  EXPECT_EQ(lost_context(), "the graphics driver no longer draws");
}

// Mesa reads these variables once per process, so a child process runs the test with them.
TEST(HeadlessContextDeathTest, ErrorNamesAnOlderOpenGl) {
  if (!software_renderer()) GTEST_SKIP() << "only Mesa can override the OpenGL version";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  setenv("MESA_GL_VERSION_OVERRIDE", "3.3", 1);
  setenv("MESA_GLSL_VERSION_OVERRIDE", "330", 1);
  EXPECT_EXIT(open_and_complain(), testing::ExitedWithCode(0), "OpenGL 4\\.5 is required.*has OpenGL 3\\.3");
  unsetenv("MESA_GL_VERSION_OVERRIDE");
  unsetenv("MESA_GLSL_VERSION_OVERRIDE");
}

TEST(GlDebug, FatalErrorIsThrownOnce) {
  HeadlessContext context;
  install_gl_debug(true);
  EXPECT_NO_THROW(check_gl());
  glEnable(0xFFFF);
  EXPECT_THROW(check_gl(), std::runtime_error);
  EXPECT_NO_THROW(check_gl());
}

TEST(GlDebug, ErrorIsPrintedOnce) {
  HeadlessContext context;
  install_gl_debug(false);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) glEnable(0xFFFE);
  glFinish();
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed.find("OpenGL: "), 0u) << printed;
  EXPECT_EQ(printed.find("OpenGL: ", 1), std::string::npos) << printed;
  EXPECT_NO_THROW(check_gl());
}

TEST(OffscreenTarget, ImpossibleSizeThrows) {
  HeadlessContext context;
  for (const int width : {0, -1, 1 << 30}) EXPECT_THROW(OffscreenTarget(width, 10), std::runtime_error) << width;
}

TEST(Image, PngRoundTripKeepsPixels) {
  HeadlessContext context;
  install_gl_debug(true);
  const OffscreenTarget target(5, 3);
  const float grey[4] = {0.2f, 0.2f, 0.2f, 1}, red[4] = {1, 0, 0, 1};
  glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, grey);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 2, 5, 1);  // the top row
  glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, red);
  const Image image = read_pixels(target.framebuffer(), 5, 3);
  check_gl();
  ASSERT_EQ(image.rgb.size(), 45u);
  EXPECT_EQ(image.rgb[0], 255);
  EXPECT_EQ(image.rgb[1], 0);
  EXPECT_EQ(image.rgb[15], 51);

  const std::vector<std::uint8_t> png = encode_png(image);
  int width = 0, height = 0, channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(png.data(), static_cast<int>(png.size()), &width, &height, &channels, 3);
  ASSERT_NE(pixels, nullptr);
  EXPECT_EQ(std::vector<std::uint8_t>(pixels, pixels + 45), image.rgb);
  stbi_image_free(pixels);
}

}  // namespace
}  // namespace pericenter::render
