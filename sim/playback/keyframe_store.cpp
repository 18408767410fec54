#include "sim/playback/keyframe_store.h"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "sim/core/parallel.h"

namespace pericenter {

std::shared_ptr<const Keyframe> make_keyframe(Bodies bodies, BodyLabels labels, const PeriodicBox& box,
                                              const FieldInfo& field) {
  auto& [ids, types, values] = labels;
  if (!std::ranges::is_sorted(ids)) {
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0u);
    tbb::parallel_sort(order.begin(), order.end(), [&ids = ids](std::uint32_t a, std::uint32_t b) {
      return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
    });
    Bodies sorted = uninitialized_bodies(bodies.size());
    parallel_chunks(0, order.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) sorted[i] = bodies[order[i]];
    });
    bodies = std::move(sorted);
    const auto reorder = [&order](auto& each) {
      auto ordered = each;
      for (std::size_t i = 0; i < each.size(); ++i) ordered[i] = each[order[i]];
      each = std::move(ordered);
    };
    reorder(types);
    reorder(values);
    tbb::parallel_sort(ids.begin(), ids.end());
  }
  return std::make_shared<const Keyframe>(
      Keyframe{std::move(bodies), std::move(ids), std::move(types), box, field, std::move(values)});
}

KeyframeStore::KeyframeStore(Read read, std::shared_ptr<const Keyframe> first) : read_(std::move(read)) {
  held_.emplace(0, std::move(first));
}

void KeyframeStore::load(std::size_t index, const KeyframePair& keep, const Progress& progress) {
  if (holds(index)) return;
  if (reading_ && reading_->index != index) cancel();
  if (!reading_) start(index, keep);
  wait(progress);
  held_.emplace(index, std::exchange(reading_, nullptr)->result.get());
}

void KeyframeStore::reload(const KeyframePair& pair, const Progress& progress) {
  cancel();
  std::erase_if(held_, [&](const auto& frame) { return !pair.has(frame.first); });
  for (const std::size_t index : {pair.left, pair.right}) {
    start(index, pair);
    wait(progress);
    held_.insert_or_assign(index, std::exchange(reading_, nullptr)->result.get());
  }
}

void KeyframeStore::read_ahead(std::size_t index, const KeyframePair& keep) {
  if (holds(index) || (reading_ && reading_->index == index)) return;
  if (reading_) {
    // Does not wait for the cancelled reading; a later call finds it finished.
    reading_->cancelled = true;
    if (reading_->result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    reading_.reset();
  }
  start(index, keep);
}

void KeyframeStore::add(std::size_t index, std::shared_ptr<const Keyframe> frame, const KeyframePair& keep) {
  cancel();
  make_room(keep);
  held_.insert_or_assign(index, std::move(frame));
}

void KeyframeStore::make_room(const KeyframePair& keep) {
  while (held_.size() >= kMaxHeld)
    held_.erase(std::ranges::find_if(held_, [&](const auto& frame) { return !keep.has(frame.first); }));
}

void KeyframeStore::start(std::size_t index, const KeyframePair& keep) {
  make_room(keep);
  reading_ = std::make_unique<Reading>();
  reading_->index = index;
  reading_->result = std::async(std::launch::async, [this, now = reading_.get()] {
    return read_(now->index, [now](double progress) {
      now->progress = progress;
      return !now->cancelled;
    });
  });
}

void KeyframeStore::wait(const Progress& progress) {
  constexpr std::chrono::milliseconds kPeriod(20);
  while (reading_->result.wait_for(kPeriod) != std::future_status::ready) {
    if (!progress || progress(reading_->progress)) continue;
    cancel();
    throw SceneCancelled{};
  }
}

void KeyframeStore::cancel() {
  if (!reading_) return;
  reading_->cancelled = true;
  reading_.reset();
}

}  // namespace pericenter
