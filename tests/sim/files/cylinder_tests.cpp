// Tables with cylindrical coordinates, as users of galpy, AGAMA and Astropy write them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/files/unit_system.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

Snapshot read_cylinder(const std::string& text) {
  return read_as("csv", bytes_of(text));
}

/// R = 8, phi = 30 degrees, z = 0.5; vR = 10, vT = 220, vz = -7.
void expect_body(const Snapshot& snapshot, bool moves = true) {
  ASSERT_EQ(snapshot.bodies.size(), 1u);
  const double c = std::sqrt(0.75), s = 0.5;
  EXPECT_LT(length(snapshot.bodies[0].position - Vec3{8 * c, 8 * s, 0.5}), 1e-12);
  const Vec3 velocity = Vec3{10 * c - 220 * s, 10 * s + 220 * c, -7} * (moves ? 1 : 0);
  EXPECT_LT(length(snapshot.bodies[0].velocity - velocity), 1e-10);
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("Cylindrical coordinates were converted: x = R cos(phi)")));
  EXPECT_THAT(snapshot.notes, Not(Contains(HasSubstr("Not used"))));
}

TEST(Cylinder, NamesOfSeveralPrograms) {
  const std::string phi = "0.52359877559829887";
  expect_body(read_cylinder("m,R,vR,vT,z,vz,phi\n1,8,10,220,0.5,-7," + phi + "\n"));      // galpy
  expect_body(read_cylinder("# R z phi vR vz vphi m\n8 0.5 " + phi + " 10 -7 220 1\n"));  // AGAMA
  expect_body(read_cylinder("galr,galphi,galz,galvr,galvt,galvz\n8," + phi + ",0.5,10,220,-7\n"));
  expect_body(
      read_cylinder("star.rho,star.theta,star.z,star.v_rho,star.v_theta,star.v_z\n8," + phi + ",0.5,10,220,-7\n"));
  const Snapshot at_rest = read_cylinder("m,R,phi,z\n1,8," + phi + ",0.5\n");
  expect_body(at_rest, false);
  EXPECT_THAT(at_rest.notes, Contains(HasSubstr("No velocities")));
  EXPECT_THAT(at_rest.notes, Contains("phi is taken in radians."));
  EXPECT_EQ(read_cylinder("m,r,phi\n1,2,0\n").bodies.at(0).position, (Vec3{2, 0, 0}));
}

TEST(Cylinder, UnitsOfAngles) {
  for (const char* heading : {"phi [deg]", "phi [degree]"}) {
    const Snapshot snapshot = read_cylinder(std::string("m [Msun],R [kpc],") + heading +
                                            ",z [kpc],vR [km/s],vT [km/s],vz [km/s]\n1,8,30,0.5,10,220,-7\n");
    expect_body(snapshot);
    EXPECT_THAT(snapshot.notes, Not(Contains(HasSubstr("radians"))));
    EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kKpcCm);
    EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 1e5);
  }
  expect_body(read_cylinder("m_msun,R_kpc,phi_deg,z_kpc,vR_kms,v_phi_kms,vz_kms\n1,8,30,0.5,10,220,-7\n"));
  EXPECT_THAT(read_cylinder("m,R,phi,z\n1,8,330,0\n").notes,
              Contains(HasSubstr("It reaches 330: if it is in degrees")));
  EXPECT_THAT(error_of("csv", bytes_of("m,R,phi [kpc],z\n1,8,0,0\n")), HasSubstr("unknown unit 'kpc'"));
}

TEST(Cylinder, DifferentialsOfAstropyAreAngularVelocities) {
  expect_body(
      read_cylinder("coord.rho [kpc],coord.phi [deg],coord.z [kpc],coord.d_rho [km/s],coord.d_phi [km rad / (kpc "
                    "s)],coord.d_z [km/s]\n8,30,0.5,10,27.5,-7\n"));
  expect_body(read_cylinder("rho,phi,z,d_rho,d_phi,d_z\n8,0.52359877559829887,0.5,10,27.5,-7\n"));
  EXPECT_THAT(error_of("csv", bytes_of("rho,phi,z,d_phi [rad/s]\n8,0,0,1\n")), HasSubstr("'d_phi' has a unit, but"));
}

TEST(Cylinder, OtherCoordinatesAreNotConverted) {
  const std::string spherical = error_of("csv", bytes_of("m,r,theta,phi\n1,1,1,1\n"));
  EXPECT_THAT(spherical, HasSubstr("x = r sin(theta) cos(phi), y = r sin(theta) sin(phi), z = r cos(theta)"));
  EXPECT_EQ(read_cylinder("m,x,y,z,R,phi\n1,1,2,3,9,9\n").bodies.at(0).position, (Vec3{1, 2, 3}));
  EXPECT_THAT(error_of("csv", bytes_of("m,R,z\n1,1,1\n")), HasSubstr("is missing"));
}

}  // namespace
}  // namespace pericenter::test
