#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"
#include "app/ui/ui_state.h"
#include "app/window/commands.h"

namespace pericenter::app {

/// The user interface without a window. The test moves the mouse and sets the session state.
class Panels : public ::testing::Test {
 protected:
  static constexpr float kWidth = 1280, kHeight = 5000;  // high enough for all panels

  Panels() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
#if IMGUI_VERSION_NUM >= 18700
    io.ConfigInputTrickleEventQueue = false;
#else
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
    set_scale(1);
    ui.widgets.log = &log;
    ui.layout.side_bar.simple = false;
    ui.scene.bodies = 20'000;
    fill(state);
  }
  ~Panels() override {
    ImGui::DestroyContext();
  }

  void set_scale(float scale, const ProjectorSizes& sizes = {}) {
    fonts = apply_style(scale, ui.view.theme, sizes);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImGui::GetIO().Fonts->SetTexID(ImTextureID{});
  }

  static void fill(SessionState& state) {
    const SceneInfo& info = scenes().front();
    state.scene = info.name;
    state.scene_request.bodies = 20'000;
    state.units = {3.5, 13.8, 248};
    state.suggested = {0.03, 0.7, 0.1, 1};
    state.params = state.suggested;
    state.highlight_time = 28.3;
    state.scene_serial = 1;
    state.bodies = 20'000;
    state.tree_levels = 9;
    state.steps_per_second = 60;
  }

  /// Called after the panels are drawn, before ImGui ends the frame.
  virtual void drawn() {}

  /// Draws one frame, which fills ui.requests and ui.commands.
  void frame(float seconds = 1.0f / 60) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {window_width, window_height};
    io.DeltaTime = seconds;
    now += seconds;
    send_requests();
    ui.commands = std::exchange(keyed, {});
    ImGui::NewFrame();
    const UiFrame view{.simulation = state,
                       .reference = reference,
                       .now = now,
                       .frames_per_second = 60,
                       .device = "test",
                       .bridge = bridge,
                       .bridge_reason = bridge_reason,
                       .every = every,
                       .cuda_missing = cuda_missing,
                       .gpus = gpus,
                       .scene_string = scene_string,
                       .system_report = system_report,
                       .stalled_seconds = stalled_seconds,
                       .speed_reached = speed_reached};
    update(view, ui);
    draw_ui(view, fonts, ui);
    drawn();
    ImGui::Render();
    for (const Command& command : ui.commands) apply_command(command, view, {ui});
  }

  /// The simulation gets the requests of the last frame. It handles them when the test says so.
  void send_requests() {
    ui.requests.send([&](const Request&) { return ++sent_serial; });
  }
  /// The simulation has applied or refused all requests, those of the last frame included.
  void handle_requests() {
    send_requests();
    state.handled_request = sent_serial;
  }

  void move_mouse(float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMousePosEvent(x, y);
#else
    ImGui::GetIO().MousePos = {x, y};
#endif
  }
  void press_mouse(bool down, int button = 0) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
    ImGui::GetIO().MouseDown[button] = down;
#endif
  }

  void press_key(ImGuiKey key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(key, down);
#else
    ImGui::GetIO().KeysDown[key] = down;
#endif
  }

  /// Presses a key and releases it. ui.requests are those of the frame of the press or, if it has any, of the release.
  void press(ImGuiKey key) {
    for (const bool down : {true, false}) {
      press_key(key, down);
      const auto requests = ui.requests;
      frame();
      if (!down && ui.requests.empty()) ui.requests = requests;
    }
  }
  void type(const char* words) {
    ImGui::GetIO().AddInputCharactersUTF8(words);
    frame();
  }

  /// The control with this ID, if it is drawn; an entry of an open combo box is "combo/entry".
  std::optional<ItemLog::Item> find(const std::string& id) const {
    for (const ItemLog::Item& item : log.items)
      if (item.id == id) return item;
    return {};
  }
  static bool in_side_bar(const ItemLog::Item& item) {
    return item.window == "Panel";
  }
  void point_at(const ItemLog::Item& item, float share = 0.5f) {
    move_mouse(item.x0 + (item.x1 - item.x0) * share, (item.y0 + item.y1) / 2);
  }

  /// Clicks the centre of a control. ui.requests and ui.commands are those of the frame of the release.
  void click(const std::string& id) {
    frame();
    const auto item = find(id);
    ASSERT_TRUE(item) << "no control '" << id << "'";
    point_at(*item);
    frame();
    press_mouse(true);
    frame();
    press_mouse(false);
    frame();
  }

  /// Opens a combo box; close_list() or a click on an entry closes it.
  void open_list(const std::string& id) {
    click(id);
    frame();
  }
  /// Selects an entry of a combo box.
  void choose(const std::string& id, const std::string& entry) {
    open_list(id);
    click(id + "/" + entry);
  }
  void close_list() {
    move_mouse(kWidth - 50, 50);
    press_mouse(true);
    frame();
    press_mouse(false);
    frame();
  }

  /// The tooltip of a control.
  std::string tip_of(const std::string& id) {
    frame();
    const auto item = find(id);
    if (!item) return "no control " + id;
    point_at(*item, 0.2f);
    for (int k = 0; k < 3; ++k) frame(1);
    return log.tooltip;
  }

  /// The first request of this type in the last frame; nullptr: none.
  template <class Kind>
  const Kind* asked() const {
    for (const Request& request : ui.requests)
      if (const Kind* kind = std::get_if<Kind>(&request)) return kind;
    return nullptr;
  }

  float window_width = kWidth, window_height = kHeight;
  SessionState state;
  const SessionState* reference = nullptr;
  std::string scene_string = "pericenter/1 scene=collision n=20000";
  std::string system_report = "Pericenter: 0.1.0\nSettings: ~/.config/pericenter\n";
  double stalled_seconds = 0, speed_reached = 1;
  std::string bridge = "host", bridge_reason, cuda_missing = "this build has no CUDA";
  std::size_t every = 1;
  int gpus = 0;
  std::uint64_t sent_serial = 0;  ///< serial of the last request that the simulation got
  std::vector<Command> keyed;     ///< commands of keys for the next frame
  UiState ui;
  ItemLog log;
  Fonts fonts;
  double now = 0;
};

}  // namespace pericenter::app
