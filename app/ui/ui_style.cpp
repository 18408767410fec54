#include "app/ui/ui_style.h"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>

#include "app/ui/ui_state.h"

#ifdef PERICENTER_FONT_EMBEDDED
extern "C" {
extern const std::byte pericenter_font_begin[];
extern const std::byte pericenter_font_end[];
}
#endif
namespace pericenter::app {
namespace {

constexpr float kTextPixels = 16, kHeadlinePixels = 26;

// Latin, Greek, dashes and dots, super- and subscripts, arrows, minus and comparison signs, geometric shapes, the Sun.
constexpr ImWchar kTextRanges[] = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2070, 0x209F, 0x2190, 0x21FF,
                                   0x2200, 0x22FF, 0x25A0, 0x25FF, 0x2609, 0x2609, 0x2715, 0x2717, 0};
constexpr ImWchar kHeadlineRanges[] = {0x0020, 0x007E, 0x2026, 0x2026, 0x2212, 0x2212, 0};
// Large glyphs take much of the texture: of the ranges above only what lessons are written in. European languages,
// Greek letters, dashes, quotes, bullets, super- and subscripts, arrows, signs, shapes, the Sun.
constexpr ImWchar kLessonRanges[] = {0x0020, 0x017F, 0x0391, 0x03C9, 0x2010, 0x2027, 0x2070, 0x209C, 0x2190,
                                     0x2195, 0x21B6, 0x21B6, 0x2205, 0x2205, 0x2211, 0x2213, 0x221A, 0x221A,
                                     0x221E, 0x221E, 0x2248, 0x2248, 0x2260, 0x2265, 0x25A0, 0x25A1, 0x25B2,
                                     0x25BF, 0x25C6, 0x25CF, 0x2609, 0x2609, 0};

constexpr float kMaxFontShare = 4;  // multiple of the default sizes of text for a class; larger text is scaled

struct FontRequest {
  float pixels;
  const ImWchar* ranges;
  signed char oversampling = 2;
};

ImFont* add_font(const FontRequest& request) {
  ImGuiIO& io = ImGui::GetIO();
  const auto data = embedded_font();
  ImFontConfig config;
  if (data.empty()) {
    config.SizePixels =
        std::round(request.pixels * 13 / kTextPixels);  // the bitmap font is sharp at multiples of 13 pixels
    return io.Fonts->AddFontDefault(&config);
  }
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = request.oversampling;
  config.OversampleV = 1;
  void* bytes = const_cast<std::byte*>(data.data());  // ImGui takes a mutable pointer but only reads
  return io.Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(data.size()), request.pixels, &config, request.ranges);
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

void set_colors(ImGuiStyle& style, const Palette& p) {
  ImVec4* c = style.Colors;
  const auto shade = [&](float share) { return mixed(p.panel, p.text, share); };
  c[ImGuiCol_Text] = p.text;
  c[ImGuiCol_TextDisabled] = p.dim;
  c[ImGuiCol_WindowBg] = p.panel;
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  c[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, 0.47f};  // same as behind the key sheet
  c[ImGuiCol_PopupBg] = with_alpha(shade(0.035f), 0.98f);
  c[ImGuiCol_Border] = with_alpha(shade(0.24f), 0.6f);
  c[ImGuiCol_FrameBg] = p.well;
  c[ImGuiCol_FrameBgHovered] = shade(0.14f);
  c[ImGuiCol_FrameBgActive] = shade(0.20f);
  c[ImGuiCol_Button] = shade(0.11f);
  c[ImGuiCol_ButtonHovered] = shade(0.18f);
  c[ImGuiCol_ButtonActive] = shade(0.26f);
  c[ImGuiCol_Header] = shade(0.05f);
  c[ImGuiCol_HeaderHovered] = shade(0.14f);
  c[ImGuiCol_HeaderActive] = shade(0.20f);
  c[ImGuiCol_SliderGrab] = with_alpha(p.accent, 0.65f);
  c[ImGuiCol_SliderGrabActive] = p.accent;
  c[ImGuiCol_CheckMark] = p.accent;
  c[ImGuiCol_Separator] = shade(0.13f);
  c[ImGuiCol_SeparatorHovered] = with_alpha(p.accent, 0.6f);
  c[ImGuiCol_SeparatorActive] = p.accent;
  c[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  c[ImGuiCol_ResizeGripHovered] = with_alpha(p.accent, 0.5f);
  c[ImGuiCol_ResizeGripActive] = p.accent;
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = shade(0.20f);
  c[ImGuiCol_ScrollbarGrabHovered] = shade(0.30f);
  c[ImGuiCol_ScrollbarGrabActive] = shade(0.40f);
  c[ImGuiCol_TextSelectedBg] = with_alpha(p.accent, 0.35f);
  c[ImGuiCol_PlotHistogram] = mixed(p.well, p.accent, 0.45f);  // background of the text of a progress bar
  c[ImGuiCol_NavHighlight] = {0, 0, 0, 0};                     // draw_ring() marks every focused control
}

ImVec4 hex(unsigned color) {
  return {static_cast<float>(color >> 16 & 255) / 255, static_cast<float>(color >> 8 & 255) / 255,
          static_cast<float>(color & 255) / 255, 1};
}

}  // namespace

const Palette& palette(Theme theme) {
  static const Palette kDark = {.text = hex(0xE3E8F0),
                                .dim = hex(0x99A3B5),
                                .panel = hex(0x111319),
                                .well = hex(0x1F232D),
                                .accent = hex(0x70A1F7),
                                .on_accent = hex(0x080D1A),
                                .good = hex(0xA4F0C4),
                                .error = hex(0xE86C72),
                                .caution = hex(0xDDBB10),
                                .bar = hex(0x4F7DD6),
                                .old_bar = hex(0x747F94)};
  static const Palette kLight = {.text = hex(0x1A1D24),
                                 .dim = hex(0x565C68),
                                 .panel = hex(0xF6F3EC),
                                 .well = hex(0xE6E2D8),
                                 .accent = hex(0x1F55B5),
                                 .on_accent = hex(0xFFFFFF),
                                 .good = hex(0x1F6B50),
                                 .error = hex(0x610320),
                                 .caution = hex(0x624600),
                                 .bar = hex(0x3D74D6),
                                 .old_bar = hex(0x8C8779)};
  return theme == Theme::dark ? kDark : kLight;
}

ImVec4 with_alpha(const ImVec4& color, float alpha) {
  return {color.x, color.y, color.z, alpha};
}

ImVec4 faded(const ImVec4& color, float share) {
  return with_alpha(color, share * color.w);
}

ImU32 packed(const ImVec4& color, float share) {
  return ImGui::ColorConvertFloat4ToU32(faded(color, share));
}

ImVec4 mixed(const ImVec4& low, const ImVec4& high, float share) {
  const auto mix = [&](float a, float b) { return a + share * (b - a); };
  return {mix(low.x, high.x), mix(low.y, high.y), mix(low.z, high.z), mix(low.w, high.w)};
}

PlotColor stage_color(Stage stage) {
  static constexpr std::array<PlotColor, kStageCount> kColors = {{
      {0x9AA5B8, 0x6B7484},  // kick and drift
      {0xD6BE9A, 0x94744A},  // download
      {0x5B7FC7, 0x3F63B0},  // bounds
      {0x56B4E9, 0x1F7FB5},  // keys
      {0x2EC4B6, 0x12857B},  // sort
      {0x6CC64A, 0x3F8F22},  // build tree
      {0xC5D85A, 0x778518},  // moments
      {0x9C714F, 0x7A5236},  // upload
      {0xE69F00, 0xB06E00},  // walk
      {0xF2C14E, 0x8A6A00},  // near field
      {0xD98A3D, 0x8F5410},  // far field
      {0xE86A4A, 0xC4492A},  // direct sum
      {0xF09BA8, 0xB04A5E},  // exchange
      {0xB08CE8, 0x7D56C2},  // write vertices
      {0xCC79A7, 0xA84E82},  // diagnostics
  }};
  return kColors[static_cast<std::size_t>(stage)];
}

ImVec4 stage_color(Stage stage, Theme theme) {
  return color_of(stage_color(stage), theme);
}

PlotStyle plot_style(Theme theme) {
  const Palette& colors = palette(theme);
  return {theme, colors.text, colors.dim, colors.well};
}

std::span<const std::byte> embedded_font() {
#ifdef PERICENTER_FONT_EMBEDDED
  return {pericenter_font_begin, pericenter_font_end};
#else
  return {};
#endif
}

float largest_scale(float window_width) {
  constexpr float kSteps = 8;
  const float fits = window_width * SideBar::kMaxShare / (SideBar::kMinEms * kTextPixels);
  return std::clamp(std::floor(fits * kSteps) / kSteps, kMinScale, kMaxScale);
}

ProjectorSizes projector_sizes(float height, float size, float ui_scale) {
  constexpr ProjectorSizes kDefault;
  constexpr float kDefaultHeight = 1080, kMinLegend = 10, kMostGrowth = 1.5f;
  const float proportional = std::max(height, 0.0f) / kDefaultHeight;
  const float side_bar = ui_scale > 1 ? ui_scale * kTextPixels / kDefault.legend : 0;
  const float wanted = std::clamp(side_bar, proportional, kMostGrowth * proportional) *
                       std::clamp(size, kMinProjectorSize, kPrintedSize);
  const float legend = std::max(std::round(wanted * kDefault.legend), kMinLegend), scale = legend / kDefault.legend;
  return {std::round(scale * kDefault.clock), std::round(scale * kDefault.caption), legend};
}

Fonts apply_style(float scale, Theme theme, const ProjectorSizes& sizes) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  io.Fonts->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  Fonts fonts;
  fonts.text = add_font({std::round(kTextPixels * scale), kTextRanges});
  fonts.headline = add_font({std::round(kHeadlinePixels * scale), kHeadlineRanges});
  const float share = std::min(1.0f, kMaxFontShare * ProjectorSizes().legend / sizes.legend);
  const auto for_class = [&](float pixels) { return add_font({std::round(share * pixels), kLessonRanges, 1}); };
  fonts.clock = for_class(sizes.clock);
  fonts.caption = for_class(sizes.caption);
  fonts.legend = for_class(sizes.legend);
  fonts.sizes = sizes;
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_sizes(style, scale);
  set_colors(style, palette(theme));
  return fonts;
}

Fonts upload_style(float scale, Theme theme, const ProjectorSizes& sizes) {
  const Fonts fonts = apply_style(scale, theme, sizes);
#if IMGUI_VERSION_NUM < 19200  // later, the texture grows while text is drawn
  const bool has_texture = ImGui::GetIO().Fonts->TexID != ImTextureID();
#endif
  ImGui_ImplOpenGL3_NewFrame();  // the first call creates the device objects and uploads the font texture
#if IMGUI_VERSION_NUM < 19200
  if (has_texture) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  ImGui::GetIO().Fonts->ClearInputData();
  ImGui::GetIO().Fonts->ClearTexData();
#endif
  return fonts;
}

LevelLook look_of(HealthLevel level, Theme theme) {
  const Palette& colors = palette(theme);
  switch (level) {
    case HealthLevel::good:
      return {"Trustworthy", "●", colors.good};
    case HealthLevel::fair:
      return {"Doubtful", "▲", colors.caution};
    case HealthLevel::poor:
      return {"Not trustworthy", "■", colors.error};
    case HealthLevel::unknown:
      break;
  }
  return {"Not measured yet", "○", colors.dim};
}

}  // namespace pericenter::app
