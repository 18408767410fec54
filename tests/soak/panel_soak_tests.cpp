#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "sim/core/random.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"
#include "tests/soak/soak.h"
#include "tests/support/panel_fixture.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMaxBodies = 100;  // limit for all requests

constexpr const char* kScene = "toomre-m51";  // an encounter that loads quickly

/// Bytes allocated by malloc() and not freed.
std::size_t memory_in_use() {
  const auto now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

constexpr std::array kNumbers = {
    "0", "-1",   "1e30", "1e-30", "nan", "inf", "-inf", "0.7", "3", "1e999", "-0", "99999999", "18446744073709551616",
    "",  "0x10", "1,5",  "7e",    "--",  "%n%s"};
const std::array<std::string, 7> kInvalidTexts = {"pericenter/1 scene=",         "\xff\xfe\xc3\x28", "%s%n%p",
                                                  std::string(500, 'x'),         "a\nb\r\n\tc",      "../../../..",
                                                  "\xe2\x80\xae\xf0\x9f\x8c\x8c"};
constexpr std::array kKeys = {ImGuiKey_Backspace, ImGuiKey_Delete,    ImGuiKey_Enter,     ImGuiKey_Escape,
                              ImGuiKey_Tab,       ImGuiKey_UpArrow,   ImGuiKey_DownArrow, ImGuiKey_LeftArrow,
                              ImGuiKey_Home,      ImGuiKey_RightArrow};
constexpr std::array kProgramKeys = {GLFW_KEY_SPACE, GLFW_KEY_ESCAPE, GLFW_KEY_F5,
                                     GLFW_KEY_F9,    GLFW_KEY_F11,    GLFW_KEY_F12};

/// Random input to the panels, which control a real simulation.
class PanelSoak : public Panels {
 protected:
  PanelSoak() {
    for (const char* name : {"apple.csv", "pear.csv"}) write_text(folder_ / name, "0 0 0 0 0 0 1\n");
    ui.scene.bodies = kMaxBodies;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as in the window
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < ImGuiKey_COUNT; ++key) ImGui::GetIO().KeyMap[key] = key;
#endif
    session_.apply(request::LoadScene{kScene, {.bodies = kMaxBodies}});
    state = session_.state();
  }

  void play(int frames, std::uint64_t seed) {
    random_ = Random(seed);
    for (const int end = frames_ + frames; frames_ < end;) {
      gesture();
      if (HasFatalFailure()) FAIL() << "in frame " << frames_ << ", seed " << seed;
    }
  }

  /// Restores the initial state, so that memory still in use is a leak.
  void restore() {
    press_mouse(false);
    hold_control(false);
    ui.files.browser.open = false;
    ui.layout.show_panel = ui.layout.show_keys = false;
    for (int k = 0; k < 3 || ui.encounter.forecast.running(); ++k) {
      turn();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    set_scale(1);
    session_.apply(request::SetConfig{});
    session_.apply(request::LoadScene{kScene, {.bodies = kMaxBodies}});
    ui.layout.show_panel = true;
    for (int k = 0; k < 3; ++k) turn();
  }

  int requests() const {
    return requests_;
  }

 private:
  int below(std::size_t n) {
    return static_cast<int>(random_.next() % n);
  }
  bool one_in(std::size_t n) {
    return below(n) == 0;
  }
  template <class Table>
  const auto& any(const Table& table) {
    return table[static_cast<std::size_t>(below(table.size()))];
  }

  void hold_control(bool down) {
#if IMGUI_VERSION_NUM < 18700
    ImGui::GetIO().KeyCtrl = down;
#else
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
#endif
  }
  void press(ImGuiKey key) {
    for (const bool down : {true, false}) {
      press_key(key, down);
      turn();
    }
  }
  void press_with_control(ImGuiKey key) {
    hold_control(true);
    press(key);
    hold_control(false);
    turn();
  }
  void tap(int button = 0) {
    for (const bool down : {true, false}) {
      press_mouse(down, button);
      turn();
    }
  }

  void point_anywhere() {
    if (one_in(8) || log.items.empty())
      return move_mouse(static_cast<float>(below(1400) - 60), static_cast<float>(below(1600) - 60));
    point_at(any(log.items), static_cast<float>(below(5)) / 4);
  }

  void drag() {
    point_anywhere();
    turn();
    press_mouse(true);
    turn();
    for (int k = below(4); k >= 0; --k) {
      move_mouse(static_cast<float>(below(1400) - 60), ImGui::GetIO().MousePos.y + static_cast<float>(below(40) - 20));
      turn();
    }
    press_mouse(false);
    turn();
  }

  /// Types into the control under the pointer.
  void type() {
    point_anywhere();
    turn();
    hold_control(true);
    tap();
    hold_control(false);
    if (one_in(3)) {
      ImGui::SetClipboardText(any(kInvalidTexts).c_str());
      press_with_control(ImGuiKey_V);
    } else {
      ImGui::GetIO().AddInputCharactersUTF8(any(kNumbers));
    }
    turn();
    press(one_in(4) ? ImGuiKey_Escape : ImGuiKey_Enter);
  }

  /// A keyboard command.
  void command() {
    const bool typing = ImGui::GetIO().WantTextInput;
    const std::string letter(1, static_cast<char>('a' + below(26)));
    const int digit = GLFW_KEY_0 + below(10), mods = below(4);  // shift, control, both, or none
    std::optional<Command> wanted;
    if (one_in(3))
      wanted = command_of_character(static_cast<unsigned>(below(96) + 32), false, typing);
    else if (one_in(3))
      wanted = command_of_key({.key = any(kProgramKeys), .mods = mods}, typing);
    else
      wanted = command_of_key({.key = digit, .name = letter, .mods = mods}, typing);
    turn(wanted);
  }

  /// A hidden panel leaves little to click.
  void show_panel_again() {
    ui.layout.show_panel = true;
    ui.layout.show_keys = ui.files.browser.open = false;
  }

  void gesture() {
    if (one_in(20)) show_panel_again();
    switch (below(12)) {
      case 0:
        return drag();
      case 1:
      case 2:
        return type();
      case 3:
        return command();
      case 4:
        return press(any(kKeys));
      case 5:
        ImGui::GetIO().MouseWheel = static_cast<float>(below(7) - 3);
        return turn();
      case 6:
        if (one_in(20)) set_scale(0.75f + 0.25f * static_cast<float>(below(6)));
        return turn();
      case 7:
        point_anywhere();
        turn();
        tap(below(3));
        return tap();
      default:
        point_anywhere();
        turn();
        return tap();
    }
  }

  void drawn() override {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    EXPECT_EQ(context.CurrentWindowStack.Size, 1);  // ImGui's own window
    EXPECT_EQ(context.ColorStack.Size, 0);
    EXPECT_EQ(context.StyleVarStack.Size, 0);
    EXPECT_EQ(context.FontStack.Size, 0);
    EXPECT_EQ(context.GroupStack.Size, 0);
    EXPECT_EQ(context.BeginPopupStack.Size, 0);
  }

  /// One frame, one step, and optionally one command.
  void turn(std::optional<Command> pressed = {}) {
    ++frames_;
    frame();
    const UiFrame view{.simulation = state, .now = now, .cuda_missing = cuda_missing, .scene_string = scene_string};
    if (pressed && !apply_command(*pressed, view, {ui})) ui.commands.push_back(*pressed);
    for (const Command& wanted : ui.commands)
      if (wanted.action == Action::open_file) open_browser(folder_.path().string(), ui.files.browser);
    ASSERT_TRUE(std::isfinite(ui.view.image.exposure) && std::isfinite(ui.view.image.bloom) &&
                std::isfinite(ui.view.boxes.opacity));
    for (const Request& wanted : ui.requests) ASSERT_NO_FATAL_FAILURE(apply(wanted));
    if (session_.wants_to_step(1)) {
      session_.step(nullptr);
      ui.cost.history.push_back(session_.state().timings);
      if (ui.cost.history.size() > kHistory) ui.cost.history.pop_front();
    }
    session_.new_tree_boxes();
    if (auto probe = session_.new_probe()) ui.stars.probe = std::move(*probe);
    state = session_.state();
    handle_requests();
  }

  /// Checks a request and applies it.
  void apply(Request wanted) {
    ++requests_;
    if (const auto* set = std::get_if<request::SetParams>(&wanted)) {
      ASSERT_EQ(problem_with(set->params), "");
    } else if (const auto* config = std::get_if<request::SetConfig>(&wanted)) {
      ASSERT_EQ(problem_with(config->config), "");
      ASSERT_EQ(config->config.backend, Backend::cpu);
    } else if (const auto* steps = std::get_if<request::SetStepsPerFrame>(&wanted)) {
      ASSERT_GE(steps->steps, 1);
    } else if (const auto* tree = std::get_if<request::ShowTree>(&wanted)) {
      ASSERT_LE(tree->first_level, tree->last_level);
    } else if (const auto* seek = std::get_if<request::Seek>(&wanted)) {
      ASSERT_TRUE(std::isfinite(seek->position));
    } else if (auto* load = std::get_if<request::LoadScene>(&wanted)) {
      const SceneInfo* info = find_scene(load->name);
      ASSERT_TRUE(info) << load->name;
      ASSERT_GE(load->scene.bodies, info->min_bodies);
      load->scene.bodies = info->allowed(std::min(load->scene.bodies, kMaxBodies));
      const bool quick = info->group == SceneGroup::restricted || info->group == SceneGroup::few_bodies;
      if (!quick && !one_in(8)) return;  // galaxies take long to create
    } else if (std::holds_alternative<request::LoadSource>(wanted)) {
      return;  // tested elsewhere
    }
    session_.apply(wanted);
  }

  TemporaryFolder folder_;
  Session session_;
  Random random_{1};
  int frames_ = 0, requests_ = 0;
};

// Reliability figure R2, without a window.
TEST_F(PanelSoak, SurvivesRandomInputWithoutLeaks) {
  constexpr std::size_t kMost = std::size_t(2) << 20;
  constexpr std::uint64_t kSeed = 8;
  const int frames = test::long_or_short(200'000, 20'000);
  play(frames / 4, kSeed);
  ASSERT_FALSE(HasFailure());
  restore();
  const std::size_t before = memory_in_use();
  play(frames - frames / 4, kSeed + 1);
  ASSERT_FALSE(HasFailure());
  restore();
  const std::size_t after = memory_in_use();
  std::cout << "seed " << kSeed << ", " << frames << " frames, " << requests() << " requests, " << before / 1024
            << " KiB in use, then " << after / 1024 << '\n';
  EXPECT_LE(after, before + kMost);
  EXPECT_GT(requests(), frames / 100);
}

}  // namespace
}  // namespace pericenter::app
