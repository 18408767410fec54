// Locales with a decimal comma, such as German.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>
#include <string>

#include "app/base/format.h"
#include "app/settings/scene_string.h"
#include "app/view/camera_file.h"
#include "sim/core/config.h"
#include "sim/files/text_table.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::app {
namespace {

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// Sets a locale whose streams print 1.234,5.
class Commas : public ::testing::Test {
 protected:
  Commas() : before_(std::locale::global(std::locale(std::locale(), new Comma))) {}
  ~Commas() override { std::locale::global(before_); }

 private:
  std::locale before_;
};

TEST_F(Commas, DoNotReachFiles) {
  Cameras cameras;
  cameras.saved[0] = render::CameraPose{{1234.5f, -0.25f, 1e-7f}, 0.5f, 0.25f, 12345.5f};
  const std::string text = text_of(cameras);
  EXPECT_THAT(text, testing::HasSubstr("view,1,1234.5,-0.25,"));
  EXPECT_EQ(cameras_of(text, "a"), cameras);
  EXPECT_EQ(exact(1234.5), "1234.5");
  const std::string table = "m;x;y\n0.5;1234.5;-0,25\n";
  const Snapshot snapshot = test::read_as("csv", test::bytes_of(table));
  EXPECT_EQ(snapshot.bodies[0].position, (Vec3{1234.5, -0.25, 0}));
}

TEST_F(Commas, DoNotReachSceneStrings) {
  Options options;
  read_scene_string("pericenter/1 scene=plummer n=12345 theta=0.5 dt=0.0625", options);
  EXPECT_EQ(options.dt, 0.0625);
  EXPECT_EQ(options.bodies, 12345u);
  const std::string text = scene_string(options);
  EXPECT_THAT(text, testing::HasSubstr("n=12345"));
  EXPECT_THAT(text, testing::HasSubstr("dt=0.0625"));
}

}  // namespace
}  // namespace pericenter::app
