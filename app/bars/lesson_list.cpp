#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <vector>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/base/translation.h"
#include "app/ui/imgui_versions.h"

// The list of lessons.
namespace pericenter::app {
namespace {

constexpr float kListShare = 0.56f;   // share of the width for the list; the details have the rest
constexpr float kWindowShare = 0.9f;  // share of the program's window
constexpr float kWidestEms = 70;      // greatest width, in units of the legend's size
constexpr int kNumbered = 9;          // lessons that a digit starts

/// Rows of ui.lessons.entries in the order of the list: those that cannot be used are last.
std::vector<std::size_t> list_order(const LessonList& lessons) {
  std::vector<std::size_t> order;
  for (const bool usable : {true, false})
    for (std::size_t k = 0; k < lessons.entries.size(); ++k)
      if ((lessons.entries[k].lesson != nullptr) == usable) order.push_back(k);
  return order;
}

void start_lesson(std::size_t entry, LessonList& lessons) {
  if (entry >= lessons.entries.size()) return;
  lessons.selected = entry;
  if (!lessons.entries[entry].lesson) return;
  lessons.chosen = entry;
  lessons.open = false;
}

void continue_lesson(LessonList& lessons) {
  lessons.continues = lessons.selected < lessons.entries.size() && lessons.entries[lessons.selected].left_at > 0;
  if (lessons.continues) start_lesson(lessons.selected, lessons);
}

void move_selection(int by, const std::vector<std::size_t>& order, LessonList& lessons) {
  if (order.empty()) return;
  const auto now = std::ranges::find(order, lessons.selected);
  const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
  lessons.selected = order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now - order.begin() + by, 0, last))];
}

/// While the list is open, keys move in it instead of controlling the run. Returns whether the selection has moved.
bool take_keys(const std::vector<std::size_t>& order, UiState& ui) {
  LessonList& lessons = ui.lessons;
  const std::size_t before = lessons.selected;
  const auto take = [&](const Command& command) {
    switch (command.action) {
      case Action::load_scene:
      case Action::choose:
        if (static_cast<std::size_t>(command.number) < order.size())
          start_lesson(order[static_cast<std::size_t>(command.number)], lessons);
        return true;
      case Action::next:
      case Action::previous:
        move_selection(command.action == Action::next ? 1 : -1, order, lessons);
        return true;
      case Action::toggle_comparison:
        continue_lesson(lessons);
        return true;
      case Action::close_dialogs:
        lessons.open = false;
        return true;
      default:
        return false;
    }
  };
  std::erase_if(ui.commands, take);
  if (widgets::pressed(ImGuiKey_DownArrow, true)) move_selection(1, order, lessons);
  if (widgets::pressed(ImGuiKey_UpArrow, true)) move_selection(-1, order, lessons);
  if (widgets::enter_pressed()) start_lesson(lessons.selected, lessons);
  return lessons.selected != before;
}

/// Words of the list, in the language of the lessons.
std::string list_words(std::string_view english, const LessonList& lessons) {
  const auto entry = std::ranges::find_if(
      lessons.entries, [](const LessonEntry& one) { return one.lesson && !one.lesson->language.empty(); });
  return translated(english, entry == lessons.entries.end() ? std::string_view() : entry->lesson->language);
}

std::string minutes_of(const Lesson& lesson) {
  return translated(text("%g min", lesson.minutes), lesson.language);
}

/// In the rectangle of the last item: picture, title and minutes on one line, the goal or the problem below.
void draw_lesson_entry(std::size_t place, const LessonEntry& entry, const Fonts& fonts, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const float large = imgui::size_of(*fonts.caption), small = imgui::size_of(*fonts.legend), pad = 0.35f * small;
  const bool usable = entry.lesson != nullptr;
  const std::string right = usable ? minutes_of(*entry.lesson) : list_words("cannot be used", ui.lessons);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto write = [&](ImFont* font, ImVec2 at, const ImVec4& color, const std::string& words, float width) {
    ImGui::PushFont(font);
    draw.AddText(font, imgui::size_of(*font), {std::round(at.x), std::round(at.y)}, ImGui::GetColorU32(color),
                 widgets::fitted(words, width).c_str());
    ImGui::PopFont();
  };
  const float number = 1.3f * large, height = high.y - low.y - pad, end = high.x - 2 * pad;
  const ImVec2 picture{low.x + 2 * pad + number, low.y + pad / 2};
  if (usable && !entry.lesson->slides.empty())
    draw_thumbnail(draw, entry.lesson->slides.front().options.scene, picture, height, ui.pictures);
  const float left = picture.x + thumbnail_width(height) + 2 * pad;
  const float right_width = fonts.legend->CalcTextSizeA(small, FLT_MAX, 0, right.c_str()).x;
  if (usable && place < kNumbered)
    write(fonts.caption, {low.x + 3 * pad, low.y + pad}, colors.dim, std::to_string(place + 1), number);
  write(fonts.caption, {left, low.y + pad}, usable ? colors.text : colors.dim,
        usable ? entry.lesson->title.in(ui.lesson.wording) : entry.name, end - right_width - pad - left);
  const ImVec4& color = usable ? colors.dim : colors.error;
  write(fonts.legend, {end - right_width, low.y + pad + 0.6f * (large - small)}, color, right, FLT_MAX);
  write(fonts.legend, {left, low.y + pad + 1.15f * large}, color,
        usable ? entry.lesson->goal.in(ui.lesson.wording) : entry.problem, end - left);
}

void lesson_row(std::size_t place, const LessonEntry& entry, const Fonts& fonts, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const float large = imgui::size_of(*fonts.caption), small = imgui::size_of(*fonts.legend), pad = 0.35f * small;
  const std::string id = "lesson-" + entry.name;
  const std::size_t index = static_cast<std::size_t>(&entry - ui.lessons.entries.data());
  const ImVec2 size{ImGui::GetContentRegionAvail().x, 1.15f * large + 1.2f * small + 2 * pad};
  if (widgets::invisible_button("###" + id, size)) ui.lessons.selected = index;
  // The details beside the list say the same as a tooltip, which would cover them.
  if (entry.lesson)
    widgets::record_text(ui, id, entry.lesson->title.in(ui.lesson.wording));
  else
    widgets::describe(ui, {id, entry.name, entry.problem});
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) start_lesson(index, ui.lessons);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (ui.lessons.selected == index) {
    draw.AddRectFilled(low, high, ImGui::GetColorU32(mixed(colors.panel, colors.accent, 0.22f)), pad);
    draw.AddRectFilled(low, {low.x + 0.3f * pad + 3, high.y}, ImGui::GetColorU32(colors.accent));
  } else if (ImGui::IsItemHovered()) {
    draw.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_HeaderHovered), pad);
  }
  draw_lesson_entry(place, entry, fonts, ui);
}

void lesson_rows(const std::vector<std::size_t>& order, bool moved, const Fonts& fonts, UiState& ui) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    lesson_row(place, ui.lessons.entries[order[place]], fonts, ui);
    if (moved && ui.lessons.selected == order[place]) ImGui::SetScrollHereY();
  }
}

/// Wraps at the edge of the window.
void detail_text(ImFont* font, const widgets::Control& control, const ImVec4& color, UiState& ui) {
  if (control.label.empty()) return;
  ImGui::PushFont(font);
  widgets::paragraph(ui, control, color);
  ImGui::PopFont();
}

void lesson_details(const Lesson& lesson, const Fonts& fonts, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const Wording wording = ui.lesson.wording;
  detail_text(fonts.caption, {"detail-title", lesson.title.in(wording), "Title of the lesson."}, colors.text, ui);
  const std::string facts = minutes_of(lesson) + "  ·  " +
                            list_words(counted(lesson.slides.size(), "slide"), ui.lessons) + "\n" + lesson.audience;
  detail_text(fonts.legend, {"detail-facts", facts, "Time, number of slides, audience."}, colors.dim, ui);
  ImGui::Spacing();
  detail_text(fonts.legend, {"detail-goal", lesson.goal.in(wording), "What the class learns."}, colors.text, ui);
  std::string beliefs;
  for (const LessonText& belief : lesson.misconceptions)
    beliefs += (beliefs.empty() ? "• " : "\n• ") + belief.in(wording);
  if (beliefs.empty()) return;
  ImGui::Spacing();
  detail_text(
      fonts.legend,
      {"detail-heading", list_words("What pupils often believe", ui.lessons), "Misconceptions covered in this lesson."},
      colors.accent, ui);
  detail_text(fonts.legend, {"detail-misconceptions", beliefs, "Misconceptions covered in this lesson."}, colors.text,
              ui);
}

void selected_details(const Fonts& fonts, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const LessonEntry& entry = ui.lessons.entries[ui.lessons.selected];
  if (entry.lesson) return lesson_details(*entry.lesson, fonts, ui);
  detail_text(fonts.caption, {"detail-title", entry.name, "Name of the file."}, colors.text, ui);
  detail_text(fonts.legend, {"detail-problem", entry.problem, "Why this lesson cannot be used; the others can."},
              colors.error, ui);
  detail_text(fonts.legend, {"detail-path", entry.path, "Correct it, then press F6 twice to reload."}, colors.dim, ui);
}

void lesson_buttons(const Fonts& fonts, UiState& ui) {
  LessonList& lessons = ui.lessons;
  ImGui::PushFont(fonts.legend);
  const float em = ImGui::GetFontSize(), width = 9 * em, gap = 0.5f * em;
  const bool usable = !lessons.entries.empty() && lessons.entries[lessons.selected].lesson;
  const std::size_t left_at = usable ? lessons.entries[lessons.selected].left_at : 0;
  const std::string continues = list_words(text("Continue at slide %zu (C)", left_at + 1), lessons);
  const float wide = left_at > 0 ? ImGui::CalcTextSize(continues.c_str()).x + 2 * em : 0;
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - 2 * width - gap - (wide > 0 ? wide + gap : 0));
  if (widgets::button(ui,
                      {"close-lessons", list_words("Close (Esc)", lessons), "Close the list. The run is not affected."},
                      {width, 0}))
    lessons.open = false;
  ImGui::SameLine(0, gap);
  if (left_at > 0) {
    if (widgets::button(ui,
                        {"continue-lesson", continues,
                         "Continue where this lesson was left. The runs that lead there are computed first, fast."},
                        {wide, 0}))
      continue_lesson(lessons);
    ImGui::SameLine(0, gap);
  }
  if (widgets::main_button(ui,
                           {"start-lesson", list_words("Start (Enter)", lessons),
                            "Start this lesson. Its scenes replace the current run; the side bar is hidden."},
                           {width, 0}, usable))
    start_lesson(lessons.selected, lessons);
  ImGui::PopFont();
}

void lesson_list_contents(const std::vector<std::size_t>& order, bool moved, const Fonts& fonts, UiState& ui) {
  const Palette& colors = palette(ui.view.theme);
  const float gap = imgui::size_of(*fonts.legend);
  detail_text(
      fonts.clock,
      {"lessons-title", list_words("Lessons", ui.lessons),
       "Lessons. Press 1 to 9 to start one of the first nine; a double click or Enter starts the selected one."},
      colors.text, ui);
  const float below = 2.2f * imgui::size_of(*fonts.legend);
  const ImVec2 room{ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y - below};
  if (order.empty()) {
    const char* words = ui.lessons.reading ? "Reading the lessons …" : "There are no lessons.";
    detail_text(fonts.legend,
                {"no-lessons", list_words(words, ui.lessons), "Lessons are .toml files in the settings folder."},
                colors.dim, ui);
  } else {
    ImGui::BeginChild("list", {kListShare * room.x, room.y});
    lesson_rows(order, moved, fonts, ui);
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("details", {0, room.y});
    selected_details(fonts, ui);
    ImGui::EndChild();
  }
  lesson_buttons(fonts, ui);
}

}  // namespace

void draw_lesson_list(const Fonts& fonts, UiState& ui) {
  LessonList& lessons = ui.lessons;
  if (!lessons.open) return;
  const std::vector<std::size_t> order = list_order(lessons);
  if (lessons.selected >= lessons.entries.size()) lessons.selected = order.empty() ? 0 : order.front();
  const bool moved = take_keys(order, ui);
  if (!lessons.open) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float padding = imgui::size_of(*fonts.legend);
  const ImVec2 size{std::min(kWindowShare * display.x, kWidestEms * padding), kWindowShare * display.y};
  // A window that covers the whole one, so that everything else is dim and gets no clicks.
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(display);
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_ModalWindowDimBg));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.5f * padding);
  ImGui::Begin("Lessons", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav);
  ImGui::SetCursorPos({(display.x - size.x) / 2, (display.y - size.y) / 2});
  ImGui::BeginChild("card", size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();  // the colour of lists in the card
  lesson_list_contents(order, moved, fonts, ui);
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace pericenter::app
