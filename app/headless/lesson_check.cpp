#include "app/headless/lesson_check.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "app/base/exit_code.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/lessons/claim_quantities.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_library.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kNameWidth = 22, kLineWidth = 6, kClaimWidth = 54, kValueWidth = 18;

/// Filled up with spaces to a number of letters.
std::string padded(std::string text, std::size_t width) {
  const auto letters = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  text.append(letters < width ? width - letters : 1, ' ');
  return text;
}

std::string row_of(const std::string& name, const std::string& line, const std::string& claim,
                   const std::string& value) {
  return padded(name, kNameWidth) + padded(line, kLineWidth) + padded(claim, kClaimWidth) + padded(value, kValueWidth);
}

std::string verdict(const CheckedClaim& checked) {
  const Claim& claim = checked.claim;
  if (checked.holds) return "ok";
  if (!checked.problem.empty()) return "FAILED: " + checked.problem;
  if (std::isnan(checked.measured)) return "FAILED: the run has no such value";
  const auto amount = [&](double value) { return value_with_unit(std::abs(value), *claim.quantity); };
  const std::string off = amount(checked.measured - claim.value);
  if (claim.relation == Claim::Relation::about)
    return "FAILED: off by " + off + ", tolerance " + amount(claim.tolerance);
  return "FAILED: " + off + (claim.relation == Claim::Relation::above ? " too small" : " too large");
}

/// Whether a claim of this slide, or of a later one with the same scene, depends on it.
bool is_needed(const Lesson& lesson, const Slide& slide) {
  const std::span<const Slide> slides = slides_of_scene(lesson, slide);
  return std::any_of(&slide, slides.data() + slides.size(), [](const Slide& one) { return !one.claims.empty(); });
}

/// Without the slides of other lessons, unless an own one continues their run: they are checked with those lessons.
std::shared_ptr<const Lesson> with_own_slides(const Lesson& lesson) {
  auto own = std::make_shared<Lesson>(lesson);
  own->slides.clear();
  bool continues = false;
  for (auto slide = lesson.slides.rbegin(); slide != lesson.slides.rend(); ++slide) {
    if (!slide->origin.empty() && !continues) continue;
    continues = slide->continues();
    own->slides.insert(own->slides.begin(), *slide);
  }
  return own;
}

/// The lessons of the command line, or all. Those that cannot be read are reported, and `code` is set.
std::vector<std::shared_ptr<const Lesson>> lessons_of(const LessonCheckOptions& options, const std::string& folder,
                                                      int& code) {
  std::vector<std::shared_ptr<const Lesson>> lessons;
  for (const std::string& name : options.lessons) {
    try {
      lessons.push_back(find_lesson(name, folder, {}));
    } catch (const LessonError& error) {
      code = fail(kDataError, error.what());
    }
  }
  if (!options.lessons.empty()) return lessons;
  for (const LessonEntry& entry : lesson_library(folder, {})) {
    if (entry.lesson) lessons.push_back(with_own_slides(*entry.lesson));
    if (!entry.problem.empty()) code = fail(kDataError, entry.problem);
  }
  return lessons;
}

CheckedClaim measured(const Claim& claim, const LessonRuns& runs) {
  try {
    const double value = claim.quantity->measure(runs);
    return {claim, value, holds(claim, value)};
  } catch (const NotMeasured& reason) {
    return {claim, std::numeric_limits<double>::quiet_NaN(), false, reason.what()};
  }
}

/// Rows of the table: lesson, line, claim, measured value, and "ok" or by how much it fails.
std::string claim_table(const Lesson& lesson, std::span<const CheckedClaim> claims) {
  std::string table;
  for (const CheckedClaim& one : claims) {
    table += row_of(printable(lesson.name), std::to_string(one.claim.line), printable(one.claim.text),
                    value_with_unit(one.measured, *one.claim.quantity));
    table += verdict(one) + '\n';
  }
  return table;
}

}  // namespace

std::vector<CheckedClaim> check_lesson(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop,
                                       SlidePainter& painter, const std::function<void(double share)>& progress) {
  std::vector<CheckedClaim> checked;
  HeadlessStage run(lesson, machine, stop);
  const auto slides = static_cast<double>(lesson.slides.size());
  for (std::size_t k = 0; k < lesson.slides.size(); ++k) {
    const Slide& slide = lesson.slides[k];
    if (machine.quick && !is_needed(lesson, slide)) continue;
    run.enter(slide);
    if (!run.note().empty()) print_message(run.note());
    run.finish([&](double share) {
      if (progress) progress((static_cast<double>(k) + share) / slides);
    });
    if (stop.raised()) break;
    std::optional<SlidePicture> picture;
    LessonRuns runs = run.runs();
    runs.picture = [&]() -> const SlidePicture& { return picture ? *picture : picture.emplace(painter.paint(run)); };
    for (const Claim& claim : slide.claims) checked.push_back(measured(claim, runs));
  }
  return checked;
}

int run_lesson_check(const LessonCheckOptions& options, const std::string& folder, CardRect card_rect) {
  StopSignals stop;
  SlidePainter painter(card_rect);
  int code = kOk;
  std::size_t measured = 0, failed = 0;
  const LessonMachine machine{.config = options.machine, .quick = options.quick};
  const auto lessons = lessons_of(options, folder, code);
  std::cout << row_of("lesson", "line", "claim", "measured") + "result\n";
  for (const std::shared_ptr<const Lesson>& lesson : lessons) {
    if (stop.raised()) break;
    try {
      ProgressBar bar(lesson->name, "", options.progress);
      const auto claims = check_lesson(*lesson, machine, stop, painter, [&](double share) { bar.show(share, 1); });
      std::cout << claim_table(*lesson, claims) << std::flush;
      measured += claims.size();
      failed += static_cast<std::size_t>(std::ranges::count(claims, false, &CheckedClaim::holds));
    } catch (const LessonError& error) {
      code = fail(kDataError, error.what());
    } catch (const SceneCancelled&) {
      break;
    }
  }
  if (failed > 0) code = kDataError;
  std::cout << counted(lessons.size(), "lesson") << ", " << counted(measured, "claim") << ", " << failed << " failed\n"
            << std::flush;
  if (stop.raised()) return fail(stop.exit_code(), "interrupted; the table has the claims measured so far.");
  const int written = print_result();
  return written == kOk ? code : written;
}

}  // namespace pericenter::app
