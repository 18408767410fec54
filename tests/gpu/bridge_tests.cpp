#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/gpu/main_loop.h"

namespace pericenter::test {
namespace {

class Bridge : public OnOneGpu {};

int brightest(const render::Image& image) {
  return *std::max_element(image.rgb.begin(), image.rgb.end());
}

TEST_F(Bridge, InteropMatchesStaged) {
  const auto run = [this](app::Interop interop, const char* name) {
    MainLoop loop(std::move(interop));
    loop.request(request::SetConfig{cuda()});
    EXPECT_TRUE(loop.load("collision", sized(50'000)));
    EXPECT_TRUE(loop.uses(name)) << loop.bridge().reason();
    EXPECT_TRUE(loop.step(7));
    return std::pair{loop.drawn(), loop.image()};
  };
  const auto [shared, shared_image] = run(interop(), "interop");
  const auto [copied, copied_image] = run(staged(), "staged");
  EXPECT_EQ(shared.size(), sized(50'000));
  EXPECT_TRUE(same_bytes(shared, copied));
  EXPECT_EQ(shared_image.rgb, copied_image.rgb);
  EXPECT_GT(brightest(shared_image), 60) << "the image is black";
}

TEST_F(Bridge, ShowsBodiesOfSimulation) {
  for (const Config& config : reproducible_configs()) {
    MainLoop loop(interop());
    loop.request(request::SetConfig{cuda(config)});
    ASSERT_TRUE(loop.load("plummer", 777));
    ASSERT_TRUE(loop.step(3));
    const auto same = Simulation::create(cuda(config), scene_bodies("plummer", 777, config.dimension));
    for (int i = 0; i < 3; ++i) same->step(loop.state().params);
    std::vector<Vertex> expected(777);
    same->write_vertices(host_target(expected));
    EXPECT_TRUE(same_bytes(loop.drawn(), expected)) << describe(config);
  }
}

// Mapping a mapped buffer again is an error, and so is drawing a mapped buffer.
TEST_F(Bridge, StaysShared) {
  MainLoop loop(interop());
  loop.request(request::SetConfig{cuda()});
  ASSERT_TRUE(loop.load("plummer", 2000));
  ASSERT_TRUE(loop.uses("interop"));
  loop.request(request::Play{});
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < sized(300); ++i) {
    ASSERT_TRUE(loop.shows([&](const PublishedFrame& p) { return p.steps > steps; }));
    steps = loop.state().steps;
    if (i % 50 == 0) {
      ASSERT_GT(brightest(loop.image()), 60);
    }
    ASSERT_EQ(loop.bridge().name(), "interop") << loop.bridge().reason();
  }
  EXPECT_FALSE(loop.state().message_is_error) << loop.state().message;
}

TEST_F(Bridge, NeverShowsBufferBeingWritten) {
  MainLoop loop(interop());
  loop.request(request::SetConfig{cuda()});
  ASSERT_TRUE(loop.load("plummer", 20'000));
  loop.request(request::Play{});
  for (std::size_t i = 0; i < sized(50); ++i) {
    ASSERT_TRUE(loop.shows([](const PublishedFrame&) { return true; }));
    const std::vector<Vertex> before = loop.drawn();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the next step is written during this time
    ASSERT_TRUE(same_bytes(before, loop.drawn()));
  }
}

// The single buffer is lent and returned within one frame; OpenGL reports an error if it is drawn while mapped.
TEST_F(Bridge, UsesOneBufferForManyBodies) {
  const std::size_t many = sized(50'000);
  app::Interop few = interop();
  few.one_buffer_from = many;
  MainLoop loop(std::move(few));
  loop.request(request::SetConfig{cuda()});
  ASSERT_TRUE(loop.load("collision", many));
  ASSERT_TRUE(loop.uses("interop")) << loop.bridge().reason();
  EXPECT_GT(brightest(loop.image()), 60) << "the image is black";
  const unsigned buffer = loop.bridge().buffer();
  loop.request(request::Play{});
  for (std::uint64_t steps = 0; steps < sized(100);) {
    const auto published = loop.frame();
    if (published) {
      ASSERT_EQ(published->steps, ++steps) << "a step was skipped";
    }
    ASSERT_EQ(loop.bridge().buffer(), buffer);
    ASSERT_EQ(loop.drawn().size(), many);
  }
  loop.request(request::Play{false});
  ASSERT_TRUE(loop.pauses());
  ASSERT_TRUE(loop.step(1));
  std::vector<Vertex> expected(many);
  const auto same = Simulation::create(cuda(), scene_bodies("collision", many));
  while (same->steps() < loop.state().steps) same->step(loop.state().params);
  same->write_vertices(host_target(expected));
  EXPECT_TRUE(same_bytes(loop.drawn(), expected));
  EXPECT_FALSE(loop.state().message_is_error) << loop.state().message;
}

// Interop and staged, with the single buffer of very many bodies.
TEST_F(Bridge, ShowsOneOfEveryFewBodiesAboveTheLimit) {
  constexpr std::size_t kMany = 50'000;
  const auto all = [&] {
    MainLoop loop(interop());
    loop.request(request::SetConfig{cuda()});
    EXPECT_TRUE(loop.load("collision", kMany));
    EXPECT_TRUE(loop.step(5));
    return loop.drawn();
  }();
  ASSERT_EQ(all.size(), kMany);
  std::vector<Vertex> expected;
  for (std::size_t i = 0; i < kMany; i += 4) expected.push_back(all[i]);
  for (app::Interop limited : {interop(), staged()}) {
    limited.max_vertices = 15'000;
    limited.one_buffer_from = 10'000;
    const bool shares = limited.problem.empty();
    MainLoop loop(std::move(limited));
    loop.request(request::SetConfig{cuda()});
    loop.request(request::LoadScene{"collision", {.bodies = kMany}});
    ASSERT_TRUE(loop.shows([](const PublishedFrame& frame) { return frame.count == 12'500; }));
    EXPECT_EQ(loop.bridge().name(), shares ? "interop" : "staged") << loop.bridge().reason();
    ASSERT_TRUE(loop.step(5));
    EXPECT_EQ(loop.bridge().every(), 4u);
    EXPECT_TRUE(same_bytes(loop.drawn(), expected)) << loop.bridge().name();
  }
}

TEST_F(Bridge, ResizesWithScene) {
  MainLoop loop(interop());
  loop.request(request::SetConfig{cuda()});
  for (const std::size_t count : {500, 30'000, 1000, 300'000, 20}) {
    ASSERT_TRUE(loop.load("plummer", count));
    EXPECT_TRUE(loop.uses("interop")) << loop.bridge().reason();
    const std::vector<Vertex> vertices = loop.drawn();
    ASSERT_EQ(vertices.size(), count);
    std::vector<Vertex> expected(count);
    Simulation::create(cuda(), scene_bodies("plummer", count))->write_vertices(host_target(expected));
    EXPECT_TRUE(same_bytes(vertices, expected)) << count;
  }
}

TEST_F(Bridge, FollowsBackendChange) {
  MainLoop loop(interop());
  loop.request(request::SetConfig{cuda()});
  ASSERT_TRUE(loop.load("collision", 3000));
  loop.request(request::Play{});
  for (int turn = 0; turn < 10; ++turn) {
    const Config config = turn % 2 == 0 ? Config{} : cuda();
    const char* name = turn % 2 == 0 ? "host" : "interop";
    const std::uint64_t steps = loop.state().steps;
    loop.request(request::SetConfig{config});
    ASSERT_TRUE(loop.runs(config)) << loop.state().message;
    ASSERT_TRUE(loop.uses(name)) << loop.bridge().reason();
    ASSERT_TRUE(loop.shows([&](const PublishedFrame& p) { return p.steps > steps + 10 && p.count == 3000; }));
    EXPECT_GT(brightest(loop.image()), 60);
  }
  EXPECT_FALSE(loop.state().message_is_error) << loop.state().message;
}

TEST_F(Bridge, DoesNotWaitForStep) {
  if (short_run()) GTEST_SKIP() << "measures time";
  MainLoop loop(interop());
  loop.request(request::SetConfig{cuda({.solver = "direct"})});
  ASSERT_TRUE(loop.load("uniform", 700'000));
  loop.request(request::Play{});
  ASSERT_TRUE(loop.shows([](const PublishedFrame& p) { return p.steps > 0; }));
  std::vector<double> seconds;
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    loop.frame();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const double step = static_cast<double>(loop.state().timings.total_ms()) / 1000;
  const double slowest = *std::max_element(seconds.begin(), seconds.end());
  RecordProperty("step_seconds", std::to_string(step));
  RecordProperty("slowest_exchange_seconds", std::to_string(slowest));
  EXPECT_LT(slowest, step / 3);
}

}  // namespace
}  // namespace pericenter::test
