#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "app/output/annotator.h"
#include "app/output/video_writer.h"
#include "app/overlay/annotations.h"
#include "app/view/view_settings.h"
#include "render/gl_objects.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"

namespace pericenter::app {

/// A frame to save, with what its annotations and metadata describe.
struct CapturedFrame {
  render::Frame frame;
  const SessionState& state;
  const ViewSettings& view;
  OverlayData overlay;
  double time = 0;        ///< time shown, in simulation units
  std::size_t every = 1;  ///< stride of the bodies shown
  bool annotated = true;
  ClassView shown = {};
  float projector_size = 1;               ///< scale of title and caption, one of projector_sizes()
  HalfLabelSides* label_sides = nullptr;  ///< see AnnotatedFrame
};

/// What the annotations of a frame describe.
AnnotatedFrame annotated_frame(const CapturedFrame& shot);

/// Draws `shot` as an image of any size; a null annotator draws no annotations.
render::Image still(render::Renderer& renderer, Annotator* annotator, const CapturedFrame& shot, int width, int height);

/// Records a video: draws each frame and reads it back while the next one is drawn. Used by the thread of the OpenGL
/// context; renderer and annotator must outlive it. Throws FileError.
class VideoRecorder {
 public:
  VideoRecorder(render::Renderer& renderer, Annotator* annotator, std::unique_ptr<VideoWriter> video);
  VideoRecorder(render::Renderer& renderer, Annotator* annotator, const VideoRequest& request)
      : VideoRecorder(renderer, annotator, std::make_unique<VideoWriter>(request)) {}

  /// Adds a frame, 1 / frames_per_second() after the previous one. See VideoWriter::add().
  void add(CapturedFrame shot);
  /// Passes on the frames that are still on the GPU. Returns the video, which any thread may finish.
  std::unique_ptr<VideoWriter> take_video();
  /// See VideoWriter::finish().
  std::string finish() { return take_video()->finish(); }

  const VideoWriter& video() const { return *video_; }
  std::uint64_t frames() const { return frames_; }

 private:
  void read_back();
  void write_oldest();

  render::Renderer& renderer_;
  Annotator* annotator_;
  std::unique_ptr<VideoWriter> video_;
  render::OffscreenTarget target_;
  std::array<render::Buffer, 2> pixels_;  ///< used alternately
  render::Image image_;
  std::uint64_t frames_ = 0, written_ = 0;
  HalfLabelSides label_sides_;
};

}  // namespace pericenter::app
