#include "app/output/recorder.h"

#include <glad/gl.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/base/atomic_file.h"
#include "render/gl_info.h"
#include "sim/core/fault_injection.h"

namespace pericenter::app {
namespace {

// Larger frames are drawn in tiles, which cannot be read back asynchronously.
constexpr std::int64_t kMaxPixels = 3840LL * 2160, kMaxPixelsInSoftware = 2560LL * 1440;

void annotate(Annotator* annotator, const CapturedFrame& shot, const render::Tile& tile) {
  if (!annotator || !(shot.annotated || shot.overlay.comparison)) return;
  const AnnotatedFrame frame = annotated_frame(shot);
  const auto drawing = [&](ImDrawList& draw, const Fonts& fonts, float scale, ImVec2 low, ImVec2 high) {
    if (shot.annotated)
      draw_annotations(draw, fonts, scale, frame, low, high);
    else
      draw_divider_only(draw, fonts, scale, frame, low, high);
  };
  annotator->draw(tile, drawing, shot.projector_size);
}

/// Throws FileError if what was drawn is lost.
void require_context() {
  const std::string lost = should_fail(Fault::gl_context_lost) ? "the GPU was lost" : render::lost_context();
  if (lost.empty()) return;
  throw FileError(kUnavailable, "The image is lost: " + lost +
                                    ". Start the program again; the kernel log (dmesg) may give the reason.");
}

}  // namespace

AnnotatedFrame annotated_frame(const CapturedFrame& shot) {
  return {.state = shot.state,
          .view = shot.view,
          .overlay = shot.overlay,
          .camera = shot.frame.camera,
          .time = shot.time,
          .every = shot.every,
          .shown = shot.shown,
          .label_sides = shot.label_sides};
}

render::Image still(render::Renderer& renderer, Annotator* annotator, const CapturedFrame& shot, int width,
                    int height) {
  render::Image image = renderer.still(shot.frame, width, height, [&](const render::Tile& tile) {
    annotate(annotator, shot, tile);
    return true;
  });
  require_context();
  return image;
}

VideoRecorder::VideoRecorder(render::Renderer& renderer, Annotator* annotator, std::unique_ptr<VideoWriter> video)
    : renderer_(renderer),
      annotator_(annotator),
      video_(std::move(video)),
      target_(video_->width(), video_->height()),
      image_{video_->width(), video_->height(), {}} {
  image_.rgb.resize(3 * static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height));
  for (render::Buffer& buffer : pixels_) render::allocate(buffer, image_.rgb.size(), nullptr, GL_MAP_READ_BIT);
}

void VideoRecorder::add(CapturedFrame shot) {
  shot.label_sides = &label_sides_;
  if (frames_ > 0) shot.frame.seconds = 1.0f / static_cast<float>(video_->frames_per_second());
  const std::int64_t max = render::gl_info().software ? kMaxPixelsInSoftware : kMaxPixels;
  if (std::int64_t{image_.width} * image_.height > max) {
    video_->add(still(renderer_, annotator_, shot, image_.width, image_.height));
    ++frames_;
    ++written_;
    return;
  }
  renderer_.draw(shot.frame, target_.framebuffer(), image_.width, image_.height);
  const glm::ivec2 size{image_.width, image_.height};
  glBindFramebuffer(GL_FRAMEBUFFER, target_.framebuffer());
  annotate(annotator_, shot, {target_.framebuffer(), {0, 0}, size, size});
  read_back();
  if (frames_ - written_ == pixels_.size()) write_oldest();
}

/// Starts an asynchronous read of the frame into the next buffer.
void VideoRecorder::read_back() {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target_.framebuffer());
  glNamedFramebufferReadBuffer(target_.framebuffer(), GL_COLOR_ATTACHMENT0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, pixels_[frames_ % pixels_.size()].name());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image_.width, image_.height, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  ++frames_;
}

/// Writes the oldest frame that was read back.
void VideoRecorder::write_oldest() {
  const unsigned buffer = pixels_[written_ % pixels_.size()].name();
  const std::size_t row = 3 * static_cast<std::size_t>(image_.width);
  const auto* bytes = static_cast<const std::uint8_t*>(
      glMapNamedBufferRange(buffer, 0, static_cast<GLsizeiptr>(image_.rgb.size()), GL_MAP_READ_BIT));
  if (!bytes) throw FileError(kUnavailable, "The graphics driver cannot read back a video frame.");
  // The first row of OpenGL is the bottom row.
  for (int y = 0; y < image_.height; ++y) {
    const std::size_t from = row * static_cast<std::size_t>(image_.height - 1 - y);
    std::copy_n(bytes + from, row, image_.rgb.begin() + static_cast<std::ptrdiff_t>(row * static_cast<std::size_t>(y)));
  }
  glUnmapNamedBuffer(buffer);
  video_->add(image_);
  ++written_;
}

std::unique_ptr<VideoWriter> VideoRecorder::take_video() {
  while (written_ < frames_) write_oldest();
  require_context();
  return std::move(video_);
}

}  // namespace pericenter::app
