#include "app/headless/worksheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <algorithm>

#include "render/image.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Lesson lesson() {
  Lesson lesson;
  lesson.name = "test";
  lesson.title = {"Tails & <spin>"};
  lesson.goal = {"You know \"why\"."};
  lesson.audience = "age 14 and up";
  lesson.minutes = 3;
  lesson.misconceptions = {{"Stars crash."}};
  Slide slide;
  slide.caption = {"Two discs"};
  slide.question = {"What is <b>larger</b>?"};
  slide.choices = {{"a < b"}, {"The second"}};
  slide.answer = 1;
  slide.explanation = {"It pulls more."};
  lesson.slides = {slide, slide};
  lesson.slides[1].question = {"And then?"};
  return lesson;
}

Worksheet sheet_of(const Lesson& lesson) {
  Worksheet sheet;
  sheet.lesson = &lesson;
  for (const Slide& slide : lesson.slides) sheet.questions.push_back({&slide, "pericenter/1 scene=collision n=5", {}});
  return sheet;
}

std::string decoded(const std::string& base64) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : base64) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(letter));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFFu);
  }
  return bytes;
}

/// The bytes of the data URIs of this type.
std::vector<std::string> images_in(const std::string& html, const std::string& type) {
  const std::string begin = "src=\"data:image/" + type + ";base64,";
  std::vector<std::string> images;
  for (std::size_t at = html.find(begin); at != html.npos; at = html.find(begin, at + 1)) {
    const std::size_t first = at + begin.size();
    images.push_back(decoded(html.substr(first, html.find('"', first) - first)));
  }
  return images;
}

int width_of_png(const std::string& png) {
  int width = 0, height = 0, channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()),
                                          &width, &height, &channels, 3);
  stbi_image_free(pixels);
  return pixels ? width : 0;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Worksheet, HasEveryQuestionWithBoxesAndEscapesTheTexts) {
  const Lesson made = lesson();
  const std::string html = worksheet_html(sheet_of(made), {});
  EXPECT_THAT(html, HasSubstr("<h1>Tails &amp; &lt;spin&gt;</h1>"));
  EXPECT_THAT(html, HasSubstr("1. What is &lt;b&gt;larger&lt;/b&gt;?"));
  EXPECT_THAT(html, HasSubstr("2. And then?"));
  EXPECT_THAT(html, HasSubstr("a &lt; b"));
  EXPECT_EQ(count(html, "class=\"box\""), 4u);
  EXPECT_EQ(count(html, "Why do you think so?"), 2u);
  EXPECT_EQ(count(html, "pericenter/1 scene=collision n=5"), 1u);
}

TEST(Worksheet, NeedsNoNetworkAndRunsNoScript) {
  const Lesson made = lesson();
  const std::string html = worksheet_html(sheet_of(made), {});
  EXPECT_THAT(html, Not(HasSubstr("http")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
}

TEST(Worksheet, KeepsAnswersAndMisconceptionsForTheLastPage) {
  const Lesson made = lesson();
  WorksheetOptions options;
  const std::string with = worksheet_html(sheet_of(made), options);
  const std::size_t answers = with.find("Answers");
  EXPECT_GT(with.find("It pulls more."), answers);
  EXPECT_GT(with.find("Stars crash."), answers);
  EXPECT_LT(with.rfind("class=\"box\""), answers);
  options.answers = false;
  const std::string without = worksheet_html(sheet_of(made), options);
  EXPECT_THAT(without, Not(HasSubstr("It pulls more.")));
  EXPECT_THAT(without, Not(HasSubstr("Stars crash.")));
}

// Regression: the heading of the last list was alone at the end of a page.
TEST(Worksheet, HeadingsStayWithWhatFollows) {
  const Lesson made = lesson();
  const std::string html = worksheet_html(sheet_of(made), {});
  EXPECT_THAT(html, HasSubstr("h1, h2, .label { break-after: avoid; }"));
  const std::size_t kept = html.find("<div class=\"misconceptions\">");
  EXPECT_LT(kept, html.find("Known misconceptions"));
  EXPECT_GT(html.find("</div>", kept), html.find("Stars crash."));
}

TEST(Worksheet, HasThePaperAndTheLanguageOfTheLesson) {
  Lesson made = lesson();
  WorksheetOptions options;
  EXPECT_THAT(worksheet_html(sheet_of(made), options), HasSubstr("size: auto"));
  options.paper = Paper::letter;
  EXPECT_THAT(worksheet_html(sheet_of(made), options), HasSubstr("size: letter"));
  made.language = "de";
  const std::string german = worksheet_html(sheet_of(made), options);
  EXPECT_THAT(german, HasSubstr("<html lang=\"de\">"));
  EXPECT_THAT(german, HasSubstr("Warum glaubst du das?"));
}

TEST(Worksheet, ImagesAndPlotsCanBeDecoded) {
  const Lesson made = lesson();
  Worksheet sheet = sheet_of(made);
  sheet.questions[0].images = {{"A", render::encode_png(render::black_image(7, 5))},
                               {"B", render::encode_png(render::black_image(9, 5))}};
  sheet.plots = {{.title = "Separation", .x = {"time", "Myr"}, .y = {"separation", "kpc"}}};
  sheet.plots[0].curves.push_back({.name = "measured", .x = {0, 1}, .y = {2, 3}});
  const std::string html = worksheet_html(sheet, {});
  const std::vector<std::string> images = images_in(html, "png"), plots = images_in(html, "svg+xml");
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(width_of_png(images[0]), 7);
  EXPECT_EQ(width_of_png(images[1]), 9);
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_THAT(plots[0], HasSubstr("</svg>"));
  EXPECT_LT(html.find("svg+xml"), html.find("Answers"));
}

// ---- the command

const std::string kLesson = R"(title = "Test"
minutes = 1
audience = "all"
goal = "None"

[[slides]]
scene = "pericenter/1 scene=collision n=600"
question = "Where?"
choices = ["Here", "There"]
answer = 1
explanation = "So it is."
plot = "separation"
until = "3 Myr"
)";

test::Outcome worksheet(const TemporaryFolder& folder, const test::Words& arguments) {
  test::Words words = {"worksheet", "--no-progress", "--backend", "cpu"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return test::run_program({words, folder.path()});
}

TEST(Worksheet, IsWrittenWithImagesOrSaysWhyNot) {
  const TemporaryFolder folder;
  write_text(folder / "my.toml", kLesson);
  const test::Outcome outcome = worksheet(folder, {"my.toml", "sheet.html"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string html = text_of(folder / "sheet.html");
  EXPECT_THAT(html, HasSubstr("Where?"));
  EXPECT_EQ(images_in(html, "svg+xml").size(), 1u);
  const std::vector<std::string> images = images_in(html, "png");
  if (images.empty()) {
    EXPECT_THAT(outcome.err, HasSubstr("the worksheet has no images"));
  } else {
    EXPECT_EQ(width_of_png(images[0]), 960);
  }
  EXPECT_EQ(folder.names(), (Names{"my.toml", "sheet.html"}));
}

// Regression: a claim about the separation added its plot.
TEST(Worksheet, HasNoPlotThatTheClassDoesNotSee) {
  const TemporaryFolder folder;
  std::string text = kLesson;
  const std::string shown = "plot = \"separation\"";
  text.replace(text.find(shown), shown.size(), "claims = [\"separation > 1 kpc\"]");
  write_text(folder / "my.toml", text);
  ASSERT_EQ(worksheet(folder, {"my.toml", "sheet.html"}).exit_code, 0);
  EXPECT_TRUE(images_in(text_of(folder / "sheet.html"), "svg+xml").empty());
}

// Regression: the images were those of the default scene.
TEST(Worksheet, ShowsTheBodiesOfAFile) {
  const TemporaryFolder folder;
  std::string text = kLesson;
  const std::size_t scene = text.find("pericenter/1 ");
  text.replace(scene, text.find('"', scene) - scene, "pericenter/1 file=two.csv");
  write_text(folder / "my.toml", text);
  write_text(folder / "two.csv", "m,x,y\n1,0,0\n1,1\n");
  const test::Outcome broken = worksheet(folder, {"my.toml", "sheet.html"});
  EXPECT_EQ(broken.exit_code, 65);
  EXPECT_THAT(broken.err, HasSubstr("two.csv: Line 3"));
  write_text(folder / "two.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,-0.5,0\n1,1,0,0,0,0.5,0\n");
  const test::Outcome outcome = worksheet(folder, {"my.toml", "sheet.html"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(text_of(folder / "sheet.html"), HasSubstr("/two.csv")) << "the whole path, for Ctrl+V";
}

TEST(Worksheet, RefusesAnUnknownLessonAndAMissingFolder) {
  const TemporaryFolder folder;
  write_text(folder / "my.toml", kLesson);
  EXPECT_EQ(worksheet(folder, {"no-such-lesson", "sheet.html"}).exit_code, 65);
  EXPECT_EQ(worksheet(folder, {"my.toml", "missing/sheet.html"}).exit_code, 73);
  EXPECT_EQ(worksheet(folder, {"my.toml"}).exit_code, 64);
  EXPECT_EQ(folder.names(), Names{"my.toml"});
}

TEST(Worksheet, ASignalLeavesNoFile) {
  const TemporaryFolder folder;
  std::string text = kLesson;
  text.replace(text.find("3 Myr"), 5, "90000 Myr");
  write_text(folder / "long.toml", text);
  test::Start start{{"worksheet", "--backend", "cpu", "long.toml", "sheet.html"}, folder.path()};
  start.signal_when = [](const std::string& err) { return err.find("long") != err.npos; };
  const test::Outcome outcome = test::run_program(start);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(folder.names(), Names{"long.toml"});
}

}  // namespace
}  // namespace pericenter::app
