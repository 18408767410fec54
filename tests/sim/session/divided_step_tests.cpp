// Adaptive steps in a session: the timeline, branches, saved files, requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/timestep_criterion.h"
#include "sim/session/session.h"
#include "tests/support/recording_session.h"

namespace pericenter::test {
namespace {

constexpr std::uint64_t kEnd = 60;

/// A collapse with steps that need to be divided from about the 30th on.
struct Collapse : RecordingSession {
  explicit Collapse(std::size_t keyframes = 1000) : RecordingSession("cold-collapse", 300, {}, keyframes) {
    Params params = run().state().params;
    params.dt = 1.0 / 32;
    params.softening = 0.05;
    params.adaptive_steps = kMaxFallPerStep;
    apply(request::SetParams{params});
  }
  /// Steps to `kEnd`; the parts of each.
  std::vector<int> finish() {
    std::vector<int> parts;
    while (simulation()->steps() < kEnd) {
      advance(nullptr, false);
      parts.push_back(state().step_parts);
    }
    return parts;
  }
};

int most_parts(const std::vector<TimelineDivision>& divisions) {
  int most = 1;
  for (const TimelineDivision& division : divisions) most = std::max(most, division.parts);
  return most;
}

TEST(DividedSteps, AreMarkedOnTheTimeline) {
  Collapse session;
  const std::vector<int> parts = session.finish();
  const std::vector<TimelineDivision> marked = session.state().timeline.details->divisions;
  ASSERT_FALSE(marked.empty());
  EXPECT_EQ(most_parts(marked), *std::ranges::max_element(parts));
  for (std::size_t step = 0; step < parts.size(); ++step) {
    const auto covers = [&](const TimelineDivision& d) {
      return d.first <= static_cast<double>(step) && static_cast<double>(step + 1) <= d.last;
    };
    EXPECT_EQ(std::ranges::any_of(marked, covers), parts[step] > 1) << "step " << step;
  }
}

TEST(DividedSteps, KeepTheirMarksInABranch) {
  Collapse session;
  session.finish();
  const std::vector<TimelineDivision> whole = session.state().timeline.details->divisions;
  const double middle = (whole.front().first + whole.front().last) / 2;
  session.apply(request::Seek{std::floor(middle)});
  session.apply(request::ContinueFromHere{});
  const std::vector<TimelineDivision> cut = session.state().timeline.details->divisions;
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut.back().last, std::floor(middle));
  session.apply(request::Undo{});
  const std::vector<TimelineDivision> again = session.state().timeline.details->divisions;
  EXPECT_EQ(most_parts(again), most_parts(whole));
  EXPECT_EQ(again.front().first, whole.front().first);
  EXPECT_EQ(again.back().last, whole.back().last);
}

TEST(DividedSteps, BranchesAreBitIdentical) {
  Collapse session(16);
  session.finish();
  const Bodies end = session.simulation()->bodies();
  for (const double position : {20.0, 41.0, 53.5}) {
    session.apply(request::Seek{position});
    session.apply(request::ContinueFromHere{});
    const std::vector<int> parts = session.finish();
    EXPECT_GT(*std::ranges::max_element(parts), 1);
    EXPECT_TRUE(same_motion(session.simulation()->bodies(), end)) << "from " << position;
  }
}

TEST(DividedSteps, AreShownAtTheirEnd) {
  Collapse session;
  session.apply(request::Play{true});
  EXPECT_FALSE(session.publishes_ahead(1));
  Params params = session.state().params;
  params.adaptive_steps = 0;
  session.apply(request::SetParams{params});
  EXPECT_TRUE(session.publishes_ahead(1));
}

TEST(DividedSteps, CanBeUndone) {
  Collapse session;
  session.finish();
  Params params = session.state().params;
  params.adaptive_steps = 0;
  session.apply(request::SetParams{params});
  EXPECT_EQ(session.state().timeline.undo, "change of adaptive-steps");
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params.adaptive_steps, kMaxFallPerStep);
}

TEST(DividedSteps, RefuseATolerance) {
  Collapse session;
  Params params = session.state().params;
  params.adaptive_steps = -1;
  session.apply(request::SetParams{params});
  EXPECT_TRUE(session.state().message_is_error);
  EXPECT_NE(session.state().message.find("adaptive-steps is -1"), std::string::npos);
  EXPECT_EQ(session.state().params.adaptive_steps, kMaxFallPerStep);
}

}  // namespace
}  // namespace pericenter::test
