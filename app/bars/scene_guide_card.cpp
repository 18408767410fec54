#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/bars/bars.h"
#include "app/overlay/presenter_overlay.h"

// What the window says about a scene over the image: words at its start and at its key moment, and the card at its end.
namespace pericenter::app {
namespace {

constexpr float kMarginEms = 0.9f;  // margin around the card, in units of the font size
constexpr float kGuidePlateAlpha = 0.72f;

std::vector<PlateLine> lines_of(const SceneCaption& words, const Fonts& fonts, ImVec2 room, const Palette& colors) {
  const ProjectorSizes& sizes = fonts.sizes;
  return fitted_lines({{words.heading, fonts.legend, sizes.legend, faded(colors.accent, words.alpha)},
                       {words.sentence, fonts.caption, sizes.caption, faded(colors.text, words.alpha)},
                       {words.keys, fonts.legend, sizes.legend, faded(colors.dim, words.alpha)}},
                      room);
}

/// Draws the words on a plate at the lower edge of the image. Returns its height above that edge.
float draw_caption(const SceneCaption& words, const Fonts& fonts, const UiState& ui) {
  const ImageRect image = image_rect(ui);
  const BottomMargin room = bottom_margin(image.size().x, fonts.sizes, ui.view.guides);
  const float padding = 0.6f * fonts.sizes.legend;
  const Palette& colors = palette(ui.view.theme);
  const std::vector<PlateLine> lines =
      lines_of(words, fonts, {room.width - 2 * padding, kCaptionShare * image.size().y}, colors);
  const float top =
      draw_plate(*ImGui::GetBackgroundDrawList(), lines,
                 {faded(colors.panel, kGuidePlateAlpha * words.alpha), {padding, padding}, padding, image.low.y},
                 {std::round((image.low.x + image.high.x) / 2), image.high.y - room.raised});
  return image.high.y - top;
}

struct Offer {
  widgets::Control control;
  Command command;
};
constexpr std::array<Offer, 4> kOffers = {{
    {{"watch-again", "Watch again (R)", "Restart the scene with the same bodies. Pauses at the key moment again."},
     {Action::reset}},
    {{"next-scene", "Next scene (→)", "Load the next scene of the list. Ctrl+Z returns to this scene."},
     {Action::next}},
    {{"earlier-moment", "Back (←)", "Go back to the previous event and pause. At the start: load the previous scene."},
     {Action::previous}},
    {{"open-lessons", "Lessons (F6)", "List of the lessons: short experiments with questions and answers."},
     {Action::toggle_lessons}},
}};

constexpr widgets::Control kDismiss = {"dismiss-offer", "✕",
                                       "Close this card (Esc). It will not reappear during this run."};

/// For an encounter, the same one with reversed spins.
const ComparisonPreset* reversed_spins(const UiFrame& frame) {
  const ComparisonPreset& spins = comparison_presets().front();
  return spins.problem(frame.simulation, frame.cuda_missing).empty() ? &spins : nullptr;
}

widgets::Control compare_control(const ComparisonPreset* spins) {
  if (spins)
    return {"compare-next", "Compare the spins",
            "Restart the scene twice, side by side: with these spins, and with discs that rotate the other way. Takes "
            "twice the computing time."};
  return {"compare-next", "Compare (C)",
          "Keep these settings on the left, and change others on the right. Takes twice the computing time."};
}

/// Places the next button beside the last one, or on the next line if it does not fit.
void place_button(std::string_view label, bool first) {
  if (first) return;
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < widgets::button_width(label)) ImGui::NewLine();
}

void offer_buttons(const UiFrame& frame, UiState& ui) {
  bool first = true;
  for (const Offer& offer : kOffers) {
    place_button(offer.control.label, first);
    const bool clicked =
        first ? widgets::main_button(ui, offer.control, {0, 0}) : widgets::button(ui, offer.control, {0, 0});
    if (clicked) ui.commands.push_back(offer.command);
    first = false;
  }
  const ComparisonPreset* spins = reversed_spins(frame);
  const widgets::Control compare = compare_control(spins);
  place_button(compare.label, false);
  if (!widgets::button(ui, compare, {0, 0})) return;
  if (spins)
    ui.comparison.wanted = spins->setup(frame.simulation);
  else
    ui.commands.push_back({Action::toggle_comparison});
}

float wanted_width(const UiFrame& frame) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float wanted = 2 * style.WindowPadding.x + widgets::button_width(compare_control(reversed_spins(frame)).label);
  for (const Offer& offer : kOffers) wanted += widgets::button_width(offer.control.label) + style.ItemSpacing.x;
  return wanted;
}

void offer_headline(const std::string& headline, UiState& ui) {
  ImGui::AlignTextToFramePadding();
  const float close = ImGui::GetWindowContentRegionMax().x - widgets::button_width(kDismiss.label);
  widgets::colored_text(headline, palette(ui.view.theme).text, close - ImGui::GetStyle().ItemSpacing.x);
  widgets::describe(ui, {"offer", headline, "The main events are over. The run continues until you choose."});
  ImGui::SameLine(close);
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  if (widgets::button(ui, kDismiss, {0, 0})) ui.captions.guide.dismissed = true;
  ImGui::PopStyleColor();
}

/// Draws the card at the lower edge of the image. Returns its height above that edge.
float draw_offer(const std::string& headline, const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  const ImageRect image = image_rect(ui);
  const float room = image.size().x - 2 * kMarginEms * ImGui::GetFontSize();
  const float raised = bottom_margin(image.size().x, fonts.sizes, ui.view.guides).raised;
  ImGui::SetNextWindowPos({std::round((image.low.x + image.high.x) / 2), image.high.y - raised}, 0, {0.5f, 1});
  ImGui::SetNextWindowSize({std::min(wanted_width(frame), room), 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(palette(ui.view.theme).panel, 0.92f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ImGui::GetStyle().PopupRounding);
  ImGui::Begin("Offer", nullptr, widgets::kBarFlags);
  offer_headline(headline, ui);
  offer_buttons(frame, ui);
  const float height = ImGui::GetWindowHeight();
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return height + raised;
}

}  // namespace

void draw_scene_guide(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  float covered = 0;
  if (const auto words = scene_caption(frame, ui)) covered = draw_caption(*words, fonts, ui);
  const std::string headline = end_of_scene(frame, ui);
  ui.captions.guide.offers = !headline.empty();
  if (ui.captions.guide.offers) covered = draw_offer(headline, frame, fonts, ui);
  // The sentences of the narrator are above it.
  ui.presentation.card_height = std::max(ui.presentation.card_height, covered);
}

}  // namespace pericenter::app
