#include "app/widgets/card.h"

#include "app/widgets/widgets.h"

namespace pericenter::app {
namespace {

constexpr ImGuiWindowFlags kCardFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav;

}  // namespace

void begin_card(const char* name, float padding, float alpha, const Desk& desk) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, kCardPaddingY * padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.4f * padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(palette(desk.view.theme).panel, alpha));
  ImGui::Begin(name, nullptr, kCardFlags);
}

void end_card() {
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

void card_text(const CardFont& font, const CardText& text, float width, Desk& desk) {
  if (text.words.empty()) return;
  ImGui::PushFont(font.font);
  widgets::colored_text(text.words, text.color, ImGui::GetCursorPosX() + width);
  ImGui::PopFont();
  widgets::record_text(desk, text.id, text.words);
}

void card_key(const CardFont& font, const CardText& meaning, const char* key, Desk& desk) {
  const KeyCapStyle style{font.font, font.size(), desk.view.theme};
  const ImVec2 size = key_cap_size(style, key), at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw_key_cap(draw, style, at, key);
  draw.AddText(font.font, font.size(), {at.x + size.x + 0.5f * font.size(), at.y + (size.y - font.size()) / 2},
               ImGui::GetColorU32(meaning.color), meaning.words.c_str());
  ImGui::Dummy({size.x + 0.5f * font.size() + font.width(meaning.words), size.y});
  widgets::record_text(desk, meaning.id, meaning.words);
}

}  // namespace pericenter::app
