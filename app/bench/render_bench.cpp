#include "app/bench/bench.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <glm/gtc/packing.hpp>
#include <iostream>
#include <optional>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/bench/table.h"
#include "app/bridge/vertex_bridge.h"
#include "app/output/offscreen.h"
#include "render/gl_info.h"
#include "render/gl_objects.h"
#include "render/headless_context.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "render/star_pass.h"
#include "sim/core/median.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMaxCreated = 1'000'000;  // bodies; beyond, shifted copies of them
constexpr float kShift = 0.002f;                // shift of a copy, in scene radii
constexpr std::size_t kWarmUp = 6;              // frames, because timings are a few frames old
constexpr std::size_t kMaxFrames = 25, kMinFrames = 5;
constexpr double kSeconds = 4;      // duration of a measurement, after kMinFrames frames
constexpr float kFarNotches = -28;  // wheel notches: the whole scene on about ten pixels

constexpr std::array<const char*, render::kFootprints> kFootprintNames = {"pixel", "bilinear", "crowded",
                                                                          "pixel or sprite", "bilinear or sprite"};

using Clock = std::chrono::steady_clock;

struct BenchScene {
  std::vector<Vertex> vertices;
  float radius = 1;
};

BenchScene make_bench_scene(std::size_t bodies, std::uint64_t seed) {
  const Scene scene = find_scene("collision")->make({.bodies = std::min(bodies, kMaxCreated), .seed = seed});
  BenchScene bench_scene{.vertices = {}, .radius = static_cast<float>(scene.view_radius)};
  for (const Body& body : scene.bodies) {
    const Vec3& at = body.position;
    bench_scene.vertices.push_back({.x = static_cast<float>(at[0]),
                                    .y = static_cast<float>(at[1]),
                                    .z = static_cast<float>(at[2]),
                                    .attribute = body.tag | static_cast<std::uint32_t>(glm::packHalf1x16(1)) << 16});
  }
  return bench_scene;
}

/// Uploads `bodies` vertices; nullopt when GPU memory is exhausted. Drivers fail when they copy into larger buffers.
std::optional<render::Buffer> upload(const BenchScene& bench_scene, std::size_t bodies) {
  if (bodies > kMaxSharedVertices) return {};
  render::Buffer buffer = render::make_buffer();
  while (glGetError() != GL_NO_ERROR) continue;
  glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(bodies * sizeof(Vertex)), nullptr,
                       GL_DYNAMIC_STORAGE_BIT);
  if (glGetError() != GL_NO_ERROR) return {};
  std::vector<Vertex> part = bench_scene.vertices;
  for (std::size_t first = 0; first < bodies; first += part.size()) {
    const std::size_t count = std::min(part.size(), bodies - first);
    glNamedBufferSubData(buffer.name(), static_cast<GLintptr>(first * sizeof(Vertex)),
                         static_cast<GLsizeiptr>(count * sizeof(Vertex)), part.data());
    for (Vertex& vertex : part) vertex.x += kShift * bench_scene.radius;
  }
  return buffer;
}

struct Measured {
  render::RenderTimings stages;
  float frame_ms = 0;  ///< wall clock until the GPU has finished
};

class Measurement {
 public:
  Measurement(render::Renderer& renderer, const render::OffscreenTarget& target, const BenchOptions& options)
      : renderer_(renderer), target_(target), options_(options) {}

  Measured run(const render::Frame& frame, StopSignals& stop) const {
    const std::size_t max_frames = options_.repeats > 0 ? options_.repeats : kMaxFrames;
    std::array<std::vector<float>, 8> columns;
    const auto start = Clock::now();
    for (std::size_t k = 0; k < kWarmUp + max_frames && !(stop.raised() && k > kWarmUp); ++k) {
      const float wall_ms = draw(frame);
      if (k < kWarmUp) continue;
      const auto [dust, stars, bloom, exposure, tone_map, overlays, total] = renderer_.timings();
      const std::array<float, 8> row = {dust, stars, bloom, exposure, tone_map, overlays, total, wall_ms};
      for (std::size_t c = 0; c < row.size(); ++c) columns[c].push_back(row[c]);
      const std::chrono::duration<double> seconds = Clock::now() - start;
      if (options_.repeats == 0 && seconds.count() > kSeconds && columns[0].size() >= kMinFrames) break;
    }
    std::array<float, 8> m{};
    std::transform(columns.begin(), columns.end(), m.begin(), median<float>);
    return {.stages = {m[0], m[1], m[2], m[3], m[4], m[5], m[6]}, .frame_ms = m[7]};
  }

 private:
  float draw(const render::Frame& frame) const {
    const auto start = Clock::now();
    renderer_.draw(frame, target_.framebuffer(), options_.width, options_.height);
    glFinish();
    return std::chrono::duration<float, std::milli>(Clock::now() - start).count();
  }

  render::Renderer& renderer_;
  const render::OffscreenTarget& target_;
  const BenchOptions& options_;
};

struct Bench {
  const BenchOptions& options;
  const render::GlInfo info = render::gl_info();
  render::Renderer renderer = render::Renderer();
  render::OffscreenTarget target = render::OffscreenTarget(options.width, options.height);
  Table table = Table({"bodies", "dust ms", "stars ms", "bloom ms", "exposure ms", "tone map ms", "total ms",
                       "frame ms", "far ms", "live ms", "footprint"});

  /// Returns false when GPU memory is exhausted.
  bool add_row(std::size_t bodies, StopSignals& stop);
};

bool Bench::add_row(std::size_t bodies, StopSignals& stop) {
  const BenchScene bench_scene = make_bench_scene(bodies, options.seed);
  const std::optional<render::Buffer> buffer = upload(bench_scene, bodies);
  if (!buffer) return false;
  render::Frame frame{.stars = {buffer->name(), bodies}};
  frame.camera.fit(bench_scene.radius);
  const Measurement measurement(renderer, target, options);
  const Measured whole = measurement.run(frame, stop);
  render::Frame far = frame, live = frame;
  far.camera.zoom(kFarNotches);
  live.seconds = 1.0f / 30;
  live.live = true;
  const double far_ms = static_cast<double>(measurement.run(far, stop).frame_ms);
  // Only a software renderer reduces the resolution of live frames.
  Cell live_ms;
  if (info.software) live_ms = static_cast<double>(measurement.run(live, stop).frame_ms);
  const render::StarShape shape = render::star_shape(
      {.count = bodies, .height = static_cast<float>(options.height), .software = info.software}, frame.settings);
  const auto& [dust, stars, bloom, exposure, tone_map, overlays, total] = whole.stages;
  std::vector<Cell> row = {static_cast<double>(bodies)};
  for (const float ms : {dust, stars, bloom, exposure, tone_map, total, whole.frame_ms}) row.emplace_back(ms);
  row.insert(row.end(), {far_ms, live_ms, kFootprintNames[static_cast<std::size_t>(shape.footprint)]});
  table.add(std::move(row));
  return true;
}

}  // namespace

int run_render_bench(const BenchOptions& options) try {
  StopSignals stop;
  if (!options.csv.empty()) check_can_create(options.csv);
  const render::HeadlessContext context;
  Bench bench{options};
  const std::vector<std::size_t> numbers =
      options.bodies.empty() ? std::vector<std::size_t>{20'000, 100'000, 1'000'000} : options.bodies;
  ProgressBar bar("drawing", "rows", options.progress);
  for (std::size_t k = 0; k < numbers.size() && !stop.raised(); ++k) {
    bar.show(static_cast<double>(k), static_cast<double>(numbers.size()));
    if (bench.add_row(numbers[k], stop)) continue;
    std::cerr << "pericenter: skipped: " << numbers[k]
              << " bodies: out of GPU memory, or more than 4 GiB of vertices.\n";
  }
  bar.show(static_cast<double>(numbers.size()), static_cast<double>(numbers.size()));
  std::cout << text("%d x %d pixels on %s; medians, ms\n", options.width, options.height, bench.info.renderer.c_str())
            << bench.table.aligned() << std::flush;
  if (!options.csv.empty()) write_file(options.csv, bench.table.csv());
  return stop.raised() ? stop.exit_code() : kOk;
} catch (const ExitError&) {
  throw;
} catch (const std::runtime_error& error) {
  return fail(kUnavailable, error.what());
}

}  // namespace pericenter::app
