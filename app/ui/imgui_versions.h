#pragma once

#include <imgui_internal.h>

#include <cstdint>

// Names that differ between the versions of Dear ImGui that distributions have: 1.86 (Debian 12) to 1.92.
namespace pericenter::app::imgui {

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#endif

/// Height in pixels with which a font was added.
inline float size_of(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Whether Tab is pressed. Called in every frame, it keeps the key from ImGui, whose own Tab knows only text fields and
/// starts to type in a slider. `mapped` is at first -1, and belongs to this function.
bool tab_pressed(int& mapped);

/// Activates an item in the next frame, as a click does.
inline void activate(ImGuiID item) {
#if IMGUI_VERSION_NUM >= 18970
  ImGui::ActivateItemByID(item);
#else
  ImGui::ActivateItem(item);
#endif
}

/// The item with the keyboard focus is highlighted, not the one under the mouse.
inline void highlight_focus(ImGuiContext& context) {
#if IMGUI_VERSION_NUM >= 19140
  context.NavCursorVisible = context.NavHighlightItemUnderNav = true;
#else
  context.NavDisableHighlight = false;
  context.NavDisableMouseHover = true;
#endif
}

/// Whether the keyboard has moved to that item.
inline bool shows_focus(const ImGuiContext& context) {
#if IMGUI_VERSION_NUM >= 19140
  return context.NavCursorVisible;
#else
  return !context.NavDisableHighlight;
#endif
}

inline bool is_disabled(const ImGuiLastItemData& item) {
#if IMGUI_VERSION_NUM >= 19140
  return (item.ItemFlags & ImGuiItemFlags_Disabled) != 0;
#else
  return (item.InFlags & ImGuiItemFlags_Disabled) != 0;
#endif
}

/// Ends windows, groups and everything else that was begun in this frame and not ended, before ImGui::EndFrame().
inline void end_everything(ImGuiContext& context) {
#if IMGUI_VERSION_NUM >= 19140
  context.IO.ConfigErrorRecoveryEnableAssert = false;  // EndFrame() does it, but would complain
#else
  while (context.FontStack.Size > 0) ImGui::PopFont();
  ImGui::ErrorCheckEndFrameRecover(nullptr);
#endif
}

/// How the OpenGL backend calls a texture.
inline ImTextureID texture_id(unsigned name) {
#if IMGUI_VERSION_NUM >= 19140
  return static_cast<ImTextureID>(name);
#else
  return reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(name));  // NOLINT(performance-no-int-to-ptr)
#endif
}

/// Starts drawing the current context with OpenGL; false without an OpenGL library.
bool init_opengl();

}  // namespace pericenter::app::imgui
