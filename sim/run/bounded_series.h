#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace pericenter {

/// Samples with a member `position`, in ascending order of it and at most `capacity` of them. When it is full, every
/// second one is dropped, and from then on every second new one is kept; the latest is always there.
template <class Sample>
class BoundedSeries {
 public:
  explicit BoundedSeries(std::size_t capacity) : capacity_(capacity) {}

  /// Appends a sample. Those at its position or behind it belong to an earlier course of the run and are removed.
  void append(const Sample& sample) {
    truncate_from(sample.position);
    if (is_extra_ && !samples_.empty()) samples_.pop_back();
    samples_.push_back(sample);
    is_extra_ = appended_++ % stride_ != 0;
    if (samples_.size() < capacity_) return;
    is_extra_ = samples_.size() % 2 == 0;
    const Sample last = samples_.back();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < samples_.size(); k += 2) samples_[kept++] = std::move(samples_[k]);
    samples_.resize(kept);
    if (is_extra_) samples_.push_back(last);
    stride_ *= 2;
  }
  /// Inserts a sample anywhere; it replaces those nearer than `resolution`.
  void insert(const Sample& sample, double resolution) {
    const auto low = std::ranges::lower_bound(samples_, sample.position - resolution, std::less{}, &Sample::position);
    const auto high = std::ranges::upper_bound(samples_, sample.position + resolution, std::less{}, &Sample::position);
    samples_.insert(samples_.erase(low, high), sample);
  }
  /// Removes the samples after `position`.
  void truncate(double position) {
    const auto rest = std::ranges::upper_bound(samples_, position, std::less{}, &Sample::position);
    is_extra_ = is_extra_ && rest == samples_.end();
    samples_.erase(rest, samples_.end());
  }

  const std::vector<Sample>& samples() const { return samples_; }
  std::vector<Sample>& samples() { return samples_; }

 private:
  void truncate_from(double position) {
    const auto rest = std::ranges::lower_bound(samples_, position, std::less{}, &Sample::position);
    is_extra_ = is_extra_ && rest == samples_.end();
    samples_.erase(rest, samples_.end());
  }

  std::size_t capacity_, stride_ = 1, appended_ = 0;
  bool is_extra_ = false;  ///< the last sample is only kept until the next one
  std::vector<Sample> samples_;
};

}  // namespace pericenter
