#include "app/view/framing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/gtc/constants.hpp>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "app/view/subject.h"

namespace pericenter::app {
namespace {

constexpr double kBeyond = 0.0125;                // share of the bodies beyond each edge of the frame
constexpr double kStray = 5e-4;                   // share of the bodies that are far out and form no tail
constexpr float kFilled = 0.88f;                  // share of the image that the others fill
constexpr float kNearest = 0.1f, kFarthest = 10;  // distances, in fitted ones
constexpr float kWidest = 3;                      // the same where the scale is kept
constexpr float kSmallest = 0.52f;                // share of the height that bodies fill beside distant nuclei
constexpr float kForNuclei = 1.35f;               // how much farther away the nuclei may take the camera
constexpr std::size_t kFewBodies = 64;

// A camera rests while its distance divided by that of its goal is between these values, and while it is beside its
// goal by less than this share of the distance.
constexpr float kNear = 0.97f, kFar = 1.12f, kBeside = 0.025f;
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
};

/// A frame around groups of places, none of which is empty.
class Box {
 public:
  /// `slopes`: of the lines of sight at the edges.
  Box(std::span<const Group> groups, const glm::vec2& slopes) : groups_(groups), slopes_(slopes) {}

  /// Distance of a camera from which they are in a frame around a point.
  float distance(const glm::vec3& middle) {
    float result = 0;
    for (const Group& group : groups_) {
      values_.clear();
      for (const glm::vec3& place : group.places) {
        const glm::vec3 at = place - middle;
        values_.push_back(at.z + std::max(std::abs(at.x) / slopes_.x, std::abs(at.y) / slopes_.y));
      }
      result = std::max(result, quantile(values_, 2 * group.outside));
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
          values_.push_back(axis < 2 ? at[axis] / std::max(1 - at.z / distance, 0.1f) : at.z);
        }
        high = std::max(high, quantile(values_, group.outside));
        low = std::min(low, quantile(values_, values_.size() - 1 - group.outside));
      }
      result[axis] += (low + high) / 2;
    }
    return result;
  }
  /// Of the first group, in heights of an image with this frame.
  float height(const glm::vec4& frame) {
    values_.clear();
    for (const glm::vec3& place : groups_.front().places) {
      const glm::vec3 at = place - glm::vec3(frame);
      values_.push_back(at.y / std::max(frame.w - at.z, 0.1f * frame.w));
    }
    const std::size_t outside = groups_.front().outside;
    const float high = quantile(values_, outside), low = quantile(values_, values_.size() - 1 - outside);
    return kFilled * (high - low) / (2 * slopes_.y);
  }

 private:
  std::span<const Group> groups_;
  glm::vec2 slopes_;
  std::vector<float> values_;
};

/// Target along the axes of the camera, and distance.
glm::vec4 fitted(Box box) {
  glm::vec3 middle = box.middle(glm::vec3(0), std::numeric_limits<float>::infinity());
  middle = box.middle(middle, box.distance(middle));
  return {middle, box.distance(middle)};
}

/// The frame of many bodies, of tails, and of the nuclei. Few stars far out are no tail.
glm::vec4 fitted(const Subject& subject, const glm::vec2& slopes) {
  const auto of = [](double share, const Places& places) {
    return static_cast<std::size_t>(share * static_cast<double>(places.size()));
  };
  const std::size_t stray = of(kStray, subject.bodies);
  std::vector<Group> groups = {{subject.bodies, of(kBeyond, subject.bodies)}};
  const std::size_t beyond = of(kBeyond, subject.tails) + stray;
  if (subject.tails.size() > 2 * beyond) groups.push_back({subject.tails, beyond});
  const glm::vec4 stars = fitted(Box(groups, slopes));
  const float most = std::max(kForNuclei, Box(groups, slopes).height(stars) / kSmallest);
  if (subject.nuclei.empty()) return stars;
  groups.push_back({subject.nuclei, 0});
  const glm::vec4 all = fitted(Box(groups, slopes));
  const float farther = all.w / stars.w;
  return farther <= most ? all : glm::mix(stars, all, (most - 1) / (farther - 1));
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
  const float height = 1 / projection[1][1];
  const glm::vec2 slopes = kFilled * glm::vec2(1 / projection[0][0], (1 - shape.covered) * height);
  const bool keeps_scale = shape.keeps_scale || subject.bodies.size() <= kFewBodies;
  const Group everything{subject.bodies};
  glm::vec4 frame =
      keeps_scale ? glm::vec4(0, 0, 0, Box({&everything, 1}, slopes).distance(glm::vec3(0))) : fitted(subject, slopes);
  if (!keeps_scale) frame.y -= shape.covered * height * frame.w;  // the distance kept is another
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
