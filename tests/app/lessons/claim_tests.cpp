#include "app/lessons/claim_quantities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace pericenter::app {
namespace {

using testing::HasSubstr;

TEST(Claims, AreAboutAboveOrBelow) {
  const Claim about = parse_claim("separation at pericentre: 16 kpc ± 10 %");
  EXPECT_EQ(about.quantity->name, "separation at pericentre");
  EXPECT_EQ(about.relation, Claim::Relation::about);
  EXPECT_EQ(about.value, 16);
  EXPECT_DOUBLE_EQ(about.tolerance, 1.6);
  const Claim above = parse_claim("direct takes > 20 times as long");
  EXPECT_EQ(above.relation, Claim::Relation::above);
  EXPECT_EQ(above.value, 20);
  EXPECT_EQ(above.text, "direct takes > 20 times as long");
  EXPECT_EQ(parse_claim("tail mass fraction of B < 3 %").relation, Claim::Relation::below);
}

TEST(Claims, ToleranceIsInTheUnitOrRelative) {
  EXPECT_DOUBLE_EQ(parse_claim("time of merger: 900 Myr ± 15 %").tolerance, 135);
  EXPECT_DOUBLE_EQ(parse_claim("time of merger: 900 Myr ± 20 Myr").tolerance, 20);
  EXPECT_DOUBLE_EQ(parse_claim("time of merger: 900 Myr +- 20 Myr").tolerance, 20);
  EXPECT_DOUBLE_EQ(parse_claim("tail mass fraction: 5 % ± 10 %").tolerance, 0.5);
  EXPECT_DOUBLE_EQ(parse_claim("tree levels: 12 ± 1").tolerance, 1);
  EXPECT_DOUBLE_EQ(parse_claim("bodies: 20,000").tolerance, 0);
}

TEST(Claims, NumbersMayHaveThousandsSeparators) {
  EXPECT_EQ(parse_claim("interactions per body < 19,999").value, 19'999);
  EXPECT_EQ(parse_claim("pairs: 1,999,000 ± 0.1 %").value, 1'999'000);
  EXPECT_EQ(parse_claim("force error < 1e-3 %").value, 1e-3);
  EXPECT_THROW(parse_claim("pairs: 19,99"), std::invalid_argument);
  EXPECT_THROW(parse_claim("pairs: ,999"), std::invalid_argument);
  EXPECT_THROW(parse_claim("pairs: 1999,000"), std::invalid_argument);
  EXPECT_THROW(parse_claim("pairs: 1,000,00.5"), std::invalid_argument);
  EXPECT_THROW(parse_claim("pairs: 1.5,000"), std::invalid_argument);
}

std::string claim_error(const char* text) {
  try {
    parse_claim(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Claims, MistakesSayWhatIsAllowed) {
  EXPECT_THAT(claim_error("it is large"), HasSubstr("QUANTITY: VALUE UNIT ± TOLERANCE"));
  EXPECT_THAT(claim_error("seperation: 3 kpc ± 1 kpc"), HasSubstr("did you mean separation?"));
  EXPECT_THAT(claim_error("speed: 3 km/s ± 1 %"), HasSubstr("cannot measure 'speed'"));
  EXPECT_THAT(claim_error("speed: 3 km/s ± 1 %"), HasSubstr("energy error"));
  EXPECT_THAT(claim_error("separation: 3 kpc"), HasSubstr("needs a tolerance, such as ± 10 % or ± 2 kpc"));
  EXPECT_THAT(claim_error("separation > 3"), HasSubstr("needs the unit kpc"));
  EXPECT_THAT(claim_error("separation > 3 Myr"), HasSubstr("needs the unit kpc, not 'Myr'"));
  EXPECT_THAT(claim_error("separation: 3 kpc ± 1 Myr"), HasSubstr("in % or kpc, not 'Myr'"));
  EXPECT_THAT(claim_error("separation: 3 kpc ± -1 kpc"), HasSubstr("must not be negative"));
  EXPECT_THAT(claim_error("bodies > 3 kpc"), HasSubstr("has no unit; remove 'kpc'"));
  EXPECT_THAT(claim_error("bodies > many"), HasSubstr("must begin with a number"));
  EXPECT_THAT(claim_error("bodies > 1e999"), HasSubstr("must begin with a number"));
}

TEST(Claims, HoldWithinTheirTolerance) {
  const Claim about = parse_claim("separation: 16 kpc ± 10 %");
  EXPECT_TRUE(holds(about, 14.5));
  EXPECT_TRUE(holds(about, 17.5));
  EXPECT_FALSE(holds(about, 14.3));
  EXPECT_FALSE(holds(about, 17.7));
  EXPECT_TRUE(holds(parse_claim("bodies: 20,000"), 20'000));
  EXPECT_FALSE(holds(parse_claim("bodies: 20,000"), 20'001));
  EXPECT_TRUE(holds(parse_claim("separation > 3 kpc"), 3.1));
  EXPECT_FALSE(holds(parse_claim("separation > 3 kpc"), 3));
  EXPECT_FALSE(holds(parse_claim("separation < 3 kpc"), 3));
  for (const char* text : {"separation: 16 kpc ± 10 %", "separation > 3 kpc", "separation < 3 kpc"})
    EXPECT_FALSE(holds(parse_claim(text), std::nan("")));
}

TEST(Claims, EveryQuantityCanBeClaimed) {
  for (const ClaimQuantity& quantity : claim_quantities()) {
    const Claim claim = parse_claim(std::string(quantity.name) + " > 2 " + std::string(quantity.unit));
    EXPECT_EQ(claim.quantity->name, quantity.name);
    EXPECT_EQ(claim.value, 2);
  }
}

}  // namespace
}  // namespace pericenter::app
