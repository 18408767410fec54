#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>

#include "sim/solvers/registry.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class AblationPanel : public Panels {
 protected:
  AblationPanel() { cuda_missing.clear(); }

  static std::string option_id(SolverOption option) { return "option-" + std::string(solver_option_info(option).name); }

  /// Calls `function` for every solver and backend.
  template <class Function>
  void for_each_config(Function function) {
    for (const SolverInfo& info : solvers()) {
      for (const Backend backend : {Backend::cpu, Backend::cuda}) {
        if (!info.runs_on(backend)) continue;
        state.config = {.solver = std::string(info.name), .backend = backend};
        handle_requests();
        frame(1);
        frame(1);
        function();
      }
    }
  }
  template <class Function>
  void for_each_option(Function function) {
    for (std::size_t k = 0; k < kSolverOptionCount; ++k)
      if (has_option(state.config, static_cast<SolverOption>(k))) function(static_cast<SolverOption>(k));
  }
};

TEST_F(AblationPanel, HasRowPerSolverOption) {
  for_each_config([&] {
    for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
      const auto which = static_cast<SolverOption>(k);
      EXPECT_EQ(find(option_id(which)).has_value(), has_option(state.config, which))
          << state.config.solver << ' ' << solver_option_info(which).title;
    }
    EXPECT_EQ(find("cpu-threads").has_value(), state.config.backend == Backend::cpu);
  });
}

TEST_F(AblationPanel, EveryValueIsAcceptedOrDisabledWithReason) {
  for_each_config([&] {
    for_each_option([&](SolverOption which) {
      const SolverOptionInfo& info = solver_option_info(which);
      for (int k = 0; k < std::ssize(info.values); ++k) {
        if (k == value_index(state.config, which)) continue;
        const std::string name(info.values[static_cast<std::size_t>(k)].name);
        choose(option_id(which), name);
        const std::string problem = problem_with_value(state.config, which, k);
        const auto* set = asked<request::SetConfig>();
        ASSERT_EQ(set != nullptr, problem.empty()) << state.config.solver << ' ' << info.name << ' ' << name;
        if (set) {
          EXPECT_EQ(value_index(set->config, which), k);
          EXPECT_EQ(problem_with(set->config), "");
        } else {
          frame(1);
          frame(1);
          EXPECT_EQ(log.tooltip, problem + ".");
          close_list();
        }
        handle_requests();  // not applied: the next value is tried with the same config
        frame(1);
        ASSERT_EQ(ui.edited.config.value(), state.config);
      }
    });
  });
}

TEST_F(AblationPanel, DisablesScatteredOrdersWithGroupWalk) {
  choose("option-order", "shuffled");
  EXPECT_FALSE(asked<request::SetConfig>());
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("the group walk needs tree order."));
}

TEST_F(AblationPanel, DropsUnsupportedOptionsOfOtherAlgorithm) {
  state.config.solver_options.set(SolverOption::walk, Walk::stack);
  state.config.solver_options.set(SolverOption::order, Order::shuffled);
  frame(1);
  choose("algorithm", "hybrid");
  ASSERT_TRUE(asked<request::SetConfig>());
  const Config config = asked<request::SetConfig>()->config;
  EXPECT_EQ(problem_with(config), "");
  EXPECT_EQ(config.solver_options[SolverOption::order], SolverOptions::kDefault);
  EXPECT_EQ(option_value<Walk>(config), Walk::stack);
  state.config = config;
  handle_requests();
  frame(1);
  choose("backend", "cuda");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(problem_with(asked<request::SetConfig>()->config), "");
}

TEST_F(AblationPanel, SequentialMeansOneThread) {
  choose("cpu-threads", "1");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.threads, 1);
  choose("cpu-threads", "all");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.threads, 0);
}

TEST_F(AblationPanel, DisablesCellsWithReason) {
  for (const auto& [solver, reason] : {std::pair("hybrid", "have monopoles only"), std::pair("direct", "no cells")}) {
    state.config.solver = solver;
    handle_requests();
    frame(1);
    click("multipole");
    frame();
    EXPECT_FALSE(find("multipole/quadrupole"));
    for (int k = 0; k < 3; ++k) frame(1);
    EXPECT_THAT(log.tooltip, testing::HasSubstr(reason));
  }
}

TEST_F(AblationPanel, ShowsAndClearsStepTimes) {
  const auto run = [&](float ms, int count) {
    for (int k = 0; k < count; ++k) {
      ++state.steps;
      state.timings[Stage::walk] = ms;
      frame();
    }
  };
  frame();
  run(20, 20);
  EXPECT_FALSE(find("variant-before"));
  state.config.solver_options.set(SolverOption::walk, Walk::skip);
  frame();
  run(50, 20);
  EXPECT_TRUE(find("variant-before") && find("variant-after") && find("variant-ratio"));
  EXPECT_THAT(tip_of("variant-1"), testing::HasSubstr("20.0 ms per step, mean of 17 steps")) << log.tooltip;
  EXPECT_THAT(tip_of("variant-2"), testing::HasSubstr("50.0 ms per step, mean of 17 steps")) << log.tooltip;
  EXPECT_THAT(tip_of("variant-2"), testing::HasSubstr("Force error not measured yet."));
  state.force_sample.bodies = 1000;
  state.force_sample.errors.mean = 9.1e-4;
  state.force_sample.params = state.params;
  frame();
  EXPECT_THAT(tip_of("variant-2"), testing::HasSubstr("Mean force error 0.091 %")) << log.tooltip;
  EXPECT_THAT(tip_of("variant-before"), testing::HasSubstr("group walk")) << log.tooltip;
  EXPECT_THAT(tip_of("variant-after"), testing::HasSubstr("skip links")) << log.tooltip;
  click("clear-variants");
  frame();
  EXPECT_FALSE(find("variant-before"));
  EXPECT_FALSE(find("variant-1"));
}

TEST_F(AblationPanel, ShowsWorkReadouts) {
  frame();
  for (const char* id : {"node-visits", "lane-efficiency", "solver-note"}) EXPECT_FALSE(find(id)) << id;
  state.work = {.node_visits = 600'000, .lane_slots = 1'000'000};
  state.note = "The tree does not fit into shared memory.";
  frame();
  for (const char* id : {"node-visits", "lane-efficiency", "solver-note"}) EXPECT_TRUE(find(id)) << id;
}

/// The panel at its minimum width.
class NarrowAblationPanel : public AblationPanel {
 protected:
  void narrow(float scale) {
    set_scale(scale);
    frame();
    ui.layout.side_bar.ems = 1;
    frame();
    frame();
    ASSERT_LE(ui.layout.panel_width, 20 * ImGui::GetFontSize() + 1);
  }
  float right_edge() const {
    const ImGuiStyle& style = ImGui::GetStyle();
    return ui.layout.panel_width - style.WindowPadding.x + 1;
  }
  void expect_all_inside() {
    for (const ItemLog::Item& item : log.items) {
      if (!in_side_bar(item)) continue;
      EXPECT_LE(item.x1, right_edge()) << item.id << ' ' << state.config.solver;
    }
  }
  /// Text and arrow of a combo box do not overlap.
  void expect_room(const std::string& label, std::string_view words) {
    const auto item = find(label);
    ASSERT_TRUE(item) << label;
    const float text = ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
    const float arrow = item->y1 - item->y0;
    EXPECT_GE(item->x1 - item->x0, text + arrow + ImGui::GetStyle().FramePadding.x) << label << ": " << words;
  }
};

TEST_F(NarrowAblationPanel, NothingIsCutOff) {
  for (const float scale : {1.0f, 2.0f}) {
    narrow(scale);
    state.work = {999'000'000'000, 999'000'000'000, 999'000'000'000, 1'000'000'000'000};
    state.note = "The tree does not fit into the shared memory of this GPU, and so it stays in global memory.";
    for_each_config([&] {
      for (int k = 0; k < 10; ++k, ++state.steps) frame();
      expect_all_inside();
      if (find_solver(state.config.solver)->has_tree())
        expect_room("algorithm", find_solver(state.config.solver)->title);
      for_each_option([&](SolverOption which) {
        const SolverOptionInfo& info = solver_option_info(which);
        for (const SolverOptionValue& choice : info.values) expect_room(option_id(which), choice.title);
      });
      if (state.config.backend == Backend::cpu) expect_room("cpu-threads", "one, sequential");
    });
  }
}

TEST(StageColors, AreDistinct) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    std::set<ImU32> colors;
    for (std::size_t k = 0; k < kStageCount; ++k) {
      const ImU32 color = ImGui::ColorConvertFloat4ToU32(stage_color(static_cast<Stage>(k), theme));
      EXPECT_EQ(color >> IM_COL32_A_SHIFT, 255u) << kStageNames[k];
      EXPECT_TRUE(colors.insert(color).second) << kStageNames[k];
    }
  }
}

}  // namespace
}  // namespace pericenter::app
