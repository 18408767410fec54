#include <cmath>
#include <string>
#include <vector>

#include "app/overlay/annotations.h"
#include "app/ui/encounter_design.h"
#include "sim/scenes/model/orbit.h"
#include "sim/scenes/registry.h"
#include "tests/support/panel_fixture.h"
#include "tests/support/running_simulation.h"

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

  /// Drags the handle of a slider to this share of its width.
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
  const Encounter& wish() const { return ui.encounter.edited; }

  void wait_for_trial() {
    ASSERT_TRUE(test::eventually([&] {
      frame();
      return ui.encounter.forecast.applies_to(ui.encounter.draft());
    }));
  }

  /// Number of vertices drawn over an image.
  int vertices_at(double time) {
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
  EXPECT_FALSE(asked<request::LoadScene>()) << "unchanged";
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

  state.scene_request.encounter = wish();  // loaded
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
  apply_scene(0, view, ui);
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->scene.encounter, own);
  ui.requests.clear();
  apply_scene(1, view, ui);
  EXPECT_FALSE(asked<request::LoadScene>()->scene.encounter);
  click("next-seed");
  EXPECT_EQ(ui.commands, (std::vector<Command>{{Action::apply_scene, 0}}));
}

TEST_F(EncounterPanel, SofteningFollowsTheNumberOfBodies) {
  const UiFrame view{.simulation = state};
  const auto softening_of_next = [&](std::size_t bodies, int row) {
    ui.scene.bodies = bodies;
    ui.requests.clear();
    apply_scene(row, view, ui);
    return asked<request::LoadScene>()->scene.softening;
  };
  EXPECT_EQ(softening_of_next(100'000, 0), 0) << "not chosen";
  state.scene_request.softening = 0.3;
  EXPECT_EQ(softening_of_next(100'000, 0), 0.3) << "a length was given";
  state.scene_request.bodies = 100'000;
  state.scene_request.softening = 0.0658;
  EXPECT_EQ(softening_of_next(10'000'000, 0), 0.0199);
  EXPECT_EQ(softening_of_next(2000, 0), 0.1);
  EXPECT_EQ(softening_of_next(10'000'000, 1), 0) << "another scene";
}

// Regression: after a designed encounter, the list of scenes loaded it again, and nothing led back.
TEST_F(EncounterPanel, LeadsBackToTheScenesOwnEncounter) {
  frame();
  EXPECT_FALSE(find("default-encounter")) << "the scene has its own encounter";
  Encounter own = collision();
  own.orbit.pericenter = 7;
  state.scene_request.encounter = own;
  click("default-encounter");
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_FALSE(asked<request::LoadScene>()->scene.encounter);
  EXPECT_EQ(asked<request::LoadScene>()->scene.bodies, state.scene_request.bodies);
  choose("scene", "collision");
  ASSERT_TRUE(asked<request::LoadScene>());
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
  // The requested separation returns as soon as the orbit has room for it.
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
    EXPECT_EQ(ui.encounter.changed(), std::string(preset) != "scene-default") << preset;
  }
}

TEST_F(EncounterPanel, DrawsPlannedAndCurrentOrbit) {
  const int conics = vertices_at(0);
  EXPECT_GT(conics, 200);
  wait_for_trial();
  const int planned = vertices_at(0), running = vertices_at(10);
  EXPECT_GT(planned, conics + 2000);
  EXPECT_GT(running, conics + 300);
  EXPECT_LT(running, planned - 1000) << "no discs after the start";
  ui.encounter.edited.first.inclination = 120;
  EXPECT_GT(vertices_at(10), running + 1000) << "a draft is drawn at its start";
  ui.encounter.edited.orbit.pericenter = 6;
  EXPECT_LT(vertices_at(0), planned) << "no paths of a different orbit";
  ui.encounter.edited = ui.encounter.live;
  click("show-orbit");
  EXPECT_EQ(vertices_at(0), 0);
  click("show-orbit");
  EXPECT_GT(vertices_at(0), 0);
  ui.layout.show_panel = false;
  frame();
  EXPECT_EQ(vertices_at(0), 0) << "hidden with the panel";
}

TEST_F(EncounterPanel, DrawsDashesForPericenterAtStart) {
  wait_for_trial();
  const int far = vertices_at(0);
  Encounter& wish = ui.encounter.edited;
  wish.orbit = {.pericenter = 20, .eccentricity = 1, .separation = 20};
  for (const double speed : {1.0, 1.5}) {  // closest approach soon after the start, and at the start
    wish.speed_factor = speed;
    const int without_ways = vertices_at(0);
    wait_for_trial();
    ASSERT_LT(ui.encounter.forecast.result()->nearest, 10U) << speed;
    const int near = vertices_at(0);
    EXPECT_LT(near, 1.2 * far) << speed;
    EXPECT_GT(near, without_ways + 1000) << speed;
  }
}

TEST_F(EncounterPanel, RunsTrialOfLatestDraft) {
  EXPECT_TRUE(ui.encounter.forecast.running());
  click("encounter-panel");  // collapses
  const auto ends = [&] {
    return test::eventually([&] {
      frame();
      return !ui.encounter.forecast.running();
    });
  };
  EXPECT_TRUE(ends());
  EXPECT_FALSE(ui.encounter.forecast.result());
  click("encounter-panel");
  frame();
  ui.encounter.edited.orbit.pericenter = 1;
  frame();
  ui.encounter.edited.orbit.pericenter = 15;
  frame();
  wait_for_trial();
  ASSERT_TRUE(ui.encounter.forecast.result());
  EXPECT_GT(ui.encounter.forecast.result()->distance, 8);
  ui.encounter.edited.second.inclination = 10;
  EXPECT_TRUE(ui.encounter.forecast.applies_to(ui.encounter.draft())) << "an inclination changes no path";
  ui.encounter.edited.speed_factor = 1;
  EXPECT_FALSE(ui.encounter.forecast.applies_to(ui.encounter.draft()));
}

TEST(EncounterText, DescribesOrbit) {
  EXPECT_STREQ(spin_name(71), "prograde");
  EXPECT_STREQ(spin_name(90), "polar");
  EXPECT_STREQ(spin_name(120), "retrograde");
  EXPECT_STREQ(conic_name(0.99), "ellipse");
  EXPECT_STREQ(conic_name(1), "parabola");
  EXPECT_STREQ(conic_name(1.01), "hyperbola");
  EncounterForecast found;
  found.distance = 4.5;
  found.pericenter_time = 19.4;
  EXPECT_EQ(pericenter_text(found, {3.5, 13.8, 248}), "16 kpc at 270 Myr");
  EXPECT_EQ(pericenter_text(found, {}), "4.5 at t = 19.40");
}

}  // namespace
}  // namespace pericenter::app
