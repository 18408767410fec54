#pragma once

#include <imgui.h>

#include <cfloat>
#include <string>
#include <string_view>

#include "app/overlay/presenter_overlay.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"

// What the cards of a lesson consist of.
namespace pericenter::app {

/// A font and its size in pixels.
struct CardFont {
  ImFont* font;
  float size() const { return imgui::size_of(*font); }
  float height(const std::string& words, float width) const {
    return words.empty() ? 0 : font->CalcTextSizeA(size(), FLT_MAX, 0, broken(words, width).c_str()).y;
  }
  std::string broken(const std::string& words, float width) const { return app::broken(*font, size(), words, width); }
  float width(const std::string& words) const { return font->CalcTextSizeA(size(), FLT_MAX, 0, words.c_str()).x; }
};

/// Text for the class; `id`: for tests.
struct CardText {
  std::string_view id;
  std::string words;
  ImVec4 color;
};

inline constexpr float kCardAlpha = 0.93f;
inline constexpr float kCardPaddingY = 0.8f;  ///< fraction of the padding on the left and right

/// Begins a window without decoration; `padding` in pixels on the left and right.
void begin_card(const char* name, float padding, float alpha, const Desk& desk);
void end_card();
/// Text that wraps at `width` pixels.
void card_text(const CardFont& font, const CardText& text, float width, Desk& desk);
/// A key cap and what the key does.
void card_key(const CardFont& font, const CardText& meaning, const char* key, Desk& desk);

/// Question, choices and answer of a slide, at the lower edge of the image. Sets ui.presentation.card_height.
void draw_question_card(const Fonts& fonts, UiState& ui);

}  // namespace pericenter::app
