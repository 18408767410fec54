#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "sim/core/stage_clock.h"
#include "sim/core/stage_timings.h"
#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {

/// Times the stages of work on a stream with CUDA events, on the device clock; each stage is a DeviceStageClock. Host
/// stages are added from host clocks.
class StageEvents {
 public:
  explicit StageEvents(cudaStream_t stream) : stream_(stream) {}
  ~StageEvents() {
    for (const Mark& mark : marks_) PERICENTER_CUDA_LOG(cudaEventDestroy(mark.event));
    for (const Copy& copy : copies_) {
      PERICENTER_CUDA_LOG(cudaEventDestroy(copy.begin));
      PERICENTER_CUDA_LOG(cudaEventDestroy(copy.end));
    }
  }
  StageEvents(const StageEvents&) = delete;
  StageEvents& operator=(const StageEvents&) = delete;

  cudaStream_t stream() const { return stream_; }

  /// Starts the clock.
  void begin() {
    used_ = copies_used_ = 0;
    host_ = {};
    restart();
  }
  /// Discards the device time since the last stage and adds the timings of the host for it.
  void add_host(const StageTimings& timings) {
    for (std::size_t stage = 0; stage < kStageCount; ++stage) host_.ms[stage] += timings.ms[stage];
    restart();
  }

  /// Enqueues a copy between host and device memory on `stream`, and counts its bytes and its time. The copy must end
  /// before add_to(). Not for work that is kept as a graph.
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind direction, cudaStream_t stream) {
    if (copies_used_ == copies_.size()) {
      Copy added{};
      PERICENTER_CUDA_CHECK(cudaEventCreate(&added.begin));
      copies_.push_back(added);
      PERICENTER_CUDA_CHECK(cudaEventCreate(&copies_.back().end));
    }
    Copy& copy = copies_[copies_used_++];
    copy.bytes = bytes;
    copy.direction = direction;
    PERICENTER_CUDA_CHECK(cudaEventRecord(copy.begin, stream));
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, direction, stream));
    PERICENTER_CUDA_CHECK(cudaEventRecord(copy.end, stream));
  }

  /// Stages timed since begin(), in order. After a graph launch of the same work, resume() restores them.
  std::vector<Stage> marked() const {
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < used_; ++i) stages.push_back(marks_[i].stage);
    return stages;
  }
  void resume(const std::vector<Stage>& marked) {
    used_ = marked.size();
    copies_used_ = 0;
    host_ = {};
    for (std::size_t i = 0; i < used_; ++i) marks_[i].stage = marked[i];
  }

  /// Adds the stages timed since begin(); the stream must be synchronised.
  void add_to(StageTimings& timings) {
    for (std::size_t stage = 0; stage < kStageCount; ++stage) timings.ms[stage] += host_.ms[stage];
    for (std::size_t i = 1; i < used_; ++i) {
      if (marks_[i].stage == Stage::count) continue;
      float ms = 0;
      PERICENTER_CUDA_CHECK(cudaEventElapsedTime(&ms, marks_[i - 1].event, marks_[i].event));
      timings[marks_[i].stage] += std::max(ms, 0.0f);  // stages on two streams may end at about the same time
      timings.set_on_gpu(marks_[i].stage);
    }
    add_copies(timings);
    used_ = copies_used_ = 0;
    host_ = {};
  }

 private:
  friend class DeviceStageClock;

  /// The end of a stage.
  struct Mark {
    cudaEvent_t event;
    Stage stage;  ///< Stage::count: start of the clock
  };

  struct Copy {
    cudaEvent_t begin, end;
    std::size_t bytes;
    cudaMemcpyKind direction;
  };

  void add_copies(StageTimings& timings) const {
    for (std::size_t i = 0; i < copies_used_; ++i) {
      const Copy& copy = copies_[i];
      float ms = 0;
      PERICENTER_CUDA_CHECK(cudaEventElapsedTime(&ms, copy.begin, copy.end));
      Transfer& sum = copy.direction == cudaMemcpyHostToDevice ? timings.uploaded : timings.downloaded;
      sum.bytes += copy.bytes;
      sum.ms += ms;
    }
  }

  void restart() {
    prepare();
    PERICENTER_CUDA_CHECK(record(Stage::count));
  }
  /// Creates the event of the next record().
  void prepare() {
    if (used_ < marks_.size()) return;
    cudaEvent_t event;
    PERICENTER_CUDA_CHECK(cudaEventCreate(&event));
    marks_.push_back({event, Stage::count});
  }
  /// Assigns the time since the last record() to `stage`.
  cudaError_t record(Stage stage) { return record(stage, stream_); }
  cudaError_t record(Stage stage, cudaStream_t stream) {
    marks_[used_].stage = stage;
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (const cudaError_t error = cudaStreamIsCapturing(stream, &capture); error != cudaSuccess) return error;
    const unsigned how = capture == cudaStreamCaptureStatusNone ? cudaEventRecordDefault : cudaEventRecordExternal;
    return cudaEventRecordWithFlags(marks_[used_++].event, stream, how);
  }

  cudaStream_t stream_;
  std::vector<Mark> marks_;
  std::vector<Copy> copies_;
  std::size_t used_ = 0, copies_used_ = 0;
  StageTimings host_;
};

/// The StageClock of work that is enqueued during its lifetime: the time is that of the device since the last stage,
/// the range shows the launches. Clocks of the same StageEvents must not nest.
class DeviceStageClock {
 public:
  DeviceStageClock(StageEvents& events, Stage stage) : DeviceStageClock(events, stage, events.stream()) {}
  /// Of work on another stream.
  DeviceStageClock(StageEvents& events, Stage stage, cudaStream_t stream)
      : events_(events), stage_(stage), stream_(stream), range_(kStageNames[static_cast<std::size_t>(stage)]) {
    events_.prepare();
  }
  ~DeviceStageClock() { PERICENTER_CUDA_LOG(events_.record(stage_, stream_)); }
  DeviceStageClock(const DeviceStageClock&) = delete;
  DeviceStageClock& operator=(const DeviceStageClock&) = delete;

 private:
  StageEvents& events_;
  const Stage stage_;
  const cudaStream_t stream_;
  const ProfilerRange range_;
};

}  // namespace pericenter
