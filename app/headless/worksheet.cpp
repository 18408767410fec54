#include "app/headless/worksheet.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/exit_code.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/headless/headless_render.h"
#include "app/headless/headless_stage.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_library.h"
#include "app/output/offscreen.h"
#include "app/plots/lab_plots.h"
#include "app/settings/file_uses.h"
#include "app/settings/scene_string.h"
#include "app/ui/ui_style.h"
#include "render/image.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

// 300 dots per inch if it is 8 cm wide.
constexpr int kImageWidth = 960, kImageHeight = 600;

/// Runs a lesson and collects its images and plots.
class WorksheetMaker {
 public:
  WorksheetMaker(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop)
      : run_(lesson, machine, stop), stop_(stop) {
    sheet_.lesson = &lesson;
    try {
      offscreen_.emplace(std::string());
    } catch (const OffscreenError& error) {
      sheet_.missing = error.what();
    }
  }

  /// Throws LessonError, SceneCancelled.
  Worksheet make(ProgressBar& bar) {
    const auto slides = static_cast<double>(sheet_.lesson->slides.size());
    double done = 0;
    for (const Slide& slide : sheet_.lesson->slides) {
      run_.enter(slide);
      if (!slide.continues()) {
        scene_ = slide.options.reads_a_file() ? scene_string(slide.options) : slide.scene;  // names the whole path
        scene_plots_ = sheet_.plots.size();
      }
      if (!slide.question.empty()) add_question(slide);
      run_.finish([&](double share) { bar.show(done + share, slides); });
      if (stop_.raised()) throw SceneCancelled{};
      add_plot(slide.plot);
      bar.show(++done, slides);
    }
    return std::move(sheet_);
  }

 private:
  void add_question(const Slide& slide) {
    WorksheetQuestion question{&slide, scene_, {}};
    if (offscreen_) {
      question.images.push_back({run_.b() ? "A" : "", image_of(run_.a())});
      if (run_.b()) question.images.push_back({"B", image_of(*run_.b())});
    }
    sheet_.questions.push_back(std::move(question));
  }

  std::vector<std::uint8_t> image_of(LessonSimulation& simulation) {
    Options shown;
    static_cast<SceneOptions&>(shown) = simulation.options();
    shown.view.theme = Theme::light;
    if (shown.view.follow.what == Follow::What::story) shown.view.follow = {};  // as on the slide
    shown.projector_size = kPrintedSize;
    Session& session = simulation.session();
    HeadlessRenderer renderer(*offscreen_, {shown, session}, session.state().view_radius, true);
    return render::encode_png(
        renderer.image(kImageWidth, kImageHeight, {.large = true, .language = sheet_.lesson->language}));
  }

  /// What a slide shows. A later plot of the same run and quantity replaces an earlier one.
  void add_plot(const std::string& id) {
    const SessionState& a = run_.a().session().state();
    const LabPlotInput input{.run = run_.b() ? run_.b()->session().state() : a, .reference = run_.b() ? &a : nullptr};
    for (const LabPlot& plot : lab_plots(input)) {
      if (plot.id != id || !has_data(plot.plot)) continue;
      const auto same = std::find_if(sheet_.plots.begin() + static_cast<std::ptrdiff_t>(scene_plots_),
                                     sheet_.plots.end(), [&](const Plot& one) { return one.title == plot.plot.title; });
      if (same != sheet_.plots.end())
        *same = plot.plot;
      else
        sheet_.plots.push_back(plot.plot);
    }
  }

  HeadlessStage run_;
  StopSignals& stop_;
  std::optional<Offscreen> offscreen_;  ///< nullopt: there is no OpenGL
  Worksheet sheet_;
  std::string scene_;            ///< scene string of the run
  std::size_t scene_plots_ = 0;  ///< index of the first plot of the run
};

/// The lesson, those that it includes, and the files of slides stay.
void check_replaces_nothing(const Lesson& lesson, const std::string& file) {
  FileUses uses;
  uses.read("the lesson", lesson.path);
  for (const Slide& slide : lesson.slides) {
    uses.read("an included lesson", slide.origin);
    uses.read("a slide of the lesson", slide.options.input());
  }
  uses.write("the worksheet", file);
}

}  // namespace

int run_worksheet(const WorksheetOptions& options, const std::string& folder) {
  StopSignals stop;
  check_can_create(options.file);
  try {
    const std::shared_ptr<const Lesson> lesson = find_lesson(options.lesson, folder, options.language);
    check_replaces_nothing(*lesson, options.file);
    const LessonMachine machine{.config = options.machine, .records_energy = true};
    ProgressBar bar(lesson->name, "slides", options.progress);
    const Worksheet sheet = WorksheetMaker(*lesson, machine, stop).make(bar);
    if (!sheet.missing.empty()) print_message("the worksheet has no images: " + sheet.missing);
    write_file(options.file, worksheet_html(sheet, options));
  } catch (const LessonError& error) {
    return fail(kDataError, error.what());
  } catch (const SceneCancelled&) {
    return fail(stop.exit_code(), "interrupted; " + printable(options.file) + " was not written.");
  }
  std::cout << "Worksheet written to " << printable(options.file) << '\n' << std::flush;
  return kOk;
}

}  // namespace pericenter::app
