#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "app/overlay/annotations.h"
#include "app/ui/encounter_words.h"
#include "sim/scenes/model/orbit.h"
#include "sim/scenes/registry.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

const Encounter& collision() {
  return *find_scene("collision")->encounter;
}

class EncounterPanel : public Panels {
 protected:
  EncounterPanel() {
    frame();
    click("encounter-panel");
    frame();
  }

  /// Puts the handle of a slider to a share of its length.
  void drag(const std::string& label, float share) {
    const auto item = find(label);
    ASSERT_TRUE(item) << label;
    point_at(*item, share);
    frame();
    press_mouse(true);
    frame();
    press_mouse(false);
    frame();
  }
  void choose_preset(const std::string& preset) {
    choose("encounter-preset", preset);
    frame();
  }
  const Encounter& wish() const { return ui.encounter.wish; }

  void wait_for_trial() {
    for (int k = 0; k < 2000 && !ui.encounter.trial.is_of(ui.encounter.draft()); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frame();
    }
  }

  /// Vertices of what is drawn over a picture.
  int drawn(double time) {
    ImGui::GetIO().DisplaySize = {kWidth, kHeight};
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const int before = list.VtxBuffer.Size;
    camera.fit(15);
    ui.view.guides = {.grid = false, .axes = false, .scale_bar = false, .legend = false};
    draw_annotations(
        list, fonts, 1,
        {.state = state, .view = ui.view, .overlay = overlay_data(ui), .camera = camera, .time = time, .clock = false},
        {0, 0}, {1280, 720});
    const int count = list.VtxBuffer.Size - before;
    for (int k = before; k < list.VtxBuffer.Size; ++k)
      EXPECT_TRUE(std::isfinite(list.VtxBuffer[k].pos.x + list.VtxBuffer[k].pos.y));
    ImGui::EndFrame();
    return count;
  }
  render::Camera camera;
};

TEST_F(EncounterPanel, IsShownOnlyForEncounterScenes) {
  EXPECT_TRUE(find("pericenter"));
  EXPECT_EQ(wish(), collision());
  state.scene = "plummer";
  frame();
  EXPECT_FALSE(find("encounter-panel"));
  EXPECT_FALSE(ui.encounter.open);
  state.scene = "collision";
  state.file = "/somewhere/collision";
  frame();
  EXPECT_FALSE(find("encounter-panel"));
}

TEST_F(EncounterPanel, AppliesAndReverts) {
  state.scene_request.seed = 7;
  click("apply-encounter");
  EXPECT_FALSE(asked<request::LoadScene>()) << "it runs already";
  choose_preset("retrograde");
  EXPECT_EQ(wish().first, (DiscOrientation{180, 0}));
  EXPECT_EQ(wish().orbit, collision().orbit);
  click("apply-encounter");
  const auto* load = asked<request::LoadScene>();
  ASSERT_TRUE(load);
  EXPECT_EQ(load->name, "collision");
  EXPECT_EQ(load->scene.seed, 7u);
  EXPECT_EQ(load->scene.bodies, 20'000u);
  EXPECT_EQ(load->scene.encounter, wish());

  state.scene_request.encounter = wish();  // it came
  ++state.scene_serial;
  frame();
  EXPECT_FALSE(ui.encounter.changed());
  drag("mass-ratio", 1);
  EXPECT_NEAR(wish().mass_ratio, 0.1, 1e-9);
  EXPECT_TRUE(ui.encounter.changed());
  click("revert-encounter");
  EXPECT_EQ(wish(), *state.scene_request.encounter);
}

TEST_F(EncounterPanel, KeepsEncounterForOtherSeed) {
  Encounter own = collision();
  own.orbit.pericenter = 7;
  state.scene_request.encounter = own;
  frame();
  EXPECT_EQ(wish(), own);
  const UiFrame view{.simulation = state};
  ui.requests.clear();
  load_scene(0, view, ui);
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->scene.encounter, own);
  ui.requests.clear();
  load_scene(1, view, ui);
  EXPECT_FALSE(asked<request::LoadScene>()->scene.encounter);
}

TEST_F(EncounterPanel, LimitsSeparationToApocenter) {
  drag("eccentricity", 0.25f);
  const double e = wish().orbit.eccentricity;
  EXPECT_NEAR(e, 0.5, 0.05);
  EXPECT_NEAR(e * 100, std::round(e * 100), 1e-9);
  const EncounterOrbit drafted = ui.encounter.draft().orbit;
  EXPECT_DOUBLE_EQ(drafted.separation, apocenter(drafted));
  EXPECT_NO_THROW(relative_state(drafted, 1));
  drag("eccentricity", 0.01f);
  EXPECT_EQ(wish().orbit.eccentricity, 0);
  EXPECT_NO_THROW(relative_state(ui.encounter.draft().orbit, 1)) << "a circle";
  // The wish comes back with the room for it.
  drag("eccentricity", 0.9f);
  EXPECT_EQ(ui.encounter.draft().orbit.separation, collision().orbit.separation);
  drag("pericenter", 1);
  EXPECT_NEAR(wish().orbit.pericenter, 20, 0.1);
  drag("initial-separation", 0.01f);
  EXPECT_NEAR(ui.encounter.draft().orbit.separation, 20, 0.2);
  EXPECT_NO_THROW(relative_state(ui.encounter.draft().orbit, 1));
}

TEST_F(EncounterPanel, EveryPresetHasOrbit) {
  for (const char* preset : {"prograde", "head-on", "fly-by", "scene-default"}) {
    choose_preset(preset);
    EXPECT_NO_THROW(relative_state(ui.encounter.draft().orbit, 1)) << preset;
    EXPECT_EQ(ui.encounter.changed(), std::string(preset) != "as the scene has it") << preset;
  }
}

TEST_F(EncounterPanel, DrawsPlannedAndCurrentOrbit) {
  const int conics = drawn(0);
  EXPECT_GT(conics, 200);
  wait_for_trial();
  const int planned = drawn(0), running = drawn(10);
  EXPECT_GT(planned, conics + 2000);
  EXPECT_GT(running, conics + 300);
  EXPECT_LT(running, planned - 1000) << "no discs where the galaxies have left them";
  ui.encounter.wish.first.inclination = 120;
  EXPECT_GT(drawn(10), running + 1000) << "a draft is drawn as it would start";
  ui.encounter.wish.orbit.pericenter = 6;
  EXPECT_LT(drawn(0), planned) << "no ways of another orbit";
  ui.encounter.wish = ui.encounter.live;
  click("show-orbit");
  EXPECT_EQ(drawn(0), 0);
  click("show-orbit");
  EXPECT_GT(drawn(0), 0);
  ui.show_panel = false;
  frame();
  EXPECT_EQ(drawn(0), 0) << "a clean picture";
}

TEST_F(EncounterPanel, DrawsDashesForPericenterAtStart) {
  wait_for_trial();
  const int far = drawn(0);
  Encounter& wish = ui.encounter.wish;
  wish.orbit = {.pericenter = 20, .eccentricity = 1, .separation = 20};
  for (const double speed : {1.0, 1.5}) {  // nearest soon after the start; at once
    wish.speed_factor = speed;
    const int without_ways = drawn(0);
    wait_for_trial();
    ASSERT_LT(ui.encounter.trial.result()->nearest, 10U) << speed;
    const int near = drawn(0);
    EXPECT_LT(near, 1.2 * far) << speed;
    EXPECT_GT(near, without_ways + 1000) << speed;
  }
}

TEST_F(EncounterPanel, RunsTrialOfLatestDraft) {
  EXPECT_TRUE(ui.encounter.trial.running());
  click("encounter-panel");  // folds
  const auto ends = [&] {
    for (int k = 0; k < 2000 && ui.encounter.trial.running(); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frame();
    }
    return !ui.encounter.trial.running();
  };
  EXPECT_TRUE(ends());
  EXPECT_FALSE(ui.encounter.trial.result());
  click("encounter-panel");
  frame();
  ui.encounter.wish.orbit.pericenter = 1;
  frame();
  ui.encounter.wish.orbit.pericenter = 15;
  frame();
  wait_for_trial();
  ASSERT_TRUE(ui.encounter.trial.result());
  EXPECT_GT(ui.encounter.trial.result()->distance, 8);
  ui.encounter.wish.second.inclination = 10;
  EXPECT_TRUE(ui.encounter.trial.is_of(ui.encounter.draft())) << "a tilt changes no ways";
  ui.encounter.wish.speed_factor = 1;
  EXPECT_FALSE(ui.encounter.trial.is_of(ui.encounter.draft()));
}

TEST(EncounterText, DescribesOrbit) {
  EXPECT_STREQ(sense_words(71), "prograde");
  EXPECT_STREQ(sense_words(90), "across");
  EXPECT_STREQ(sense_words(120), "retrograde");
  EXPECT_STREQ(conic_words(0.99), "ellipse");
  EXPECT_STREQ(conic_words(1), "parabola");
  EXPECT_STREQ(conic_words(1.01), "hyperbola");
  EncounterForecast found;
  found.distance = 4.5;
  found.pericenter_time = 19.4;
  EXPECT_EQ(closest_approach_text(found, {3.5, 13.8, 248}), "16 kpc at 270 Myr");
  EXPECT_EQ(closest_approach_text(found, {}), "4.5 at t = 19.40");
}

}  // namespace
}  // namespace pericenter::app
