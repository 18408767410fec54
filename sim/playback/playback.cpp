#include "sim/playback/playback.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/core/diagnostic_sums.h"
#include "sim/core/fnv.h"
#include "sim/core/parallel.h"
#include "sim/core/stage_clock.h"
#include "sim/files/snapshot.h"

namespace pericenter {
namespace {

constexpr std::size_t kNoSnapshot = std::numeric_limits<std::size_t>::max();

}  // namespace

Playback::Playback(SnapshotSeries series, const Progress& progress)
    : Simulation({}, series.first->bodies.size()),
      times_(std::move(series.times)),
      names_(std::move(series.names)),
      playable_(times_.size()),
      store_(std::move(series.read), std::move(series.first)),
      watch_(std::move(series.watch)),
      field_(std::move(series.field)) {
  std::iota(playable_.begin(), playable_.end(), std::size_t(0));
  go_to(times_.front(), progress);
  if (playable_.size() < 2 && !series.one_is_enough) throw_read_errors();
  read_errors_.clear();  // note() reports the skipped snapshots
}

void Playback::step(const Params& params, bool, const VertexTarget* vertices) {
  timings_ = {};
  ++steps_;
  go_to(time_ + params.dt, {});
  throw_read_errors();
  const auto right = std::ranges::find(playable_, pair_.right), left = std::ranges::find(playable_, pair_.left);
  if (params.dt > 0 && playable_.end() - right > 1) store_.read_ahead(*(right + 1), pair_);
  if (params.dt < 0 && left != playable_.begin() && left != playable_.end()) store_.read_ahead(*(left - 1), pair_);
  if (vertices) write_vertices(*vertices);
}

bool Playback::seek(double time, const Progress& progress) {
  ++continuity_.discontinuities;
  go_to(time, progress);
  throw_read_errors();
  return true;
}

bool Playback::ended(double dt) const {
  if (dt > 0) return time_ >= times_[playable_.back()];
  return dt < 0 && time_ <= times_[playable_.front()];
}

TimeRange Playback::range() const {
  TimeRange range{.first = times_[playable_.front()], .last = times_[playable_.back()]};
  for (const std::size_t index : playable_) range.snapshots.push_back(times_[index]);
  return range;
}

bool Playback::follow(bool wanted) {
  if (watch_) watch_->set_running(wanted);
  return watch_ && watch_->is_running();
}

std::optional<SeriesNews> Playback::take_news() {
  std::optional<SeriesNews> news = watch_ ? watch_->take_news() : std::nullopt;
  if (!news) return news;
  for (const auto& [index, file] : news->found) {
    times_.resize(index + 1);
    names_.resize(index + 1);
    times_[index] = file.time;
    names_[index] = file.name();
    std::erase(skipped_, names_[index]);
    playable_.push_back(index);
  }
  std::erase_if(playable_, [&](std::size_t index) { return std::ranges::count(news->gone, index) > 0; });
  std::ranges::sort(playable_, {}, [this](std::size_t index) { return times_[index]; });
  if (news->frame) store_.add(news->newest, std::exchange(news->frame, nullptr), pair_);
  go_to(time_, {});
  return news;
}

void Playback::go_to(double time, const Progress& progress) {
  try {
    KeyframePair wanted = pair_at(time);
    while (!load(wanted, progress)) wanted = pair_at(time);
    show(wanted);
  } catch (...) {
    show_held();
    throw;
  }
  time_ = std::clamp(time, times_[pair_.left], times_[pair_.right]);
}

void Playback::throw_read_errors() {
  if (watch_ && watch_->is_running()) read_errors_.clear();
  if (!read_errors_.empty()) throw InputError(std::exchange(read_errors_, {}));
}

/// The snapshots before and after `time`.
KeyframePair Playback::pair_at(double time) const {
  const auto later = std::ranges::upper_bound(playable_, time, {}, [this](std::size_t index) { return times_[index]; });
  if (playable_.size() == 1) return {playable_.front(), playable_.front()};
  const auto right = std::clamp(later, playable_.begin() + 1, playable_.end() - 1);
  return {*(right - 1), *right};
}

/// False when one of them cannot be read and was removed from playable_. Held snapshots stay playable, so one remains.
bool Playback::load(const KeyframePair& pair, const Progress& progress) {
  for (const std::size_t index : {pair.left, pair.right}) {
    try {
      store_.load(index, pair, progress);
    } catch (const InputError& error) {
      std::erase(playable_, index);
      skipped_.push_back(names_[index]);
      read_errors_ +=
          (read_errors_.empty() ? "" : " ") + std::string(error.what()) + " The playback skips this snapshot.";
      return false;
    }
  }
  return true;
}

void Playback::show(const KeyframePair& pair) {
  if (pair == pair_ && fingerprint_ != 0) return;
  pair_ = pair;
  const Keyframe& left = store_.held(pair.left);
  match_ = BodyMatch(left, store_.held(pair.right), times_[pair.right] - times_[pair.left]);
  size_ = match_.size();
  Fnv1a print;  // equal for the same bodies in the same order
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t in_left = match_.left(i);
    print.add(left.ids.empty() ? in_left : left.ids[in_left]);
  }
  if (fingerprint_ != 0 && print.value() != fingerprint_) ++continuity_.permutations;
  fingerprint_ = print.value();
}

/// After a cancelled read: shows the previous pair, or a single snapshot if that pair was evicted.
void Playback::show_held() {
  if (store_.holds(pair_.left) && store_.holds(pair_.right)) return;
  const std::size_t index = store_.any();
  show({index, index});
  time_ = times_[index];
}

Playback::Moment Playback::moment() const {
  const double span = times_[pair_.right] - times_[pair_.left];
  const double fraction = span > 0 ? (time_ - times_[pair_.left]) / span : 0;
  return {span, fraction, hermite_weights(fraction, span)};
}

Body Playback::body(std::size_t i, const Moment& now) const {
  const Keyframe &left = store_.held(pair_.left), &right = store_.held(pair_.right);
  const Body& before = left.bodies[match_.left(i)];
  const Body& after = right.bodies[match_.right(i)];
  const Vec3 shift = image_shift(before, after, left.box, right.box, now.span);
  Body body = before;
  for (int k = 0; k < 3; ++k) {
    const double from[] = {before.position[k], before.velocity[k], after.position[k] + shift[k] * right.box.sides[k],
                           after.velocity[k]};
    body.position[k] = std::inner_product(from, from + 4, now.weights.position, 0.0);
    body.velocity[k] = std::inner_product(from, from + 4, now.weights.velocity, 0.0);
    if (shift[k] == 0 || left.box.has_group[static_cast<std::size_t>(k)]) continue;
    const double side = std::lerp(left.box.sides[k], right.box.sides[k], now.fraction);
    // The wall of the earlier snapshot, which moves as the box grows. The later one may have another.
    const double low = std::lerp(left.box.origin[k], right.box.origin[k], now.fraction) +
                       (left.box.low[k] - left.box.origin[k]) * (side / left.box.sides[k]);
    body.position[k] -= side * std::floor((body.position[k] - low) / side);
  }
  return body;
}

/// Calls function(i, body) for all bodies at the current time, on all cores.
template <class Function>
void Playback::each_body(const Function& function) const {
  const Moment now = moment();
  parallel_chunks(0, size_, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) function(i, body(i, now));
  });
}

Bodies Playback::bodies() const {
  Bodies all = uninitialized_bodies(size_);
  each_body([&](std::size_t i, const Body& body) { all[i] = body; });
  return all;
}

bool Playback::has_velocities() const {
  const Bodies& bodies = store_.held(pair_.left).bodies;
  return std::ranges::any_of(bodies, [](const Body& body) { return body.velocity != Vec3(); });
}

BodyLabels Playback::labels() const {
  const Keyframe& left = store_.held(pair_.left);
  BodyLabels labels;
  for (std::size_t i = 0; i < size_; ++i) {
    if (!left.ids.empty()) labels.ids.push_back(left.ids[match_.left(i)]);
    if (!left.types.empty()) labels.types.push_back(left.types[match_.left(i)]);
    if (!left.values.empty()) labels.values.push_back(left.values[match_.left(i)]);
  }
  return labels;
}

std::optional<FieldScale> Playback::show_field(const std::string& name, const Progress& progress) {
  if (!field_) return std::nullopt;
  field_->choose(name);
  scale_.reset();
  const auto show_again = [this] { show(std::exchange(pair_, {kNoSnapshot, kNoSnapshot})); };
  try {
    store_.reload(pair_, progress);
  } catch (...) {
    show_again();  // one of the snapshots may have been read
    throw;
  }
  show_again();
  const Keyframe& left = store_.held(pair_.left);
  if (!left.values.empty()) scale_ = pericenter::scale_of(left.field, left.values);
  return scale_;
}

/// The field is that of the earlier snapshot.
float Playback::scalar_of(std::size_t i, const Body& body) const {
  if (scalar_ == Scalar::speed) return static_cast<float>(length(body.velocity));
  const Keyframe& left = store_.held(pair_.left);
  const bool has_field = scalar_ == Scalar::field && scale_ && !left.values.empty() && left.field == scale_->field;
  return has_field ? scale_->stored(left.values[match_.left(i)]) : kNoScalar;
}

void Playback::write_vertices(const VertexTarget& out) {
  const StageClock clock(timings_, Stage::write_vertices);
  each_body([&](std::size_t i, const Body& body) {
    if (out.every != 1 && i % out.every != 0) return;
    const Vec3& x = body.position;
    out.vertices[i / out.every] = {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]),
                                   make_attribute(body.tag, scalar_of(i, body))};
  });
}

Diagnostics Playback::diagnostics(const Params&) {
  const StageClock clock(timings_, Stage::diagnostics);
  std::vector<DiagnosticSums> partial(chunk_count(size_));
  each_body([&](std::size_t i, const Body& body) {
    partial[i / kChunk].add_body({i, body.mass, body.position, body.velocity, 0});
  });
  DiagnosticSums sums;
  for (const DiagnosticSums& part : partial) sums += part;
  Diagnostics result = sums.result();
  result.potential = result.force_virial = std::numeric_limits<double>::quiet_NaN();
  return result;
}

std::string Playback::note() const {
  std::string text = match_.note();
  if (skipped_.empty()) return text;
  text += std::string(text.empty() ? "" : " ") + "Skipped because it cannot be read: ";
  for (std::size_t k = 0; k < skipped_.size(); ++k) text += (k == 0 ? "" : ", ") + skipped_[k];
  return text + ".";
}

}  // namespace pericenter
