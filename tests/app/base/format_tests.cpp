#include "app/base/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "app/lessons/claim_quantities.h"
#include "app/ui/encounter_design.h"

namespace pericenter::app {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// `value` in every text for numbers.
std::vector<std::string> texts_of(double value) {
  const Units units{1, 1, 1};
  return {number_text(value),          whole_number_text(value),
          percent_text(value),         short_number(value),
          signed_error(value),         decimal_text(value, 2),
          length_text(value, units),   time_text(value, units),
          time_text(value, {}),        round_time_text(value, units),
          distance_text(value, units), value_with_unit(value, quantity_of("energy error"))};
}

TEST(NumberText, IsShort) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(250), "250");
  EXPECT_EQ(number_text(999.9), "1000");
  EXPECT_EQ(number_text(1250), "1250");
  EXPECT_EQ(number_text(0.05), "0.05");
  EXPECT_EQ(number_text(1e-7), "10⁻⁷");
  EXPECT_EQ(number_text(3.2e-5), "3.2·10⁻⁵");
  EXPECT_EQ(number_text(9.99e-5), "10⁻⁴");
  EXPECT_EQ(number_text(1e12), "10¹²");
}

// Regression: a lesson said "energy error 9,223,372,036,854,775,808 %", and a time had 300 digits.
TEST(Numbers, HaveAShortTextHoweverLargeTheyAre) {
  for (const double size : {0.0, 1e-320, 0.5, 999.6, 1e6, 1e14, 1e15, 1e19, 2e19, 1e30, 1e300, kInfinity, kNan})
    for (const double value : {size, -size})
      for (const std::string& shown : texts_of(value)) {
        EXPECT_LE(shown.size(), 32u) << shown;
        EXPECT_THAT(shown, testing::Not(testing::HasSubstr("9,223,372"))) << value;
        EXPECT_FALSE(value > 1e19 && shown.front() == '-') << value << ": " << shown;
      }
}

TEST(Numbers, CountOneThingInTheSingular) {
  EXPECT_EQ(counted(0, "frame"), "0 frames");
  EXPECT_EQ(counted(1, "frame"), "1 frame");
  EXPECT_EQ(counted(2000, "frame"), "2,000 frames");
  EXPECT_EQ(every(1, "step"), "every step");
  EXPECT_EQ(every(16, "step"), "every 16 steps");
}

// Regression: a run that came back to its start showed "-0 Myr".
TEST(Numbers, HaveNoNegativeZero) {
  EXPECT_EQ(time_text(-1e-12, {.time_myr = 15}), "0 Myr");
  EXPECT_EQ(decimal_text(-0.004, 2), "0.00");
  EXPECT_EQ(decimal_text(-0.006, 2), "-0.01");
}

TEST(Outputs, EndWithTheReason) {
  EXPECT_EQ(last_line("ssh: Could not resolve hostname far."), "ssh: Could not resolve hostname far");
  EXPECT_EQ(last_line("progress\rat 7 %\r\nNo space left \x1b[0m on device.\n \n"), "No space left \\x1b[0m on device");
  for (const char* const nothing : {"", "\n", " \r\n..."}) EXPECT_EQ(last_line(nothing), "");
}

TEST(Numbers, AreGroupedWhileTheyAreCounts) {
  EXPECT_EQ(whole_number_text(0), "0");
  EXPECT_EQ(whole_number_text(1234567.4), "1,234,567");
  EXPECT_EQ(whole_number_text(-1999.6), "-2,000");
  EXPECT_EQ(whole_number_text(9.99e14), "999,000,000,000,000");
  EXPECT_EQ(whole_number_text(3.2e30), "3.2·10³⁰");
  EXPECT_EQ(whole_number_text(-kInfinity), "−∞");
  EXPECT_EQ(value_with_unit(3.2e30, quantity_of("energy error")), "3.2·10³⁰ %");
  EXPECT_EQ(time_text(1e20, {}), "t = 1e+20");
  EXPECT_EQ(time_text(28.3, {}), "t = 28.30");
}

}  // namespace
}  // namespace pericenter::app
