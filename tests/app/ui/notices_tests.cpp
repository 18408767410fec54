#include "app/ui/notices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/base/log.h"
#include "app/ui/ui_state.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

TEST(NoticeLog, HasEachNoticeOnce) {
  const TemporaryFolder folder;
  Log log;
  log.open(folder / "a.log");
  UiState ui;
  ui.support_log = &log;
  set_notice("Scene string copied.", false, 0, ui);
  report_error("Cannot save.", 0, ui);
  const std::string text = text_of(folder / "a.log");
  EXPECT_THAT(text, testing::HasSubstr("notice   Scene string copied.\n"));
  EXPECT_THAT(text, testing::HasSubstr("error    Cannot save.\n"));
  EXPECT_EQ(text.find("Cannot save."), text.rfind("Cannot save.")) << "also printed, but one event";
}

}  // namespace
}  // namespace pericenter::app
