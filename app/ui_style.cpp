#include "app/ui_style.h"

#include <cmath>

#include "app/font.h"

namespace pericenter::app {
namespace {

constexpr float kTextPixels = 16, kHeadlinePixels = 26;

// Latin, Greek, dashes and dots, super- and subscripts, arrows, minus and comparison signs, geometric shapes.
constexpr ImWchar kTextRanges[] = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2070, 0x209F, 0x2190,
                                   0x21FF, 0x2200, 0x22FF, 0x25A0, 0x25FF, 0x2715, 0x2717, 0};
constexpr ImWchar kHeadlineRanges[] = {0x0020, 0x007E, 0x2212, 0x2212, 0};

ImFont* add_font(float pixels, const ImWchar* ranges) {
  ImGuiIO& io = ImGui::GetIO();
  const auto data = embedded_font();
  ImFontConfig config;
  if (data.empty()) {
    config.SizePixels = std::round(pixels * 13 / kTextPixels);  // the bitmap font is made for multiples of 13
    return io.Fonts->AddFontDefault(&config);
  }
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  config.OversampleV = 1;
  void* bytes = const_cast<std::byte*>(data.data());  // ImGui asks for a mutable pointer and only reads
  return io.Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), pixels, &config, ranges);
}

void set_sizes(ImGuiStyle& style, float scale) {
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 3};
  style.ItemSpacing = {8, 5};
  style.ItemInnerSpacing = {6, 4};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 7;
  style.WindowRounding = 0;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.PopupRounding = 7;
  style.GrabRounding = 4;
  style.ScrollbarRounding = 5;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowMinSize = {32, 20};
  style.ScaleAllSizes(scale);
}

ImVec4 with_alpha(ImVec4 color, float alpha) {
  color.w = alpha;
  return color;
}

void set_colors(ImGuiStyle& style) {
  using namespace palette;
  ImVec4* c = style.Colors;
  const ImVec4 hover{0.18f, 0.20f, 0.26f, 1}, active{0.22f, 0.25f, 0.33f, 1}, line{0.17f, 0.19f, 0.24f, 1};
  c[ImGuiCol_Text] = kText;
  c[ImGuiCol_TextDisabled] = kDim;
  c[ImGuiCol_WindowBg] = kPanel;
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  c[ImGuiCol_PopupBg] = {0.094f, 0.106f, 0.137f, 0.98f};
  c[ImGuiCol_Border] = {0.25f, 0.28f, 0.35f, 0.6f};
  c[ImGuiCol_FrameBg] = kWell;
  c[ImGuiCol_FrameBgHovered] = hover;
  c[ImGuiCol_FrameBgActive] = active;
  c[ImGuiCol_Button] = {0.155f, 0.173f, 0.222f, 1};
  c[ImGuiCol_ButtonHovered] = {0.21f, 0.24f, 0.31f, 1};
  c[ImGuiCol_ButtonActive] = {0.26f, 0.30f, 0.40f, 1};
  c[ImGuiCol_Header] = {0.105f, 0.118f, 0.153f, 1};
  c[ImGuiCol_HeaderHovered] = hover;
  c[ImGuiCol_HeaderActive] = active;
  c[ImGuiCol_SliderGrab] = with_alpha(kAccent, 0.65f);
  c[ImGuiCol_SliderGrabActive] = kAccent;
  c[ImGuiCol_CheckMark] = kAccent;
  c[ImGuiCol_Separator] = line;
  c[ImGuiCol_SeparatorHovered] = with_alpha(kAccent, 0.6f);
  c[ImGuiCol_SeparatorActive] = kAccent;
  c[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  c[ImGuiCol_ResizeGripHovered] = with_alpha(kAccent, 0.5f);
  c[ImGuiCol_ResizeGripActive] = kAccent;
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = {0.22f, 0.25f, 0.31f, 1};
  c[ImGuiCol_ScrollbarGrabHovered] = {0.30f, 0.34f, 0.42f, 1};
  c[ImGuiCol_ScrollbarGrabActive] = {0.36f, 0.41f, 0.52f, 1};
  c[ImGuiCol_TextSelectedBg] = with_alpha(kAccent, 0.35f);
  c[ImGuiCol_PlotHistogram] = kAccent;
}

}  // namespace

ImU32 stage_color(Stage stage) {
  static constexpr std::array<ImU32, kStageCount> kColors = {
      IM_COL32(0x9A, 0xA5, 0xB8, 255),  // kick and drift
      IM_COL32(0xD6, 0xBE, 0x9A, 255),  // download
      IM_COL32(0x5B, 0x7F, 0xC7, 255),  // bounds
      IM_COL32(0x56, 0xB4, 0xE9, 255),  // keys
      IM_COL32(0x2E, 0xC4, 0xB6, 255),  // sort
      IM_COL32(0x6C, 0xC6, 0x4A, 255),  // build tree
      IM_COL32(0xC5, 0xD8, 0x5A, 255),  // moments
      IM_COL32(0x9C, 0x71, 0x4F, 255),  // upload
      IM_COL32(0xE6, 0x9F, 0x00, 255),  // walk
      IM_COL32(0xE8, 0x6A, 0x4A, 255),  // direct sum
      IM_COL32(0xB0, 0x8C, 0xE8, 255),  // publish
      IM_COL32(0xCC, 0x79, 0xA7, 255),  // diagnostics
  };
  return kColors[static_cast<std::size_t>(stage)];
}

Fonts apply_style(float scale) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  Fonts fonts;
  fonts.text = add_font(std::round(kTextPixels * scale), kTextRanges);
  fonts.headline = add_font(std::round(kHeadlinePixels * scale), kHeadlineRanges);
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_sizes(style, scale);
  set_colors(style);
  return fonts;
}

}  // namespace pericenter::app
