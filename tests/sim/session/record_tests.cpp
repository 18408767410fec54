#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "sim/core/timestep_criterion.h"
#include "sim/session/session.h"

// SessionState::record.

namespace pericenter {
namespace {

using namespace std::chrono_literals;

SessionOptions every_sample() {
  SessionOptions options;
  options.diagnostics_period = 0;
  return options;
}

const LabRecord& record_of(Session& session) {
  std::this_thread::sleep_for(110ms);  // longer than the time between two copies
  return *session.state().record;
}

TEST(Record, StartsWithTheScene) {
  Session session;
  EXPECT_TRUE(session.state().record->samples.empty());
  session.load(request::LoadScene{"collision", {.bodies = 600}});
  const LabRecord& record = *session.state().record;
  ASSERT_EQ(record.samples.size(), 1u);
  EXPECT_EQ(record.samples[0].position, 0);
  EXPECT_EQ(record.samples[0].start_distance, 0);
  EXPECT_NEAR(record.samples[0].virial_ratio(), session.state().diagnostics.virial_ratio(), 1e-12);
  ASSERT_EQ(record.structure.size(), 1u);
  EXPECT_NEAR(record.structure[0].separation, 25, 0.5) << "as the scene says";
  EXPECT_GT(record.structure[0].galaxies[1].r90, record.structure[0].galaxies[1].r50);
}

TEST(Record, HasASampleOfEachDiagnostics) {
  Session session(every_sample());
  session.load(request::LoadScene{"plummer", {.bodies = 200}});
  for (int k = 0; k < 5; ++k) session.step();
  const LabRecord record = record_of(session);
  const SessionState& state = session.state();
  ASSERT_EQ(record.samples.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(record.samples[k].position, double(k));
  const LabSample& last = record.samples.back();
  EXPECT_EQ(last.time, state.time);
  EXPECT_EQ(last.energy(), state.diagnostics.energy());
  EXPECT_EQ(last.energy_error, state.energy_error);
  EXPECT_EQ(last.momentum, state.diagnostics.momentum);
  EXPECT_EQ(last.fall_per_step, fall_per_step(state.params, state.diagnostics));
  EXPECT_TRUE(std::isnan(last.steps_per_orbit)) << "there is a softening";
  EXPECT_GT(last.step_ms, 0);
}

TEST(Record, ResetBeginsAnew) {
  Session session(every_sample());
  session.load(request::LoadScene{"plummer", {.bodies = 200}});
  for (int k = 0; k < 5; ++k) session.step();
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().record->samples.size(), 1u);
}

TEST(Record, MeasuresTheStructureAndTheDistanceFromTheStart) {
  Session session(every_sample());
  session.load(request::LoadScene{"collision", {.bodies = 600}});
  const auto start = std::chrono::steady_clock::now();
  while (session.state().record->structure.size() < 2 && std::chrono::steady_clock::now() - start < 60s) session.step();
  const LabRecord record = record_of(session);
  ASSERT_GE(record.structure.size(), 2u);
  const StructureSample& latest = record.structure[1];
  EXPECT_LT(latest.separation, record.structure[0].separation) << "they approach";
  for (const LabSample& sample : record.samples) {
    if (sample.position == 0 || sample.position > latest.position) continue;
    EXPECT_GT(sample.start_distance, 0) << sample.position;
  }
}

TEST(Record, MeasuresRotationOnRequestOnly) {
  Session session(every_sample());
  session.load(request::LoadScene{"galaxy", {.bodies = 3000}});
  EXPECT_TRUE(session.state().record->rotation.radius.empty());
  session.apply(request::MeasureRotation{true});
  const RotationCurve curve = session.state().record->rotation;
  ASSERT_FALSE(curve.radius.empty()) << "also while paused";
  EXPECT_GT(curve.measured[curve.radius.size() / 2], 0.3);
  EXPECT_GT(curve.circular[curve.radius.size() / 2], 0.3);
  session.apply(request::MeasureRotation{false});
  EXPECT_TRUE(session.state().record->rotation.radius.empty());
}

TEST(Record, RotationOfASceneWithoutDiscIsEmpty) {
  Session session;
  session.apply(request::MeasureRotation{true});
  session.load(request::LoadScene{"plummer", {.bodies = 300}});
  session.step();
  EXPECT_TRUE(session.state().record->rotation.radius.empty());
}

TEST(Record, IsOffOnRequest) {
  SessionOptions options;
  options.records = false;
  Session session(options);
  session.load(request::LoadScene{"plummer", {.bodies = 200}});
  session.step();
  EXPECT_TRUE(session.state().record->samples.empty());
  EXPECT_TRUE(session.state().record->structure.empty());
}

}  // namespace
}  // namespace pericenter
