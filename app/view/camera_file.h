#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/camera_control.h"

namespace pericenter::app {

/// Saved views and a path.
struct Cameras {
  SavedCameras saved;
  std::vector<CameraKey> path;

  friend bool operator==(const Cameras&, const Cameras&) = default;
};

/// A camera file cannot be opened or has an invalid row; what() names the row, the problem and the valid format.
class CameraFileError : public std::runtime_error {
 public:
  CameraFileError(const std::string& message, bool is_missing) : std::runtime_error(message), missing(is_missing) {}
  bool missing;  ///< the file does not exist or is not readable
};

/// One row per view or key:
///   view,NUMBER,X,Y,Z,YAW,PITCH,DISTANCE   NUMBER 1 to 8, each at most once
///   key,SECONDS,X,Y,Z,YAW,PITCH,DISTANCE   SECONDS increasing from 0, at most kMaxCameraKeys
/// X, Y, Z: target; target and distance in scene units, angles in radians. Empty lines and lines that begin with # are
/// ignored.
std::string text_of(const Cameras& cameras);
/// Parses text_of(). `name`: of the file, for errors. Throws CameraFileError.
Cameras cameras_of(std::string_view text, const std::string& name);

/// Throws CameraFileError.
Cameras read_cameras(const std::string& path);
/// The path in the file. Throws CameraFileError, also if it has none.
std::vector<CameraKey> read_camera_path(const std::string& path);

/// Saves the views and the path for the next session.
class CameraStore {
 public:
  /// `path`: the file; empty: nothing is saved.
  explicit CameraStore(std::string path) : path_(std::move(path)) {}
  /// Loads the views and path of the last session. Returns an error message if the file is invalid and was renamed;
  /// empty otherwise.
  std::string load(CameraState& state);
  /// Writes the file if something has changed. After a FileError, which it throws once, nothing is saved.
  void save(const CameraState& state);

 private:
  std::string path_;
  Cameras saved_;
};

}  // namespace pericenter::app
