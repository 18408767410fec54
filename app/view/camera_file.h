#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/camera_control.h"

namespace pericenter::app {

/// Views that were kept, and a path.
struct Cameras {
  SavedCameras saved;
  std::vector<CameraKey> path;

  friend bool operator==(const Cameras&, const Cameras&) = default;
};

/// A file of cameras cannot be opened or has a wrong row; what() says which row, what is wrong with it, and what is
/// right.
class CameraFileError : public std::runtime_error {
 public:
  CameraFileError(const std::string& message, bool is_missing) : std::runtime_error(message), missing(is_missing) {}
  bool missing;  ///< there is no such file, or it may not be read
};

/// One row a view or key, as its first line explains:
///   view,NUMBER,X,Y,Z,YAW,PITCH,DISTANCE   NUMBER 1 to 8, each at most once
///   key,SECONDS,X,Y,Z,YAW,PITCH,DISTANCE   SECONDS from 0 and rising, at most kMaxCameraKeys
/// X, Y, Z: the target, and the distance from it, in the scene's units; angles in radians. Lines that are empty or
/// begin with # are left out.
std::string text_of(const Cameras& cameras);
/// Reads what text_of() wrote. Throws CameraFileError, with `name` as that of the file.
Cameras cameras_of(std::string_view text, const std::string& name);

/// Throws CameraFileError.
Cameras read_cameras(const std::string& path);
/// The path in the file, which must have one. Throws CameraFileError.
std::vector<CameraKey> read_camera_path(const std::string& path);

/// Keeps the views and the path of a session for the next.
class CameraStore {
 public:
  /// Kept in this file; an empty name keeps nothing.
  explicit CameraStore(std::string path) : path_(std::move(path)) {}
  /// Reads what the last session kept. Returns what is wrong with the file, which was then set aside, or an empty text.
  std::string load(CameraState& state);
  /// Writes the file if something has changed. Throws FileError once; then nothing is kept any more.
  void keep(const CameraState& state);

 private:
  std::string path_;
  Cameras kept_;
};

}  // namespace pericenter::app
