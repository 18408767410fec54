#include "app/headless/slide_painter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/headless/headless_render.h"
#include "app/lessons/claim_quantities.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/overlay/presenter_overlay.h"
#include "app/ui/comparison_setup.h"

namespace pericenter::app {
namespace {

/// The options of the run with what the slide shows.
Options shown_options(const SceneOptions& run, const Slide& slide) {
  Options shown;
  static_cast<SceneOptions&>(shown) = run;
  if (slide.ramp && slide.ramp->setting == "tree-level")
    shown.view.tree = ramped(shown.view.tree, *slide.ramp, slide.ramp->seconds);
  const bool stays = shown.view.follow.what == Follow::What::story;
  if (stays || slide.follow.what != Follow::What::nothing) shown.view.follow = slide.follow;
  return shown;
}

/// The number of lines of text that are at least as high as a fiftieth of the picture.
int readable_lines(const std::vector<bool>& pixels) {
  int lines = 0, first = 0;
  for (int row = 0; row <= kPictureHeight; ++row) {
    const auto begin = pixels.begin() + std::ptrdiff_t{row} * kPictureWidth;
    if (row < kPictureHeight && std::find(begin, begin + kPictureWidth, true) != begin + kPictureWidth) continue;
    if (row - first >= kPictureHeight / 50) ++lines;
    first = row + 1;
  }
  return lines;
}

/// Paints everything but stars and sky of a slide that has ended. Each picture is one of pixels that words cover.
class WordPainter {
 public:
  /// `frame`: what the slide shows, without its words.
  WordPainter(Offscreen& offscreen, const HeadlessStage& stage, CardRect card_rect, CapturedFrame frame)
      : offscreen_(offscreen), lesson_(stage.lesson()), card_rect_(card_rect), frame_(std::move(frame)) {
    frame_.frame.stars = {};
    frame_.frame.split.reset();
    frame_.frame.boxes.show = frame_.frame.settings.sky = false;
  }

  std::vector<bool> words() {
    return painted([this](const Canvas& canvas) {
      if (shows_answer(lesson_)) {
        const ImageRect card = card_rect_(lesson_, canvas.fonts, canvas.image, frame_.view.guides);
        card_ = canvas.image.high.y - card.low.y;
        canvas.draw.AddRectFilled(card.low, card.high, IM_COL32_WHITE);
      }
      draw(canvas, frame_.shown, frame_.view);
    });
  }
  /// After words(): pixels at the lower edge that the card covers.
  float card() const { return card_; }

  /// The readouts that can be read: the lines by which a view without results has fewer.
  int readouts() {
    ViewSettings plain = frame_.view;
    plain.guides = {.scale_bar = false, .legend = false, .labels = false};
    frame_.overlay = {};
    const auto lines = [&](const ClassView& shown) {
      return readable_lines(painted([&](const Canvas& canvas) { draw(canvas, shown, plain); }));
    };
    ClassView hidden = frame_.shown;
    hidden.readouts.clear();
    hidden.hides_results = true;
    return lines(frame_.shown) - lines(hidden);
  }

 private:
  struct Canvas {
    ImDrawList& draw;
    const Fonts& fonts;
    float scale;
    ImageRect image;
  };
  template <class Drawing>
  std::vector<bool> painted(const Drawing& drawing) {
    const render::Image image =
        offscreen_.renderer().still(frame_.frame, kPictureWidth, kPictureHeight, [&](const render::Tile& tile) {
          const auto on_canvas = [&](ImDrawList& draw, const Fonts& fonts, float scale, ImVec2 low, ImVec2 high) {
            drawing(Canvas{draw, fonts, scale, {low, high}});
          };
          offscreen_.annotator().draw(tile, on_canvas, frame_.projector_size);
          return true;
        });
    constexpr int kVisible = 12;  // of 255
    std::vector<bool> pixels(image.rgb.size() / 3);
    for (std::size_t k = 0; k < image.rgb.size(); ++k)
      if (image.rgb[k] > kVisible) pixels[k / 3] = true;
    return pixels;
  }
  void draw(const Canvas& canvas, const ClassView& shown, const ViewSettings& view) {
    const CapturedFrame described{.frame = frame_.frame,
                                  .state = frame_.state,
                                  .view = view,
                                  .overlay = frame_.overlay,
                                  .time = frame_.time,
                                  .shown = shown};
    AnnotatedFrame annotated = annotated_frame(described);
    annotated.covered = card_;
    draw_annotations(canvas.draw, canvas.fonts, canvas.scale, annotated, canvas.image.low, canvas.image.high);
  }

  Offscreen& offscreen_;
  const LessonState& lesson_;
  CardRect card_rect_;
  CapturedFrame frame_;
  float card_ = 0;
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
  render::Renderer& renderer = offscreen_->renderer();
  LessonSimulation& a = stage.a();
  const Options shown = shown_options(a.options(), stage.lesson().current());
  SlidePicture picture;
  const double radius = a.session().state().view_radius;
  HeadlessRenderer of_a(*offscreen_, {shown, a.session()}, radius, false);
  if (shown.view.tree.show) {
    const request::ShowTree& tree = shown.view.tree;
    a.simulation().accelerations(a.session().state().params);
    a.simulation().tree_boxes(tree.first_level, tree.last_level, tree.limit, picture.cells);
  }
  const std::vector<std::uint32_t> marks(a.highlighted().begin(), a.highlighted().end());
  renderer.marks().set(marks, a.simulation().size());
  CapturedFrame frame = of_a.shot();
  frame.frame.stars.marks = renderer.marks().buffer(frame.frame.stars.count);
  if (const auto target = followed(shown.view.follow, a.simulation().bodies())) frame.frame.camera.move_target(*target);
  add_slide(stage.lesson(), frame.shown);
  frame.shown.large = true;

  std::optional<HeadlessRenderer> of_b;
  ComparisonState comparison{.phase = ComparisonState::Phase::on, .side_by_side = true};
  if (LessonSimulation* const b = stage.b()) {
    of_b.emplace(*offscreen_, ShownRun{shown, b->session()}, radius, false);
    comparison.differences = differences(a.session().state(), b->session().state());
    frame.overlay.comparison = &comparison;
    frame.frame.split = render::Split{.left = frame.frame.stars, .side_by_side = true};
    frame.frame.stars = of_b->shot().frame.stars;
    frame.frame.stars.marks = renderer.marks().buffer(frame.frame.stars.count);
    renderer.set_boxes(render_boxes(picture.cells), render::Half::left);
  }
  WordPainter words(*offscreen_, stage, card_rect_, frame);
  picture.words = words.words();
  picture.readouts = words.readouts();
  frame.frame.camera.set_rise(words.card() / kPictureHeight);
  picture.frame = frame.frame;
  picture.image = still(renderer, nullptr, frame, kPictureWidth, kPictureHeight);
  return picture;
} catch (const OffscreenError& error) {
  throw NotMeasured("there is no picture: " + std::string(error.what()));
}

}  // namespace pericenter::app
