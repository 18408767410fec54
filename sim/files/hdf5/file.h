#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace pericenter {

/// The library's hid_t.
using Hdf5Id = std::int64_t;

/// Owns something that the HDF5 library has opened.
class Hdf5Handle {
 public:
  using Close = int (*)(Hdf5Id);

  Hdf5Handle() = default;
  Hdf5Handle(Hdf5Id id, Close closer) : id_(id), close_(closer) {}
  ~Hdf5Handle() { close(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  explicit operator bool() const { return id_ >= 0; }
  Hdf5Id get() const { return id_; }
  /// False when what was written is not in the file.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  Hdf5Id id_ = -1;
  Close close_ = nullptr;
};

/// While it lives, this thread may use the HDF5 library, which prints nothing: errors are what its functions return.
/// Other threads wait: not every build of the library is for several, and a child process must find it at rest.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

  /// What the system or the library says of the call that has just failed, as a clause: "No space left on device".
  std::string reason() const;

 private:
  std::unique_lock<std::mutex> lock_;
  void (*print_)() = nullptr;  ///< how errors were printed before, and with what
  void* print_data_ = nullptr;
};

/// A dataset or a group of a file; not valid when it is missing, or leads into another file.
Hdf5Handle open_hdf5_group(Hdf5Id parent, const std::string& name);
Hdf5Handle open_hdf5_dataset(Hdf5Id parent, const std::string& name, Hdf5Id access);
bool has_hdf5_link(Hdf5Id parent, const std::string& name);

/// The numbers of an attribute, whatever their type and shape; empty when there is none, or none of at most 64 numbers.
std::vector<double> hdf5_numbers(Hdf5Id object, const std::string& name);
std::vector<std::uint64_t> hdf5_counts(Hdf5Id object, const std::string& name);
/// The text of an attribute of a fixed length; empty when there is none.
std::string hdf5_text(Hdf5Id object, const std::string& name);

// They throw std::runtime_error that names the attribute.
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, const std::string& text);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, double number);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, std::uint64_t number);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, const std::vector<double>& numbers);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name,
              const std::vector<std::uint32_t>& numbers);

}  // namespace pericenter
