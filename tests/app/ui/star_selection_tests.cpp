// Clicks on stars: card, probe and ruler.
#include "app/ui/star_selection.h"

#include <gmock/gmock.h>

#include "app/ui/hidden_results.h"
#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;

class StarSelection : public Panels {
 protected:
  void click_on(std::optional<std::uint32_t> star, double time = 0) { click_star(star, time, now, ui); }
  void apply(Action action) { apply_command({action}, UiFrame{.simulation = state, .now = now}, {ui}); }
  /// The last request of this frame for what is tracked.
  std::optional<TrackedStars> tracked() {
    send_requests();
    track_stars(ui);
    const auto* const wanted = asked<request::TrackStars>();
    return wanted ? std::optional(wanted->wanted) : std::nullopt;
  }
};

// Regression: a click beside all stars had no visible effect.
TEST_F(StarSelection, ClickOnEmptySkyIsExplained) {
  click_on({});
  EXPECT_EQ(ui.notices.shown.text, "No star here. Click a star for its data.");
  EXPECT_TRUE(ui.requests.empty());
}

TEST_F(StarSelection, AClickShowsTheCardAndAnotherOneTheForces) {
  click_on(4);
  EXPECT_EQ(ui.stars.shown, 4u);
  EXPECT_TRUE(ui.captions.guide.read) << "the title of the scene would cover the card";
  EXPECT_FALSE(ui.stars.probed);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("again"));
  click_on(4);
  EXPECT_EQ(ui.stars.probed, 4u);
  click_on(5);
  EXPECT_EQ(ui.stars.shown, 5u);
  EXPECT_EQ(ui.stars.probed, 5u) << "the probe follows the selection";
  click_on(5);
  EXPECT_FALSE(ui.stars.probed);
  click_on(5);
  click_on({});
  EXPECT_FALSE(ui.stars.shown || ui.stars.probed);
}

TEST_F(StarSelection, EscClosesOneThingAtATime) {
  click_on(4);
  click_on(4);
  apply(Action::toggle_ruler);
  apply(Action::close_dialogs);
  EXPECT_FALSE(ui.stars.ruler.on);
  EXPECT_TRUE(ui.stars.shown);
  apply(Action::close_dialogs);
  EXPECT_FALSE(ui.stars.shown);
  EXPECT_TRUE(ui.stars.probed);
  apply(Action::close_dialogs);
  EXPECT_FALSE(ui.stars.probed);
}

TEST_F(StarSelection, TheThirdClickOfTheRulerStartsAnew) {
  state.time = 3;
  apply(Action::toggle_ruler);
  EXPECT_TRUE(ui.stars.ruler.ends.empty()) << "it measures between the nuclei";
  EXPECT_EQ(ui.stars.ruler.start, 3);
  click_on(4, 5);
  click_on(4, 6);
  EXPECT_THAT(ui.stars.ruler.ends, ElementsAre(4)) << "a star has no distance from itself";
  click_on({}, 6.5);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("Click two stars"));
  click_on(8, 7);
  EXPECT_THAT(ui.stars.ruler.ends, ElementsAre(4, 8));
  EXPECT_EQ(ui.stars.ruler.start, 7) << "the stopwatch starts with the second click";
  click_on(9, 8);
  EXPECT_THAT(ui.stars.ruler.ends, ElementsAre(9));
  EXPECT_FALSE(ui.stars.shown) << "the ruler has the clicks";
  apply(Action::toggle_ruler);
  EXPECT_FALSE(ui.stars.ruler.on);
}

TEST_F(StarSelection, OnlyWhatIsShownIsTracked) {
  EXPECT_FALSE(tracked());
  click_on(4);
  EXPECT_EQ(tracked(), (TrackedStars{{4}, true}));
  EXPECT_FALSE(tracked()) << "once is enough";
  apply(Action::toggle_ruler);
  click_on(4);
  click_on(7);
  EXPECT_EQ(tracked(), (TrackedStars{{4, 7}, true}));
  forget_selected_stars(ui);
  EXPECT_EQ(tracked(), TrackedStars());
  apply(Action::toggle_velocities);
  EXPECT_EQ(tracked(), (TrackedStars{{}, true}));
}

TEST_F(StarSelection, NothingIsSelectedWhileAQuestionWaits) {
  ui.lesson = example_lesson();
  ui.lesson.phase = LessonState::Phase::question;
  click_on(4);
  apply(Action::toggle_ruler);
  EXPECT_FALSE(ui.stars.shown || ui.stars.ruler.on);
  EXPECT_EQ(ui.notices.shown.text, kHiddenResult);
}

}  // namespace
}  // namespace pericenter::app
