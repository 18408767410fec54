#pragma once

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pericenter {

/// Same type as hid_t of the library.
using Hdf5Id = std::int64_t;

/// Owns an object opened by the HDF5 library.
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
  /// Returns false if written data did not reach the file.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  Hdf5Id id_ = -1;
  Close close_ = nullptr;
};

/// Exclusive access to the HDF5 library for the current thread, with error messages of the library disabled. Other
/// threads block: not all builds of the library are thread-safe, and a child process must not inherit one in use.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

  /// The reason of the last failed call from the system or the library, such as "No space left on device".
  static std::string reason();

 private:
  std::unique_lock<std::mutex> lock_;
  void (*print_)() = nullptr;  ///< previous error handler and its data
  void* print_data_ = nullptr;
};

/// A dataset or a group; invalid if it is missing or in another file.
Hdf5Handle open_hdf5_group(Hdf5Id parent, const std::string& name);
Hdf5Handle open_hdf5_dataset(Hdf5Id parent, const std::string& name, Hdf5Id access);
bool has_hdf5_link(Hdf5Id parent, const std::string& name);

/// The values of a numeric attribute of any type and shape; empty if it does not exist or has more than 64 values.
std::vector<double> hdf5_numbers(Hdf5Id object, const std::string& name);
std::vector<std::uint64_t> hdf5_counts(Hdf5Id object, const std::string& name);
/// The text of an attribute, which is a string of any kind or opaque bytes; empty if there is none.
std::string hdf5_text(Hdf5Id object, const std::string& name);
/// First value of an attribute in the first group that has it. SWIFT stores parameters as text.
std::optional<double> hdf5_number(Hdf5Id file, std::initializer_list<const char*> groups, const std::string& name);

/// Makes a group. Throws a std::runtime_error that names it.
Hdf5Handle make_hdf5_group(const Hdf5Session& session, Hdf5Id file, const std::string& name);

// Write an attribute. They throw a std::runtime_error that names it.
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, const std::string& text);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, double number);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, std::uint64_t number);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, const std::vector<double>& numbers);
void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name,
              const std::vector<std::uint32_t>& numbers);

}  // namespace pericenter
