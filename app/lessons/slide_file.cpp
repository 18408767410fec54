#include "app/lessons/slide_file.h"

#include <array>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/lessons/claim_quantities.h"
#include "app/lessons/fair_comparison.h"
#include "app/lessons/slide_run.h"
#include "app/settings/command_line_error.h"
#include "app/settings/comparison_options.h"
#include "app/settings/option_values.h"
#include "app/settings/scene_string.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 18> kSlideKeys = {
    "scene",  "set",   "compare", "also-differs", "differs-only-in", "answer", "notes",   "until",    "ramp",
    "action", "probe", "follow",  "plot",         "highlight",       "claims", "include", "readouts", "exact-bodies"};
constexpr std::array<std::string_view, 4> kSlideWordings = {"caption", "question", "choices", "explanation"};
constexpr std::array<std::string_view, 4> kRampKeys = {"setting", "from", "to", "seconds"};
constexpr std::array<const char*, 3> kRelationKeys = {"equals", "more_than", "less_than"};
constexpr std::array<std::string_view, 7> kClaimKeys = {"quantity",  "equals",    "tolerance", "tolerance_percent",
                                                        "more_than", "less_than", "unit"};
constexpr std::string_view kClaimsForm = "a list of texts or tables";
constexpr double kMaxClaimed = 1e15;
constexpr std::size_t kMinChoices = 2, kMaxChoices = 4, kMaxClaims = 20;
constexpr double kMaxRampSeconds = 600;

/// Calls read(), whose errors say what is wrong with the value of the key.
template <class Read>
auto checked(const LessonTable& table, std::string_view key, const Read& read) {
  try {
    return read();
  } catch (const CommandLineError& error) {
    table.fail(key, error.what());
  } catch (const std::invalid_argument& error) {
    table.fail(key, error.what());
  }
}

/// A number of bodies that the scene does not have, or a file that is not there. Memory depends on the machine.
void check_loads(const SceneOptions& options) {
  if (options.reads_a_file()) {
    if (!first_bytes(options.input(), 1)) throw CommandLineError("cannot read the file '" + options.input() + "'.");
    return;
  }
  const SceneInfo& scene = *find_scene(options.scene);
  if (!options.bodies || scene.allowed(*options.bodies) == *options.bodies) return;
  const bool is_fixed = scene.fixed_bodies != 0;
  throw CommandLineError("n is " + std::to_string(*options.bodies) + "; scene " + options.scene +
                         (is_fixed ? " has " : " needs at least ") + std::to_string(scene.allowed(*options.bodies)) +
                         " bodies.");
}

/// `options` with these settings, as in --compare.
SceneOptions with_settings(SceneOptions options, const std::string& settings) {
  options.compare = settings;
  SceneOptions result = compared_options(options, "");
  check_values(result);
  result.compare.clear();
  return result;
}

void read_question(const LessonTable& table, Slide& slide) {
  slide.question = table.wording("question");
  slide.choices = table.wordings("choices");
  slide.explanation = table.wording("explanation");
  const std::size_t choices = slide.choices.size();
  if (table.has("choices")) {
    if (slide.question.empty()) table.fail("choices", "needs a 'question'.");
    if (choices < kMinChoices || choices > kMaxChoices)
      table.fail("choices", "has " + std::to_string(choices) + " texts; it must have 2 to 4.");
    table.require("answer", "answer = 1, for the first of 'choices'");
  }
  const auto answer = table.number("answer", {});
  if (!answer) return;
  if (choices == 0) table.fail("answer", "needs 'choices'.");
  for (std::size_t k = 0; k < choices; ++k) {
    if (*answer != static_cast<double>(k + 1)) continue;
    slide.answer = k;
    return;
  }
  table.fail("answer", "must be a whole number from 1 to " + std::to_string(choices) + ", the number of 'choices'.");
}

void read_ramp(const LessonTable& slide_table, Slide& slide) {
  const auto table = slide_table.table("ramp", {kRampKeys, {}});
  if (!table) return;
  table->require("setting", R"(setting = "theta")");
  for (const char* key : {"from", "to", "seconds"}) table->require(key, std::string(key) + " = 1.2");
  Ramp ramp{.setting = table->text("setting")};
  std::vector<std::string_view> names;
  for (const RampSetting& row : kRampSettings) {
    names.push_back(row.name);
    if (row.name != ramp.setting) continue;
    ramp.from = *table->number("from", {row.low, row.high});
    ramp.to = *table->number("to", {row.low, row.high});
  }
  checked(*table, "setting", [&] { return one_of({"setting", ramp.setting}, names); });
  ramp.seconds = *table->number("seconds", {0.1, kMaxRampSeconds});
  slide.ramp = ramp;
}

/// The words that a claim as a table stands for.
std::string claim_text(const LessonTable& table) {
  table.require("quantity", R"(quantity = "energy error")");
  const std::string name = table.text("quantity");
  const ClaimQuantity& quantity =
      checked(table, "quantity", [&]() -> const ClaimQuantity& { return quantity_of(name); });
  const std::string unit = quantity.unit.empty() ? "" : " " + std::string(quantity.unit);
  if (table.has("unit") && table.text("unit") != quantity.unit)
    table.fail("unit", "must be '" + std::string(quantity.unit) + "', the unit of '" + name + "'.");
  const auto has = [&](const char* key) { return table.has(key); };
  if (std::ranges::count_if(kRelationKeys, has) != 1)
    table.fail("quantity", "needs one of equals, more_than and less_than.");
  if (!has("equals") && (has("tolerance") || has("tolerance_percent")))
    table.fail(has("tolerance") ? "tolerance" : "tolerance_percent", "is only allowed with 'equals'.");
  const auto number = [&](const char* before, const char* key, const std::string& after) {
    return has(key) ? before + exact(*table.number(key, {-kMaxClaimed, kMaxClaimed})) + after : std::string();
  };
  return name + number(": ", "equals", unit) + number(" > ", "more_than", unit) + number(" < ", "less_than", unit) +
         number(" ± ", "tolerance", unit) + number(" ± ", "tolerance_percent", " %");
}

void read_claims(const LessonTable& table, Slide& slide) {
  for (const toml::node& item : table.items("claims", kClaimsForm)) {
    const toml::table* const claim = item.as_table();
    const std::string text =
        claim ? claim_text(table.inner(*claim, {kClaimKeys, {}})) : table.item_text(item, "claims", kClaimsForm);
    try {
      slide.claims.push_back(parse_claim(text));
    } catch (const std::invalid_argument& error) {
      table.fail("claims", line_of(item), error.what());
    }
    slide.claims.back().line = line_of(item);
  }
  if (slide.claims.size() > kMaxClaims)
    table.fail("claims", "has more than " + std::to_string(kMaxClaims) + " claims.");
}

void read_readouts(const LessonTable& table, Slide& slide) {
  constexpr std::string_view kForm = "a list of texts such as [\"energy-error\"]";
  for (const toml::node& item : table.items("readouts", kForm)) {
    const std::string name = table.item_text(item, "readouts", kForm);
    const std::size_t row = checked(table, "readouts", [&] { return one_of({"readouts", name}, kEnumNames<Readout>); });
    slide.readouts.push_back(static_cast<Readout>(row));
  }
}

/// A value that is a text of a form, if the key is there.
template <class Value>
void read_form(const LessonTable& table, std::string_view key, Value (*parse)(std::string_view), Value& value) {
  if (const std::string text = table.text(key); !text.empty()) value = checked(table, key, [&] { return parse(text); });
}

void read_display(const LessonTable& table, Slide& slide) {
  slide.caption = table.wording("caption");
  slide.notes = table.text("notes");
  read_question(table, slide);
  read_form(table, "until", parse_until, slide.until);
  read_form(table, "action", parse_action, slide.action);
  read_form(table, "follow", parse_follow, slide.follow);
  read_form(table, "plot", parse_plot, slide.plot);
  read_form(table, "highlight", parse_highlight, slide.highlight);
  read_ramp(table, slide);
  read_readouts(table, slide);
  slide.probe = table.flag("probe");
  slide.exact_bodies = table.flag("exact-bodies");
  read_claims(table, slide);
}

/// Reads slides in their order.
class SlideReader {
 public:
  /// Both are referenced.
  SlideReader(const std::string& file, const FindIncluded& find) : file_(file), find_(find) {}

  /// Appends the slide, or those of the lesson that it includes.
  void read(const toml::table& node, std::vector<Slide>& slides) {
    const LessonTable table(node, file_, {kSlideKeys, kSlideWordings});
    if (const std::string name = table.text("include"); !name.empty()) return include(name, table, slides);
    Slide slide{
        .line = table.line(), .scene = table.text("scene"), .set = table.text("set"), .compare = table.text("compare")};
    read_run(table, slide);
    read_display(table, slide);
    slides.push_back(std::move(slide));
  }

 private:
  void include(const std::string& name, const LessonTable& table, std::vector<Slide>& slides) {
    if (table.size() > 1)
      table.fail("include", "must be the only key of its slide; write the other keys in a slide of their own.");
    if (!find_) table.fail("include", "there are no other lessons here.");
    std::shared_ptr<const Lesson> lesson;
    try {
      lesson = find_(name);
    } catch (const LessonError& error) {
      table.fail("include", error.what());
    }
    for (Slide slide : lesson->slides) {
      if (slide.origin.empty()) slide.origin = lesson->path.empty() ? lesson->name + ".toml" : lesson->path;
      slides.push_back(std::move(slide));
    }
    run_ = before_ = slides.back().options;
    has_run_ = true;
  }

  /// Scene or settings of the slide.
  void read_run(const LessonTable& table, Slide& slide) {
    const SceneOptions last = run_;
    const bool is_first = !has_run_;
    if (!slide.scene.empty()) {
      if (!slide.set.empty()) table.fail("set", "changes the continuing run; write the settings in 'scene' instead.");
      checked(table, "scene", [&] {
        SceneOptions options;
        read_scene_string(slide.scene, options);
        for (std::string* file : {&options.load, &options.play})
          if (!file->empty()) *file = table.path_of(*file);
        check_loads(options);
        run_ = before_ = options;
      });
    } else if (!has_run_) {
      table.fail("scene",
                 "is missing: the first slide has no run to continue; write for example: "
                 "scene = \"pericenter/1 scene=collision n=12000\"");
    }
    has_run_ = true;
    if (!slide.set.empty())
      before_ = std::exchange(run_, checked(table, "set", [&] { return with_settings(run_, slide.set); }));
    if (table.text("action") == "undo") run_ = before_;
    slide.options = run_;
    if (table.has(kDiffers)) {
      if (is_first) table.fail(kDiffers, "needs a slide before, with whose run the run of this slide is compared.");
      checked(table, kDiffers, [&] { check_differences(last, run_, table.texts(kDiffers)); });
    }
    if (slide.compare.empty() && table.has(kAlso)) table.fail(kAlso, "needs 'compare'.");
    if (slide.compare.empty()) return;
    checked(table, "compare", [&] { with_settings(run_, slide.compare); });
    slide.options.compare = slide.compare;
    checked(table, table.has(kAlso) ? kAlso : "compare", [&] { check_comparison(slide.options, table.texts(kAlso)); });
  }

  static constexpr std::string_view kAlso = "also-differs", kDiffers = "differs-only-in";
  const std::string& file_;
  const FindIncluded& find_;
  bool has_run_ = false;
  SceneOptions run_ = {}, before_ = {};  ///< options of the run so far, and before the last change of settings
};

}  // namespace

std::vector<Slide> read_slides(const LessonTable& lesson, const std::string& file, const FindIncluded& find) {
  std::vector<Slide> slides;
  SlideReader reader(file, find);
  for (const toml::table* slide : lesson.tables("slides")) {
    reader.read(*slide, slides);
    if (slides.size() > kMaxSlides)
      lesson.fail("slides", line_of(*slide), "the lesson has more than " + std::to_string(kMaxSlides) + " slides.");
  }
  if (slides.empty()) lesson.fail("slides", "has no slides; write [[slides]] and the keys of a slide.");
  return slides;
}

}  // namespace pericenter::app
