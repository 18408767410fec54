#include "app/view/camera_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"

namespace pericenter::app {
namespace {

constexpr const char* kHeader =
    "# Cameras of Pericenter: view,NUMBER or key,SECONDS, then target x,y,z, yaw and pitch in radians, distance\n";
constexpr std::size_t kNumbers = 7;  // numbers in a row
constexpr std::size_t kMaxBytes = 1 << 20;

std::string pose_text(const render::CameraPose& pose) {
  std::string row;
  for (const float number : {pose.target.x, pose.target.y, pose.target.z, pose.yaw, pose.pitch, pose.distance})
    row.append(",").append(exact(number));
  return row.append("\n");
}

/// One row of a file, with its position for errors.
class Row {
 public:
  Row(std::string_view line, std::size_t number, const std::string& file) : line_(line), number_(number), file_(file) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw CameraFileError(text("%s, line %zu: ", file_.c_str(), number_) + what + ".", false);
  }

  /// The text before the next comma.
  std::string_view next() {
    const std::size_t comma = line_.find(',');
    const std::string_view word = line_.substr(0, comma);
    line_ = comma == line_.npos ? std::string_view() : line_.substr(comma + 1);
    return word;
  }

  std::array<double, kNumbers> numbers() {
    if (std::count(line_.begin(), line_.end(), ',') != kNumbers - 1)
      fail("a row must be view,NUMBER or key,SECONDS, then x,y,z,yaw,pitch,distance");
    std::array<double, kNumbers> values = {};
    for (double& value : values) {
      const std::string_view word = next();
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(static_cast<float>(value)))
        fail(std::string("expected a number such as -1.25, not '").append(word) + "'");
    }
    return values;
  }

 private:
  std::string_view line_;
  std::size_t number_;
  const std::string& file_;
};

render::CameraPose pose_of(const std::array<double, kNumbers>& numbers, const Row& row) {
  const auto number = [&](int k) { return static_cast<float>(numbers[k]); };
  if (std::abs(number(5)) > glm::half_pi<float>()) row.fail("the pitch must be between -1.5708 and 1.5708");
  if (!(std::isnormal(number(6)) && number(6) > 0)) row.fail("the distance must be larger than 0");
  return {{number(1), number(2), number(3)}, number(4), number(5), number(6)};
}

void add_view(const std::array<double, kNumbers>& numbers, const Row& row, Cameras& cameras) {
  const double number = numbers[0];
  if (!(number >= 1 && number <= kSavedCameras) || number != std::floor(number))
    row.fail("the number of a view must be from 1 to 8");
  auto& place = cameras.saved[static_cast<std::size_t>(number) - 1];
  if (place) row.fail("there are two views with this number; remove one");
  place = pose_of(numbers, row);
}

void add_key(const std::array<double, kNumbers>& numbers, const Row& row, Cameras& cameras) {
  std::vector<CameraKey>& path = cameras.path;
  if (path.empty() && numbers[0] != 0) row.fail("the first key must be at 0 seconds");
  if (!path.empty() && !(numbers[0] > path.back().time)) row.fail("the seconds of the keys must increase");
  if (path.size() == kMaxCameraKeys) row.fail(text("a path has at most %zu keys", kMaxCameraKeys));
  path.push_back({numbers[0], pose_of(numbers, row)});
}

}  // namespace

std::string text_of(const Cameras& cameras) {
  std::string rows = kHeader;
  for (std::size_t k = 0; k < cameras.saved.size(); ++k)
    if (cameras.saved[k]) rows.append("view,").append(exact(k + 1)).append(pose_text(*cameras.saved[k]));
  for (const CameraKey& key : cameras.path) rows.append("key,").append(exact(key.time)).append(pose_text(key.pose));
  return rows;
}

Cameras cameras_of(std::string_view text, const std::string& name) {
  Cameras cameras;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    Row row(line, number, name);
    const std::string_view kind = row.next();
    if (kind == "view")
      add_view(row.numbers(), row, cameras);
    else if (kind == "key")
      add_key(row.numbers(), row, cameras);
    else
      row.fail(std::string("a row must begin with view or key, not with '").append(kind.substr(0, 20)) + "'");
  }
  return cameras;
}

Cameras read_cameras(const std::string& path) {
  const std::optional<std::string> bytes = first_bytes(path, kMaxBytes + 1);
  if (!bytes) throw CameraFileError("Cannot read " + path + ": the file does not exist or is not readable.", true);
  if (bytes->size() > kMaxBytes)
    throw CameraFileError(path + " is larger than 1 MiB, so it is not a camera file.", false);
  return cameras_of(*bytes, path);
}

std::vector<CameraKey> read_camera_path(const std::string& path) {
  Cameras cameras = read_cameras(path);
  if (cameras.path.size() < 2)
    throw CameraFileError(path + " has no path; a path needs at least two rows that begin with key.", false);
  return std::move(cameras.path);
}

std::string CameraStore::load(CameraState& state) {
  std::error_code error;
  if (path_.empty() || !std::filesystem::exists(path_, error)) return {};
  try {
    saved_ = read_cameras(path_);
  } catch (const CameraFileError& problem) {
    return problem.what() + (" " + set_aside(path_));
  }
  state.saved = saved_.saved;
  state.path = saved_.path;
  return {};
}

void CameraStore::save(const CameraState& state) {
  Cameras now{state.saved, state.path};
  if (path_.empty() || now == saved_) return;
  const std::string bytes = text_of(now);
  const std::string path = std::exchange(path_, {});
  write_file(path, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  path_ = path;
  saved_ = std::move(now);
}

}  // namespace pericenter::app
