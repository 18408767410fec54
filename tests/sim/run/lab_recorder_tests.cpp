#include "sim/run/lab_recorder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace pericenter {
namespace {

LabSample sample_at(double position, double kinetic = 0) {
  return {.position = position, .time = position / 10, .kinetic = kinetic};
}

std::vector<double> positions(LabRecorder& recorder) {
  std::vector<double> found;
  for (const LabSample& sample : recorder.record(false)->samples) found.push_back(sample.position);
  return found;
}

TEST(LabRecorder, KeepsTheOrderOfPositionsWhereTheTimeTurnsRound) {
  LabRecorder recorder;
  for (int k = 0; k < 10; ++k) recorder.add({.position = double(k), .time = double(std::min(k, 9 - k))});
  const auto record = recorder.record(false);
  ASSERT_EQ(record->samples.size(), 10u);
  EXPECT_EQ(record->samples[9].time, 0);
}

TEST(LabRecorder, LatestSampleAtAPositionCounts) {
  LabRecorder recorder;
  for (const double kinetic : {1, 2, 3}) recorder.add(sample_at(5, kinetic));
  ASSERT_EQ(positions(recorder), std::vector<double>{5});
  EXPECT_EQ(recorder.record(false)->samples[0].kinetic, 3);
}

TEST(LabRecorder, LongRunIsThinnedEvenly) {
  LabRecorder recorder;
  const int count = 100'000;
  for (int k = 0; k <= count; ++k) {
    recorder.add(sample_at(k));
    ASSERT_LE(k > 20'000 && k % 1000 != 0 ? 1 : positions(recorder).size(), 8192u);
  }
  const std::vector<double> found = positions(recorder);
  EXPECT_GE(found.size(), 4096u);
  EXPECT_EQ(found.front(), 0);
  EXPECT_EQ(found.back(), count) << "the latest sample is always there";
  for (std::size_t k = 2; k + 1 < found.size(); ++k) ASSERT_EQ(found[k] - found[k - 1], found[1] - found[0]) << k;
}

TEST(LabRecorder, TruncatedRunContinues) {
  LabRecorder recorder;
  for (int k = 0; k < 10; ++k) recorder.add(sample_at(k));
  const std::uint64_t course = recorder.courses();
  recorder.truncate(4);
  EXPECT_NE(recorder.courses(), course);
  EXPECT_EQ(positions(recorder), (std::vector<double>{0, 1, 2, 3, 4}));
  recorder.add(sample_at(5, 7));
  EXPECT_EQ(positions(recorder).size(), 6u);
}

TEST(LabRecorder, RollbackRemovesWhatCameLater) {
  LabRecorder recorder;
  for (int k = 0; k < 10; ++k) {
    recorder.add(sample_at(k));
    recorder.add(StructureSample{.position = double(k)}, 0);
  }
  const std::uint64_t course = recorder.courses();
  recorder.add(sample_at(3, 8));
  EXPECT_EQ(positions(recorder), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(recorder.record(false)->structure.size(), 4u);
  EXPECT_NE(recorder.courses(), course);
}

TEST(LabRecorder, PlaybackMayJump) {
  LabRecorder recorder;
  recorder.clear_for_playback(8192);
  for (const double position : {10.0, 30.0, 20.0, 20.4, 5.0}) recorder.add(sample_at(position, position));
  EXPECT_EQ(positions(recorder), (std::vector<double>{5, 10, 20.4, 30}));
}

TEST(LabRecorder, StartDistanceIsThatBetweenMeasurements) {
  LabRecorder recorder;
  recorder.add(sample_at(0));
  recorder.add(StructureSample{.position = 0}, 0);
  for (const double position : {1, 2, 3, 4}) recorder.add(sample_at(position));
  recorder.add(StructureSample{.position = 3}, 6);
  const auto samples = recorder.record(false)->samples;
  EXPECT_EQ(samples[0].start_distance, 0);
  EXPECT_DOUBLE_EQ(samples[1].start_distance, 2);
  EXPECT_DOUBLE_EQ(samples[3].start_distance, 6);
  EXPECT_TRUE(std::isnan(samples[4].start_distance)) << "not measured yet";
  EXPECT_EQ(recorder.start_distance(), 6);
}

TEST(LabRecorder, CopiesAtMostTenTimesPerSecondWhileRunning) {
  using namespace std::chrono_literals;
  LabRecorder recorder;
  const auto start = LabRecorder::Clock::now();
  recorder.add(sample_at(0));
  const auto first = recorder.record(true, start);
  EXPECT_EQ(first->samples.size(), 1u);
  recorder.add(sample_at(1));
  EXPECT_EQ(recorder.record(true, start + 99ms), first);
  const auto later = start + 1min;  // slow copies are made more rarely
  EXPECT_EQ(recorder.record(true, later)->samples.size(), 2u);
  EXPECT_EQ(recorder.record(true, later + 400ms), recorder.record(true, later + 800ms)) << "nothing has changed";
  recorder.add(sample_at(2));
  EXPECT_EQ(recorder.record(false, later + 1ms)->samples.size(), 3u) << "a pause shows everything";
}

TEST(LabRecorder, FindsEvents) {
  LabRecorder recorder;
  for (int k = 0; k < 20; ++k)
    recorder.add(StructureSample{.position = double(k), .time = double(k), .separation = std::hypot(3, k - 10.0)}, 0);
  ASSERT_EQ(recorder.events().size(), 1u);
  recorder.truncate(9);
  EXPECT_TRUE(recorder.events().empty());
}

}  // namespace
}  // namespace pericenter
