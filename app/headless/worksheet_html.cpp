// The HTML of a worksheet.
#include <string_view>

#include "app/base/format.h"
#include "app/base/translation.h"
#include "app/headless/worksheet.h"
#include "app/plots/plot_files.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

/// Texts that are not from the lesson, in its language.
struct SheetWords {
  std::string_view language;
  std::string operator()(std::string_view english) const { return translated(english, language); }
};

// Sizes are in cm: 17 cm of text fit on A4 and on Letter.
constexpr const char* kStyle = R"(
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 17cm; color: #000; background: #fff;
  font: 11pt/1.4 "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 3mm; }
h2 { font-size: 12pt; margin: 0 0 2mm; }
p { margin: 0 0 2mm; }
h1, h2, p, li { white-space: pre-line; }
h1, h2, .label { break-after: avoid; }
.fields { display: flex; margin: 4mm 0 5mm; }
.fields span { flex: 1; min-width: 3cm; border-bottom: 1px solid #000; padding-bottom: 1mm; }
.fields span:first-child { flex: 2; min-width: 7cm; }
.fields span + span { margin-left: 6mm; }
.question { break-inside: avoid; margin: 0 0 4mm; border-top: 1px solid #999; padding-top: 3mm; }
.ask { display: flex; flex-wrap: wrap; }
.images { display: flex; flex: 0 0 100%; margin-bottom: 3mm; }
.images figure + figure { margin-left: 4mm; }
.images.one { flex: 0 0 8.2cm; }
figure { margin: 0; flex: 1; }
img { width: 100%; display: block; border: 1px solid #bbb; }
figcaption { font-weight: bold; text-align: center; }
ul.choices { list-style: none; margin: 0 0 0 5mm; padding: 0; flex: 1; }
.choices li { margin: 0 0 2mm; padding-left: 8mm; position: relative; }
.box { position: absolute; left: 0; top: .6mm; width: 4.5mm; height: 4.5mm; border: 1.5px solid #000; }
.write { display: flex; }
.write div { flex: 1; }
.write div + div { margin-left: 6mm; }
.write .line { height: 7mm; border-bottom: 1px solid #999; margin: 0; }
.label { margin: 2mm 0 0; }
.plots, .answers { break-before: page; }
.plots figure { break-inside: avoid; margin: 0 0 6mm; }
.scenes { break-inside: avoid; font-size: 8pt; border-top: 1px solid #999; padding-top: 3mm; }
code { display: block; font-size: 7pt; overflow-wrap: anywhere; margin: 0 0 2mm; }
.answer, .misconceptions { break-inside: avoid; margin: 0 0 5mm; }
)";

/// Base64 (RFC 4648, section 4).
std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto byte = [&](std::size_t i) {
      return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0u;
    };
    const std::uint32_t group = byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2);
    for (std::size_t i = 0; i < 4; ++i) result += k + i > bytes.size() ? '=' : kLetters[group >> (18 - 6 * i) & 63u];
  }
  return result;
}

std::string element(const char* opening, const char* name, const std::string& content) {
  return "<" + std::string(opening) + ">" + content + "</" + name + ">\n";
}

std::string image_element(const char* type, std::string_view bytes, const std::string& description) {
  return "<img alt=\"" + markup_text(description) + "\" src=\"data:image/" + type + ";base64," + base64(bytes) + "\">";
}

std::string heading(const Worksheet& sheet, const SheetWords& words) {
  const Lesson& lesson = *sheet.lesson;
  std::string html = element("h1", "h1", markup_text(lesson.title.pupils));
  html += element("p", "p", "<b>" + words("Goal") + ":</b> " + markup_text(lesson.goal.pupils));
  html += element("p", "p", markup_text(lesson.audience) + " · " + words(text("%g minutes", lesson.minutes)));
  std::string fields;
  for (const char* field : {"Name", "Date", "Class"}) fields += element("span", "span", words(field));
  return html + element("div class=\"fields\"", "div", fields);
}

std::string images_of(const WorksheetQuestion& question) {
  std::string html;
  for (const WorksheetImage& image : question.images) {
    const std::string_view bytes(reinterpret_cast<const char*>(image.png.data()), image.png.size());
    const std::string caption = image.name.empty() ? "" : element("figcaption", "figcaption", markup_text(image.name));
    html += element("figure", "figure", image_element("png", bytes, question.slide->caption.pupils) + caption);
  }
  const char* opening = question.images.size() == 1 ? "div class=\"images one\"" : "div class=\"images\"";
  return html.empty() ? html : element(opening, "div", html);
}

std::string question_section(std::size_t number, const WorksheetQuestion& question, const SheetWords& words) {
  const Slide& slide = *question.slide;
  std::string html = element("h2", "h2", std::to_string(number) + ". " + markup_text(slide.question.pupils));
  std::string choices;
  for (const LessonText& choice : slide.choices)
    choices += element("li", "li", "<span class=\"box\"></span>" + markup_text(choice.pupils));
  choices = element("ul class=\"choices\"", "ul", choices);
  html += element("div class=\"ask\"", "div", images_of(question) + choices);
  const std::string line = element("p class=\"line\"", "p", "");
  std::string answers;
  for (const char* label : {"Why do you think so?", "What happened in the run?"})
    answers += element("div", "div", element("p class=\"label\"", "p", words(label)) + line + line + line);
  html += element("div class=\"write\"", "div", answers);
  return element("section class=\"question\"", "section", html);
}

/// Each scene string once.
std::string scenes_section(const Worksheet& sheet, const SheetWords& words) {
  std::string html;
  std::string_view last;
  for (const WorksheetQuestion& question : sheet.questions) {
    if (question.scene == last) continue;
    last = question.scene;
    html += element("code", "code", markup_text(question.scene));
  }
  if (html.empty()) return html;
  html =
      element("h2", "h2", words("Scenes")) +
      element("p", "p", words("To see a scene again, copy its line, and press Ctrl+V in the window of Pericenter.")) +
      html;
  return element("section class=\"scenes\"", "section", html);
}

std::string plots_section(const Worksheet& sheet, const SheetWords& words) {
  PlotStyle style = plot_style(Theme::light);
  style.background = {1, 1, 1, 1};  // saves ink
  std::string html;
  for (const Plot& plot : sheet.plots) {
    const std::string svg = svg_text(plot, {.x = fitted_x(plot)}, style, words.language);
    html += element("figure", "figure", image_element("svg+xml", svg, words(plot.title)));
  }
  if (html.empty()) return html;
  return element("section class=\"plots\"", "section", element("h2", "h2", words("Measured in the run")) + html);
}

std::string labelled(const std::string& label, const std::string& content) {
  return content.empty() ? content : element("p", "p", "<b>" + label + ":</b> " + markup_text(content));
}

std::string answers_section(const Worksheet& sheet, const SheetWords& words) {
  std::string html =
      element("h1", "h1", words("Answers – for the teacher")) + labelled(words("Notes"), sheet.lesson->notes);
  std::size_t number = 0;
  for (const WorksheetQuestion& question : sheet.questions) {
    const Slide& slide = *question.slide;
    const std::string answer = slide.answer < slide.choices.size() ? slide.choices[slide.answer].pupils : "";
    std::string one = element("h2", "h2", std::to_string(++number) + ". " + markup_text(slide.question.pupils));
    one +=
        element("p", "p", "<b>" + markup_text(answer) + "</b>") + labelled(words("Because"), slide.explanation.pupils);
    html += element("div class=\"answer\"", "div", one + labelled(words("Notes"), slide.notes));
  }
  if (sheet.lesson->misconceptions.empty()) return element("section class=\"answers\"", "section", html);
  std::string list;
  for (const LessonText& misconception : sheet.lesson->misconceptions)
    list += element("li", "li", markup_text(misconception.pupils));
  html += element("div class=\"misconceptions\"", "div",
                  element("h2", "h2", words("Known misconceptions")) + element("ul", "ul", list));
  return element("section class=\"answers\"", "section", html);
}

std::string page_rule(Paper paper) {
  const char* size = paper == Paper::a4 ? "A4" : paper == Paper::letter ? "letter" : "auto";
  return std::string("@page { size: ") + size + "; margin: 16mm 18mm; }\n";
}

}  // namespace

std::string worksheet_html(const Worksheet& sheet, const WorksheetOptions& options) {
  const SheetWords words{sheet.lesson->language};
  std::string body = heading(sheet, words);
  for (std::size_t k = 0; k < sheet.questions.size(); ++k) body += question_section(k + 1, sheet.questions[k], words);
  body += scenes_section(sheet, words) + plots_section(sheet, words);
  if (options.answers) body += answers_section(sheet, words);
  return "<!DOCTYPE html>\n<html lang=\"" + std::string(words.language.empty() ? "en" : words.language) +
         "\">\n<head>\n<meta charset=\"utf-8\">\n" +
         element("title", "title", markup_text(sheet.lesson->title.pupils)) +
         element("style", "style", page_rule(options.paper) + kStyle) + "</head>\n<body>\n" + body +
         "</body>\n</html>\n";
}

}  // namespace pericenter::app
