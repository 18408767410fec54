#include "app/headless/slide_painter.h"

#include <algorithm>
#include <utility>

#include "app/headless/headless_render.h"
#include "app/lessons/claim_quantities.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/overlay/presenter_overlay.h"

namespace pericenter::app {
namespace {

/// The options of the run with what the slide shows.
Options shown_options(const SceneOptions& run, const Slide& slide) {
  Options shown;
  static_cast<SceneOptions&>(shown) = run;
  if (slide.ramp && slide.ramp->setting == "tree-level")
    shown.view.tree = ramped(shown.view.tree, *slide.ramp, slide.ramp->seconds);
  if (slide.follow.what != Follow::What::nothing) shown.view.follow = slide.follow;
  return shown;
}

/// Words of a slide that has ended, and the pixels at the lower edge that a card covers.
struct Words {
  std::vector<bool> pixels = std::vector<bool>(static_cast<std::size_t>(kPictureWidth) * kPictureHeight);
  float card = 0;
};

class WordPainter {
 public:
  WordPainter(const HeadlessStage& stage, CardRect card_rect) : lesson_(stage.lesson()), card_rect_(card_rect) {}

  /// Everything but stars and sky, from an image without them.
  Words paint(Offscreen& offscreen, CapturedFrame frame) {
    frame.frame.stars = {};
    frame.frame.boxes.show = frame.frame.settings.sky = false;
    const render::Image image =
        offscreen.renderer().still(frame.frame, kPictureWidth, kPictureHeight, [&](const render::Tile& tile) {
          const auto drawing = [&](ImDrawList& draw, const Fonts& fonts, float scale, ImVec2 low, ImVec2 high) {
            this->draw({draw, fonts, scale, {low, high}}, frame);
          };
          offscreen.annotator().draw(tile, drawing, frame.projector_size);
          return true;
        });
    constexpr int kVisible = 12;  // of 255
    for (std::size_t k = 0; k < words_.pixels.size(); ++k)
      for (std::size_t channel = 0; channel < 3; ++channel)
        if (image.rgb[3 * k + channel] > kVisible) words_.pixels[k] = true;
    return std::move(words_);
  }

 private:
  struct Canvas {
    ImDrawList& draw;
    const Fonts& fonts;
    float scale;
    ImageRect image;
  };
  void draw(const Canvas& canvas, const CapturedFrame& frame) {
    ClassView shown{.large = true, .title = lesson_.lesson->title.in(lesson_.wording)};
    if (shows_answer(lesson_)) {
      const ImageRect card = card_rect_(lesson_, canvas.fonts, canvas.image, frame.view.guides);
      words_.card = canvas.image.high.y - card.low.y;
      canvas.draw.AddRectFilled(card.low, card.high, IM_COL32_WHITE);
    } else {
      shown.caption = lesson_.current().caption.in(lesson_.wording);
    }
    AnnotatedFrame annotated = annotated_frame(frame);
    annotated.shown = std::move(shown);
    annotated.covered = words_.card;
    draw_annotations(canvas.draw, canvas.fonts, canvas.scale, annotated, canvas.image.low, canvas.image.high);
  }

  const LessonState& lesson_;
  CardRect card_rect_;
  Words words_;
};

/// What the camera follows in these bodies.
std::optional<glm::vec3> followed(const Follow& follow, const Bodies& bodies) {
  render::StarSample all;
  glm::dvec3 sum{0};
  double mass = 0;
  for (const Body& body : bodies) {
    const glm::dvec3 at(body.position[0], body.position[1], body.position[2]);
    all.stars.push_back({glm::vec3(at), body.tag});
    sum += body.mass * at;
    mass += body.mass;
  }
  if (follow.what == Follow::What::galaxy) return galaxy_center(all, follow.galaxy);
  if (follow.what == Follow::What::center_of_mass && mass > 0) return glm::vec3(sum / mass);
  return std::nullopt;
}

}  // namespace

SlidePainter::SlidePainter(CardRect card_rect) : card_rect_(card_rect) {}
SlidePainter::~SlidePainter() = default;

SlidePicture SlidePainter::paint(const HeadlessStage& stage) try {
  if (!offscreen_) offscreen_ = std::make_unique<Offscreen>(std::string());
  LessonSimulation& run = stage.a();
  const Options shown = shown_options(run.options(), stage.lesson().current());
  Session& session = run.session();
  SlidePicture picture;
  picture.highlighted = run.highlighted();
  HeadlessRenderer renderer(*offscreen_, {shown, session}, session.state().view_radius, false);
  if (shown.view.tree.show) {
    const request::ShowTree& tree = shown.view.tree;
    run.simulation().accelerations(session.state().params);
    run.simulation().tree_boxes(tree.first_level, tree.last_level, tree.limit, picture.cells);
  }
  const std::vector<std::uint32_t> marks(picture.highlighted.begin(), picture.highlighted.end());
  offscreen_->renderer().marks().set(marks, run.simulation().size());
  CapturedFrame frame = renderer.shot();
  frame.frame.stars.marks = offscreen_->renderer().marks().buffer(frame.frame.stars.count);
  if (const auto target = followed(shown.view.follow, run.simulation().bodies()))
    frame.frame.camera.move_target(*target);
  const Words words = WordPainter(stage, card_rect_).paint(*offscreen_, frame);
  frame.frame.camera.set_rise(words.card / kPictureHeight);
  picture.words = words.pixels;
  picture.camera = frame.frame.camera;
  picture.image = still(offscreen_->renderer(), nullptr, frame, kPictureWidth, kPictureHeight);
  return picture;
} catch (const OffscreenError& error) {
  throw NotMeasured("there is no picture: " + std::string(error.what()));
}

}  // namespace pericenter::app
