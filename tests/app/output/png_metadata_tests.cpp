#include "app/output/png_metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <memory>

#include "app/settings/command_line.h"
#include "app/settings/scene_string.h"
#include "tests/support/png_chunks.h"

namespace pericenter::app {
namespace {

render::Image small_image() {
  render::Image image{3, 2, {}};
  for (int k = 0; k < 18; ++k) image.rgb.push_back(static_cast<std::uint8_t>(13 * k));
  return image;
}

SessionState moment() {
  SessionState state;
  state.scene = "galaxy";
  state.scene_request = {.bodies = 1234, .seed = 77};
  state.units = {3.5, 13.8, 248};
  state.config.solver = "tree-sorted";
  state.config.precision = Precision::float64;
  state.config.dimension = 2;
  state.config.solver_options.set(SolverOption::walk, Walk::skip);
  state.params = {.dt = 0.1, .theta = 1.0 / 3, .softening = 0.07};
  state.bodies = 1234;
  state.steps = 250;
  state.time = 25;
  state.energy_error = -1.5e-6;
  return state;
}

TEST(PngText, IsInTheFileAndLeavesThePixels) {
  const render::Image image = small_image();
  const std::vector<render::PngText> texts = {{"Title", "one line"}, {"Settings", "a: 1\nb: 2\n"}, {"Umlaut", "θ = ½"}};
  const std::vector<std::uint8_t> file = render::encode_png(image, texts);
  const auto found = test::png_texts(file);
  ASSERT_EQ(found.size(), texts.size());
  for (const render::PngText& text : texts) EXPECT_EQ(found.at(text.keyword), text.text);

  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(file.data(), static_cast<int>(file.size()), &width, &height, &channels, 3),
      &stbi_image_free);
  ASSERT_TRUE(pixels);
  EXPECT_EQ(width, 3);
  EXPECT_EQ(height, 2);
  EXPECT_TRUE(std::equal(image.rgb.begin(), image.rgb.end(), pixels.get()));
  EXPECT_TRUE(test::png_texts(render::encode_png(image)).empty());
}

TEST(PictureTexts, AFileNameCannotAddLines) {
  SessionState state = moment();
  state.file = "/a\nsteps: 7\x1b[2J\x9b.csv";
  const auto texts = test::png_texts(render::encode_png(small_image(), image_metadata(state, {}, {})));
  const std::string& settings = texts.at("Settings");
  EXPECT_THAT(settings, testing::HasSubstr("file: /a\\x0asteps: 7\\x1b[2J\\x9b.csv\n"));
  EXPECT_THAT(settings, testing::HasSubstr("\nsteps: 250\n"));
  for (const auto& [keyword, text] : texts) EXPECT_EQ(text.find_first_of("\x1b\x9b"), text.npos) << keyword;
}

TEST(PictureTexts, DescribeAllSettings) {
  const SessionState state = moment();
  ViewSettings view;
  view.image.color = render::ColorMode::density;
  view.image.map = render::ColorMap::magma;
  view.image.high = 1.25f;
  view.theme = Theme::light;
  render::Camera camera;
  camera.set_pose({{1, 2, 3}, 0.25f, 0.5f, 8});
  const auto texts = test::png_texts(render::encode_png(small_image(), image_metadata(state, view, camera)));
  EXPECT_EQ(texts.at("Software").rfind("Pericenter ", 0), 0u);
  EXPECT_THAT(texts.at("Title"), testing::HasSubstr("345 Myr"));
  EXPECT_THAT(texts.at("Description"), testing::HasSubstr("1,234 bodies"));
  for (const char* line : {"scene: galaxy\n",
                           "bodies: 1234\n",
                           "seed: 77\n",
                           "dimension: 2\n",
                           "time: 25\n",
                           "time in Myr: 345\n",
                           "steps: 250\n",
                           "solver: tree-sorted\n",
                           "walk: skip\n",
                           "order: solver default\n",
                           "backend: cpu\n",
                           "precision: double\n",
                           "multipole: quadrupole\n",
                           "theta: 0.3333333333333333\n",
                           "softening: 0.07\n",
                           "dt: 0.1\n",
                           "energy error: -1.5e-6\n",
                           "camera: 1,2,3,0.25,0.5,8\n",
                           "color-by: density\n",
                           "color-map: magma\n",
                           "color-range: 0,1.25\n",
                           "exposure: 0\n",
                           "auto-exposure: on\n",
                           "halo: off\n",
                           "theme: light\n"}) {
    EXPECT_THAT(texts.at("Settings"), testing::HasSubstr(line)) << line << " is not in:\n" << texts.at("Settings");
  }
  EXPECT_THAT(texts.at("Settings"), testing::HasSubstr("command: " + command_of(state, view, camera) + "\n"));
  EXPECT_EQ(texts.at("Scene"), scene_string(state, view, camera));
}

// Parses the command line in the metadata.
TEST(PictureTexts, CommandReproducesTheScene) {
  SessionState state = moment();
  ViewSettings view;
  view.image.bloom = 0.25f;
  view.image.color = render::ColorMode::force_error;  // measured only in the window
  view.theme = Theme::light;
  state.suggested = {.softening = 0.3};
  render::Camera camera;
  camera.set_pose({{1, 2, 3}, 0.25f, 0.5f, 1.5f});
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char letter : command_of(state, view, camera)) {
    if (letter == '\'')
      quoted = !quoted;
    else if (letter == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += letter;
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const Options options = parse_command_line(static_cast<int>(arguments.size()), arguments.data()).options;
  EXPECT_EQ(options.scene, state.scene);
  EXPECT_EQ(options.bodies, state.bodies);
  EXPECT_EQ(options.seed, 77u);
  EXPECT_EQ(options.steps, state.steps);
  EXPECT_EQ(options.config, state.config);
  EXPECT_EQ(with_options(state.suggested, options), state.params);
  EXPECT_EQ(options.camera, camera.pose());
  EXPECT_EQ(options.view.image.bloom, 0.25f);
  EXPECT_EQ(options.view.theme, Theme::light);
  EXPECT_TRUE(options.headless);
}

TEST(PictureTexts, CommandNamesTheFileOfTheBodies) {
  SessionState state = moment();
  state.file = "/data/it's mine.hdf5";
  state.steps_at_load = state.steps - 3;
  std::string command = command_of(state, {}, {});
  EXPECT_THAT(command, testing::HasSubstr("file=/data/it%27s%20mine.hdf5 "));
  EXPECT_THAT(command, testing::HasSubstr(" -s 3 "));
  for (const char* key : {"scene=", " n=", "seed="}) EXPECT_THAT(command, testing::Not(testing::HasSubstr(key)));
  state.file = "/data/snap_000.hdf5";
  state.playback = TimeRange{0, 1};
  command = command_of(state, {}, {});
  EXPECT_THAT(command, testing::HasSubstr("series=/data/snap_000.hdf5 "));
}

TEST(Options, GivenOptionsOverrideASavedRun) {
  Config saved;
  saved.solver = "direct";
  saved.precision = Precision::float64;
  saved.dimension = 2;
  saved.threads = 3;
  Options options;
  options.config.threads = 1;
  Config same = saved;
  same.threads = 1;  // of this machine, not of the saved run
  EXPECT_EQ(config_with_options(saved, options), same);
  options.given.precision = true;
  options.config.solver_options.set(SolverOption::walk, Walk::skip);
  const Config changed = config_with_options(saved, options);
  EXPECT_EQ(changed.precision, Precision::float32);
  EXPECT_EQ(changed.solver_options[SolverOption::walk], static_cast<int>(Walk::skip));
  EXPECT_EQ(changed.solver, "direct");
  EXPECT_EQ(changed.dimension, 2);
  saved.solver_options.set(SolverOption::order, Order::shuffled);
  options = {};
  options.given.solver = true;
  options.automatic_solver = false;
  EXPECT_EQ(config_with_options(saved, options).solver_options, SolverOptions());
}

}  // namespace
}  // namespace pericenter::app
