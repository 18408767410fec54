#include "app/view/framing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/gtc/constants.hpp>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "app/view/light_ellipse.h"
#include "app/view/subject.h"

namespace pericenter::app {
namespace {

constexpr double kBeyond = 0.01;                  // share of the bodies beyond each edge of the frame
constexpr double kTailsBeyond = 0.0125;           // the same of tails
constexpr double kStray = 5e-4;                   // share of the bodies that are far out and form no tail
constexpr double kNoTail = 0.01;                  // share of the bodies; a tail has more
constexpr float kFilled = 0.88f;                  // share of the image that the others fill
constexpr float kNearest = 0.1f, kFarthest = 10;  // distances, in fitted ones
constexpr float kWidest = 3;                      // the same where the scale is kept
constexpr float kSmallest = 0.56f;                // share of the height that the light fills in the middle
constexpr float kLeast = 0.58f;                   // the same whatever else is outside then
constexpr float kSmallestBeside = 0.51f;          // the same beside distant nuclei
constexpr float kForNuclei = 1.35f;               // how much farther away the nuclei may take the camera
constexpr float kLetGo = 0.3f;                    // how much farther than that they are lost; not at once
constexpr float kFilledByNuclei = 0.96f;          // share of the image; they are small
constexpr float kFilledByAll = 0.94f;             // the same of all bodies, where these end at an edge, as a cube does
constexpr float kForAll = 1.14f;                  // how much farther away they may take the camera
constexpr float kAllLetGo = 0.04f;                // how much farther than that their edge is lost, as that of galaxies
constexpr float kWideLegend = 0.4f;               // share of the width, from which a legend covers all of it
constexpr float kBesideLegend = 0.03f;            // share of width and height left free around one in a corner
constexpr float kMostAbove = 0.25f;               // share of the height that is kept for it
constexpr float kNowhere = 1e6f;                  // slope that nothing has
constexpr int kTurns = 2;                         // to find what depends on the distance, as this on it
constexpr std::size_t kFewBodies = 64;

// A camera rests while its distance divided by that of its goal is between these values, and while it is beside its
// goal by less than this share of the distance.
constexpr float kNear = 0.97f, kFar = 1.09f, kBeside = 0.025f;
constexpr float kSettleSeconds = 0.7f;   // time constant of the approach
constexpr float kChangeSeconds = 0.25f;  // the same of the measured change of the goal
constexpr float kFastest = 0.8f;         // per second, see Framing::Motion
constexpr float kLongestFrame = 0.25f;   // seconds; a longer frame moves no farther
constexpr float kStill = 1e-4f;          // far below a pixel

/// The value that `above` of them exceed.
float quantile(std::vector<float>& values, std::size_t above) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(above);
  std::ranges::nth_element(values, at, std::greater());
  return *at;
}

/// Places of which as many may be outside of a frame, beyond each of its edges.
struct Group {
  Places places;
  std::size_t outside = 0;
  float inner = 1;  ///< the frame is larger for these places, by 1 / inner
};

/// The part of an image that is left for stars, as slopes of lines of sight from its middle.
struct FreePart {
  glm::vec2 edges{1};
  glm::vec2 legend{kNowhere};  ///< lower left corner of a legend at the upper right
  float up = 0;                ///< height of its middle above that of the image
};

/// A wide legend leaves what is below it, another one also what is beside it.
FreePart free_part(const glm::vec2& half, const FrameShape& shape) {
  const bool is_wide = shape.legend.x > kWideLegend || 1 - 2 * shape.legend.y <= shape.covered;
  const float above = is_wide ? std::min(shape.legend.y, kMostAbove) : 0;
  FreePart part{.edges = kFilled * half * glm::vec2(1, 1 - shape.covered - above),
                .up = (shape.covered - above) * half.y};
  if (!is_wide && shape.legend.y > 0)
    part.legend = half * (1.0f - 2.0f * (shape.legend + kBesideLegend) - glm::vec2(0, shape.covered));
  return part;
}

/// A frame around groups of places, none of which is empty.
class Box {
 public:
  Box(std::span<const Group> groups, const FreePart& part) : groups_(groups), part_(part) {}

  /// Distance of a camera from which they are in a frame around a point.
  float distance(const glm::vec3& middle) {
    const auto any = [&](const glm::vec2& at) {
      const float behind = std::min(at.x / part_.legend.x, at.y / part_.legend.y);
      return std::max({std::abs(at.x) / part_.edges.x, std::abs(at.y) / part_.edges.y, behind});
    };
    float result = 0;
    for (const Group& group : groups_) {
      result = std::max(result, distance(group, middle, any, 2 * group.outside));
      for (const glm::vec2& edge : {glm::vec2(1, 0), glm::vec2(-1, 0), glm::vec2(0, 1), glm::vec2(0, -1)}) {
        const auto beyond = [&](const glm::vec2& at) { return glm::dot(edge / part_.edges, at); };
        result = std::max(result, distance(group, middle, beyond, group.outside));
      }
    }
    return result;
  }
  /// Their middle in the image of a camera at this distance before `around`.
  glm::vec3 middle(const glm::vec3& around, float distance) {
    glm::vec3 result = around;
    for (int axis = 0; axis < 3; ++axis) {
      float low = std::numeric_limits<float>::infinity(), high = -low;
      for (const Group& group : groups_) {
        values_.clear();
        for (const glm::vec3& place : group.places) {
          const glm::vec3 at = place - around;
          values_.push_back(axis < 2 ? group.inner * at[axis] / std::max(1 - at.z / distance, 0.1f) : at.z);
        }
        high = std::max(high, quantile(values_, group.outside));
        low = std::min(low, quantile(values_, values_.size() - 1 - group.outside));
      }
      result[axis] += (low + high) / 2;
    }
    return result;
  }

 private:
  /// Of the distances of a camera that the places of a group need around a point, that which this number exceeds.
  template <class Need>
  float distance(const Group& group, const glm::vec3& middle, const Need& need, std::size_t outside) {
    values_.clear();
    for (const glm::vec3& place : group.places) {
      const glm::vec3 at = place - middle;
      values_.push_back(at.z + group.inner * need(glm::vec2(at)));
    }
    return quantile(values_, outside);
  }

  std::span<const Group> groups_;
  FreePart part_;
  std::vector<float> values_;
};

/// The share that a camera goes of a way to a place that is `farther` times as far from the subject: all of it up to
/// `most`, none from there on by 1 + `let_go`.
float share_of_way(float farther, float most, float let_go) {
  if (farther <= most) return 1;
  return std::clamp(1 - (farther / most - 1) / let_go, 0.0f, (most - 1) / (farther - 1));
}

/// Frames of a subject: target along the axes of the camera, and distance.
class Frames {
 public:
  Frames(const Subject& subject, const FreePart& part) : part_(part), light_(subject.bodies) {}

  /// Around these groups, with the light in the middle as far as it does not become small.
  glm::vec4 centred(std::span<const Group> groups) {
    const glm::vec4 near = nearest(groups);
    glm::vec4 frame = near;
    Box box(groups, part_);
    for (int k = 0; k < kTurns; ++k) {
      light_.look(frame, frame.w);
      frame += glm::vec4(light_.middle(), 0, 0);
      frame.w = box.distance(frame);
    }
    const float most = frame.w * height(frame) / kSmallest;
    if (most >= frame.w || near.w >= frame.w) return frame;
    return glm::mix(frame, near, std::min((frame.w - most) / (frame.w - near.w), 1.0f));
  }
  /// A frame from a little farther away if all bodies except `stray` of them beyond each edge are in it then, and the
  /// light remains large.
  glm::vec4 whole(glm::vec4 frame, const Places& bodies, std::size_t stray) {
    const Group all{bodies, stray, kFilled / kFilledByAll};
    const float farther = std::max(Box({&all, 1}, part_).distance(frame) / frame.w, 1.0f);
    const float most = std::clamp(height(frame) / kSmallest, 1.0f, kForAll);
    frame.w *= 1 + share_of_way(farther, most, kAllLetGo) * (farther - 1);
    return frame;
  }
  /// As near as the light needs to be large, whatever else but nuclei is outside then. Its middle keeps its place in
  /// the image.
  glm::vec4 large(glm::vec4 frame, std::span<const Group> nuclei) {
    const float farthest = frame.w;
    for (int k = 0; k < kTurns; ++k) {
      const glm::vec2 light = size(frame);
      float way = std::max(light.y / kLeast, light.x / kFilledByAll);
      if (!nuclei.empty()) {
        const float farther = std::max(Box(nuclei, part_).distance(frame) / (way * frame.w), 1.0f);
        const float most = std::max(light.y / (way * kSmallestBeside), 1.0f);
        way *= 1 + share_of_way(farther, most, kLetGo) * (farther - 1);
      }
      way = std::min(way, farthest / frame.w);
      frame += glm::vec4((1 - way) * light_.middle(), 0, 0);
      frame.w *= way;
    }
    return frame;
  }
  /// Height of the light, in heights of the image.
  float height(const glm::vec4& frame) { return size(frame).y; }

 private:
  glm::vec4 nearest(std::span<const Group> groups) const {
    Box box(groups, part_);
    glm::vec3 middle = box.middle(glm::vec3(0), std::numeric_limits<float>::infinity());
    for (int k = 0; k < kTurns; ++k) middle = box.middle(middle, box.distance(middle));
    return {middle, box.distance(middle)};
  }
  /// Of the light, in widths and heights of the image.
  glm::vec2 size(const glm::vec4& frame) {
    light_.look(frame, frame.w);
    return kFilled * light_.half_size() / (part_.edges * frame.w);
  }

  FreePart part_;
  LightEllipse light_;
};

/// The frame of many bodies, of tails, and of the nuclei. Few stars far out are no tail.
glm::vec4 fitted(const Subject& subject, const FreePart& part) {
  const auto of = [](double share, const Places& places) {
    return static_cast<std::size_t>(share * static_cast<double>(places.size()));
  };
  const std::size_t stray = of(kStray, subject.bodies);
  std::vector<Group> groups = {{subject.bodies, of(kBeyond, subject.bodies)}};
  const std::size_t beyond = of(kTailsBeyond, subject.tails) + stray;
  if (subject.tails.size() > std::max(2 * beyond, of(kNoTail, subject.bodies)))
    groups.push_back({subject.tails, beyond});
  Frames frames(subject, part);
  const glm::vec4 stars = frames.centred(groups);
  if (subject.nuclei.empty()) return frames.large(frames.whole(stars, subject.bodies, stray), {});
  const float most = std::max(kForNuclei, frames.height(stars) / kSmallestBeside);
  groups.push_back({subject.nuclei, 0, kFilled / kFilledByNuclei});
  const glm::vec4 all = frames.centred(groups);
  const float farther = all.w / stars.w;
  const glm::vec4 result = farther > 1 ? glm::mix(stars, all, share_of_way(farther, most, kLetGo)) : all;
  return frames.large(frames.whole(result, subject.bodies, stray), std::span(groups).last(1));
}

float length(float value) {
  return std::abs(value);
}
float length(const glm::vec3& value) {
  return glm::length(value);
}

template <class Length>
Length limited(const Length& value, float most) {
  const float size = length(value);
  return size > most ? value * (most / size) : value;
}

/// The way in `seconds` to a place that is `rest` away, critically damped, so that it never swings.
template <class Length>
Length approach(const Length& rest, Length& speed, float seconds) {
  if (length(rest) < kStill && length(speed) < kStill) return speed = Length(0);
  const Length way = limited(rest, kFastest * kSettleSeconds);
  const float rate = 2 / kSettleSeconds, decay = std::exp(-rate * seconds);
  const Length pull = (speed - rate * way) * seconds;
  speed = (speed - rate * pull) * decay;
  return way + (pull - way) * decay;
}

}  // namespace

std::optional<FramedPose> framed(const render::StarSample& sample, const render::Camera& camera,
                                 const FrameShape& shape) {
  const Subject subject = subject_of(sample, camera);
  if (subject.bodies.empty()) return std::nullopt;
  const glm::mat4 projection = camera.projection(shape.aspect);
  const glm::vec2 half(1 / projection[0][0], 1 / projection[1][1]);
  const bool keeps_scale = shape.keeps_scale || subject.bodies.size() <= kFewBodies;
  glm::vec4 frame(0);
  if (keeps_scale) {  // in the middle of the image, whatever is over it
    const Group everything{subject.bodies};
    const FreePart part = free_part(half, {.covered = shape.covered});
    frame.w = Box({&everything, 1}, part).distance(glm::vec3(0));
  } else {
    const FreePart part = free_part(half, shape);
    frame = fitted(subject, part);
    frame.y -= part.up * frame.w;
  }
  FramedPose result{camera.pose(), keeps_scale, !shape.keeps_scale};
  result.pose.target = glm::transpose(glm::mat3(camera.view())) * glm::vec3(frame);
  result.pose.distance = frame.w;
  if (!shape.toward) return result;
  result.pose.yaw = glm::radians(static_cast<float>(shape.toward->yaw));
  result.pose.pitch = glm::radians(static_cast<float>(shape.toward->pitch));
  return result;
}

void Framing::start(const render::Camera& camera) {
  *this = {};
  start_ = camera.pose();
}

/// Bodies from a file and those of planetary systems may be outside of the first image.
render::CameraPose Framing::goal(const FramedPose& wanted, const render::Camera& camera) {
  render::CameraPose pose = wanted.pose;
  if (!wanted.keeps_scale) {
    const float unit = camera.fitted_distance();
    pose.distance = std::clamp(pose.distance, kNearest * unit, kFarthest * unit);
    return pose;
  }
  if (first_ == 0) first_ = pose.distance;
  widest_ = std::max(widest_, pose.distance);
  const float first = wanted.starts_whole ? start_.distance : std::max(first_, start_.distance);
  pose.distance = start_.distance * std::clamp(widest_ / first, 1.0f, kWidest);
  return pose;
}

/// Measures how fast the goal moves, so that the camera does not lag behind.
void Framing::note(const render::CameraPose& goal, float seconds) {
  const render::CameraPose before = std::exchange(goal_, goal).value_or(goal);
  if (!(seconds > 0)) return;
  const float share = 1 - std::exp(-seconds / kChangeSeconds);
  const float zoom = std::log(goal.distance / before.distance) / seconds;
  const glm::vec3 pan = (goal.target - before.target) / (seconds * goal.distance);
  change_.zoom += share * (limited(zoom, kFastest) - change_.zoom);
  change_.pan += share * (limited(pan, kFastest) - change_.pan);
}

void Framing::advance(const FramedPose& wanted, float seconds, render::Camera& camera) {
  render::CameraPose pose = camera.pose();
  const render::CameraPose end = goal(wanted, camera);
  if (!(end.distance > 0)) return;
  const bool starts = std::exchange(is_new_, false) && pose == start_;
  note(end, std::isinf(seconds) ? 0 : seconds);
  if (starts || std::isinf(seconds)) {
    speed_ = change_ = {};
    return camera.set_pose(end);
  }
  const float time = std::min(seconds, kLongestFrame);
  const glm::vec3 beside = (end.target - pose.target) / pose.distance + kSettleSeconds * change_.pan;
  const float off = glm::length(beside),
              farther = pose.distance / end.distance * std::exp(-kSettleSeconds * change_.zoom);
  pose.target +=
      pose.distance * approach(off > kBeside ? beside * (1 - kBeside / off) : glm::vec3(0), speed_.pan, time);
  pose.distance *= std::exp(approach(std::log(std::clamp(farther, kNear, kFar) / farther), speed_.zoom, time));
  pose.yaw += approach(std::remainder(end.yaw - pose.yaw, glm::two_pi<float>()), speed_.yaw, time);
  pose.pitch += approach(end.pitch - pose.pitch, speed_.pitch, time);
  camera.set_pose(pose);
}

}  // namespace pericenter::app
