#include "render/star_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/gl_info.h"
#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr GLsizeiptr kPixelBytes = 16;
constexpr std::int64_t kMaxSoftwarePixels = 2560LL * 1440;  // more would take 100 ms on two CPU cores

constexpr float kNatural = 1.6f;       // radius of a sprite at 40,000 bodies, pixels
constexpr float kSpritesFrom = 0.05f;  // minimum radius at the target for which near bodies can be sprites
constexpr float kHeavy = 3;            // times that: the heaviest of stars of known mass
constexpr float kMeanArea = 0.25f;     // of stars of known mass, with equal numbers per decade of mass; the heaviest: 1
constexpr float kFullSprite = 2;       // radius from which a body is drawn only as a sprite
constexpr float kCrowded = 128;        // extent of the scene in pixels below which bodies crowd

}  // namespace

StarShape star_shape(const StarView& view, const ImageSettings& settings) {
  const float count = static_cast<float>(std::max<std::size_t>(view.count, 1));
  // Budget of pixels for all bodies: about 3 ms on two CPU cores, or on a modest GPU.
  const float pixels = (view.software ? 2e5f : 2e7f) / count;
  // Four pixels per star avoid flicker of slow stars; a GPU always can afford them.
  // In frames of half the resolution they would be blobs, where stars are to be points.
  const bool blobs = view.halved && settings.style == StarStyle::splat;
  const bool bilinear = !view.software || (pixels >= 4 && !blobs);
  const bool crowded = !view.software && view.closeness * view.height < kCrowded;
  const StarShape splat{.footprint = crowded ? Footprint::crowded : bilinear ? Footprint::bilinear : Footprint::pixel};
  const bool by_mass = settings.by_mass && settings.color == ColorMode::stars;
  if (settings.style == StarStyle::splat && !by_mass) return splat;

  // The width is that of a splat at 40,000 bodies; it grows for fewer bodies or a closer camera.
  // Of stars of known mass it is the radius of the heaviest.
  const float usual = kNatural * (by_mass ? kHeavy : 1) * std::cbrt(40'000 / count);
  const float natural = std::min(usual * view.closeness, 24.0f) * settings.star_size;
  const float largest = 0.5f * std::sqrt(pixels / (by_mass ? kMeanArea : 1));
  const float radius = std::min(natural, largest) * view.height / kReferenceHeight;
  const bool always = settings.style == StarStyle::sprites;
  if (!always && radius < kSpritesFrom) return splat;
  // A larger sprite would show the quantisation of the light.
  const float max = std::clamp(std::sqrt(fixed_point_units(view.count) / 8), kFullSprite, 64.0f);
  return {.footprint = bilinear ? Footprint::bilinear_or_sprite : Footprint::pixel_or_sprite,
          .radius = radius,
          .min = always ? kFullSprite : 0,
          .max = max};
}

float fixed_point_units(std::size_t count) {
  // Integers up to 2^24 are exact in a float.
  const double room = 4294967295.0 / static_cast<double>(std::max<std::size_t>(count, 1));
  return static_cast<float>(std::clamp(std::floor(room), 1.0, 16777216.0));
}

StarPass::StarPass(const ShaderLibrary& library)
    : software_(gl_info().software),
      programs_(library, {"accumulate.comp"},
                {{"FOOTPRINT", kFootprints}, {"COLORS", kColorGroups}, {"MIXED", kMixes}, {"SPREAD"}}),
      clear_program_(library, {"clear_accumulation.comp"}) {
  GLint64 max_bytes = 0, max_texels = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &max_bytes);
  glGetInteger64v(GL_MAX_TEXTURE_BUFFER_SIZE, &max_texels);
  // One for the number of visible bodies, and a third as many as in the image for the coarse images.
  max_pixels_ = (std::min(max_bytes / kPixelBytes, max_texels) - 1) / 4 * 3;
  if (software_) max_pixels_ = std::min(max_pixels_, kMaxSoftwarePixels);
}

void StarPass::resize(int width, int height, std::size_t coarse_pixels) {
  width_ = width;
  const GLsizeiptr bytes =
      kPixelBytes * (static_cast<GLsizeiptr>(width) * height + 1 + static_cast<GLsizeiptr>(coarse_pixels));
  if (bytes == bytes_) return;
  allocate(light_, bytes);
  light_texture_ = make_buffer_texture(GL_RGBA32UI, light_);
  bytes_ = bytes;
}

void StarPass::clear() const {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, light_.name());
  if (software_) {
    glClearNamedBufferData(light_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    return;
  }
  constexpr GLuint kMaxGroups = 65535;  // minimum guaranteed by OpenGL
  const auto pixels = static_cast<GLuint>(bytes_ / kPixelBytes);
  const GLuint groups = (pixels + kBodyGroup - 1) / kBodyGroup;
  const GLuint rows = (groups + kMaxGroups - 1) / kMaxGroups;
  glUseProgram(clear_program_.name());
  glProgramUniform1ui(clear_program_.name(), 0, pixels);
  glDispatchCompute((groups + rows - 1) / rows, rows, 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void StarPass::draw(const Stars& left, const Stars& stars, int divider, const Drawing& drawing) {
  clear();
  colors_.bind();
  const int column = std::clamp(divider, 0, width_);
  if (column > 0) add(Half::left, left, {0, column, column == width_, drawing.left_dust}, drawing);
  if (column < width_) add(Half::right, stars, {column, width_, true, drawing.dust}, drawing);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, 0);
  for (const GLuint unit : {kDustUnit, kSpreadUnit, kColumnsUnit}) glBindTextureUnit(unit, 0);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void StarPass::add(Half half, const Stars& stars, const Columns& columns, const Drawing& drawing) {
  if (drawing.look) drawing.look(half);
  if (columns.dust != nullptr) columns.dust->bind();
  const LazyProgram& program = programs_.get({static_cast<std::size_t>(drawing.footprint), color_group(drawing.color),
                                              stars.mixed(), drawing.spread != nullptr ? 1u : 0u});
  glUseProgram(program.name());
  glProgramUniform2i(program.name(), 3, columns.first, columns.end);
  glProgramUniform1ui(program.name(), 4, columns.counted ? 1 : 0);
  glProgramUniform1ui(program.name(), 5, 0);
  if (drawing.spread != nullptr) bind(program.name(), *drawing.spread);
  dispatch(program, stars, drawing.every);
  if (stars.marks == 0) return;
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kMarksBinding, stars.marks);
  glProgramUniform1ui(program.name(), 4, 0);
  glProgramUniform1ui(program.name(), 5, 1);
  dispatch(program, stars, drawing.every);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kMarksBinding, 0);
}

void StarPass::bind(GLuint program, const Spread& spread) {
  constexpr GLint kPlace = 6, kFirstLevel = 7, kPlanes = 8, kOnePixel = 16, kWidest = 17, kInDust = 18;  // locations
  std::array<GLint, 24> planes{};  // eight, with three numbers each
  for (std::size_t k = 0; k < std::min<std::size_t>(spread.planes.size(), 8); ++k) {
    const auto& [first, size] = spread.planes[k];
    std::ranges::copy(std::array{first, size.x, size.y}, planes.begin() + static_cast<std::ptrdiff_t>(3 * k));
  }
  glBindTextureUnit(kSpreadUnit, spread.levels);
  glProgramUniform4fv(program, kPlace, 1, &spread.place[0]);
  glProgramUniform2iv(program, kFirstLevel, 1, &spread.first_level[0]);
  glProgramUniform3iv(program, kPlanes, 8, planes.data());
  glProgramUniform1ui(program, kOnePixel, spread.one_pixel ? 1 : 0);
  glProgramUniform1f(program, kWidest, spread.widest);
  glProgramUniform1f(program, kInDust, spread.in_dust);
}

void StarPass::dispatch(const LazyProgram& program, const Stars& stars, unsigned every) {
  for_each_chunk(stars, every, [&](const BodyChunk& chunk) {
    glProgramUniform1ui(program.name(), 0, chunk.count);
    glProgramUniform1ui(program.name(), 1, chunk.first);
    glProgramUniform1ui(program.name(), 2, chunk.every);
    glDispatchCompute(chunk.groups, 1, 1);
  });
}

}  // namespace pericenter::render
