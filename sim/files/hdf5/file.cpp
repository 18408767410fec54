#include "sim/files/hdf5/file.h"

#include <hdf5.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace pericenter {
namespace {

static_assert(sizeof(hid_t) == sizeof(Hdf5Id));

constexpr hssize_t kMaxNumbers = 64;           ///< limit per attribute; relevant attributes have fewer
constexpr std::size_t kLongestText = 1 << 20;  ///< bytes

/// One for the process, like the library.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Once for the process.
bool library_prepared() {
  static const bool done = [] {
    // Files are closed by their owners. At exit the library would print errors for files that a full disk kept open.
    H5dont_atexit();
    // A link to another file could read any of the user's files, or wait for a pipe. None is ever followed, not even
    // at the end of a soft link.
    return H5Lunregister(H5L_TYPE_EXTERNAL) >= 0;
  }();
  return done;
}

/// Called for each level of the error stack, innermost first: finds the error of the system, or else the first level.
herr_t find_reason(unsigned, const H5E_error2_t* error, void* data) {
  const std::string text = error->desc != nullptr ? error->desc : "";
  std::string& reason = *static_cast<std::string*>(data);
  const std::string mark = "error message = '";
  if (const std::size_t at = text.find(mark); at != std::string::npos) {
    const std::size_t begin = at + mark.size();
    reason = text.substr(begin, text.find('\'', begin) - begin);
    return 1;
  }
  if (reason.empty()) reason = text;
  return 0;
}

struct Attribute {
  Hdf5Handle handle, space;
  hssize_t count = 0;  ///< 0: missing or not supported
};

Attribute open_attribute(Hdf5Id object, const std::string& name) {
  Attribute attribute;
  if (H5Aexists(object, name.c_str()) <= 0) return attribute;
  attribute.handle = {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose};
  if (!attribute.handle) return attribute;
  attribute.space = {H5Aget_space(attribute.handle.get()), H5Sclose};
  if (!attribute.space || H5Sget_simple_extent_type(attribute.space.get()) == H5S_NULL) return attribute;
  const hssize_t count = H5Sget_simple_extent_npoints(attribute.space.get());
  if (count >= 1 && count <= kMaxNumbers) attribute.count = count;
  return attribute;
}

template <class Number>
std::vector<Number> numbers_of(Hdf5Id object, const std::string& name, Hdf5Id type) {
  const Attribute attribute = open_attribute(object, name);
  if (attribute.count == 0) return {};
  const Hdf5Handle stored(H5Aget_type(attribute.handle.get()), H5Tclose);
  const H5T_class_t kind = stored ? H5Tget_class(stored.get()) : H5T_NO_CLASS;
  // h5py stores booleans as an enumeration.
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM) return {};
  std::vector<Number> numbers(static_cast<std::size_t>(attribute.count));
  if (H5Aread(attribute.handle.get(), type, numbers.data()) < 0) return {};
  return numbers;
}

void put(const Hdf5Session& session, Hdf5Id object, const std::string& name, Hdf5Id type, const Hdf5Handle& space,
         const void* data) {
  const Hdf5Handle attribute(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute || H5Awrite(attribute.get(), type, data) < 0) {
    throw std::runtime_error("attribute '" + name + "' cannot be written: " + session.reason() + ".");
  }
}

Hdf5Handle row_of(std::size_t count) {
  const hsize_t extent = count;
  return {H5Screate_simple(1, &extent, nullptr), H5Sclose};
}

}  // namespace

Hdf5Session::Hdf5Session() {
  library_prepared();
  lock_ = std::unique_lock(library_mutex());
  H5E_auto2_t print = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &print, &print_data_);
  print_ = reinterpret_cast<void (*)()>(print);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() {
  H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(print_), print_data_);
}

std::string Hdf5Session::reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_reason, &reason);
  if (reason.find("version number") != reason.npos)
    reason += ". A newer HDF5 library wrote the file: write it again, in h5py with libver='v110' or without libver";
  return reason.empty() ? "unknown error of the HDF5 library" : reason;
}

bool has_hdf5_link(Hdf5Id parent, const std::string& name) {
  if (H5Lexists(parent, name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_info_t info;
  if (H5Lget_info(parent, name.c_str(), &info, H5P_DEFAULT) < 0) return false;
  return info.type == H5L_TYPE_HARD || info.type == H5L_TYPE_SOFT;
}

Hdf5Handle open_hdf5_group(Hdf5Id parent, const std::string& name) {
  if (!has_hdf5_link(parent, name)) return {};
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose};
}

Hdf5Handle open_hdf5_dataset(Hdf5Id parent, const std::string& name, Hdf5Id access) {
  if (!has_hdf5_link(parent, name)) return {};
  return {H5Dopen2(parent, name.c_str(), access), H5Dclose};
}

std::vector<double> hdf5_numbers(Hdf5Id object, const std::string& name) {
  return numbers_of<double>(object, name, H5T_NATIVE_DOUBLE);
}

std::vector<std::uint64_t> hdf5_counts(Hdf5Id object, const std::string& name) {
  // HDF5 converts a number out of range to the nearest one in range. The largest integer is rounded up to the limit.
  constexpr double kLimit = 18446744073709551616.0;
  std::vector<std::uint64_t> counts = numbers_of<std::uint64_t>(object, name, H5T_NATIVE_UINT64);
  for (const double number : hdf5_numbers(object, name)) {
    if (!(number >= 0 && number <= kLimit)) counts.clear();
  }
  return counts;
}

std::string hdf5_text(Hdf5Id object, const std::string& name) {
  const Attribute attribute = open_attribute(object, name);
  if (attribute.count != 1) return {};
  const Hdf5Handle type(H5Aget_type(attribute.handle.get()), H5Tclose);
  const H5T_class_t kind = type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  if (kind != H5T_STRING && kind != H5T_OPAQUE) return {};
  std::string text;
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) > 0) {
    char* found = nullptr;
    if (H5Aread(attribute.handle.get(), type.get(), &found) < 0 || found == nullptr) return {};
    text.assign(found, strnlen(found, kLongestText));
    H5Dvlen_reclaim(type.get(), attribute.space.get(), H5P_DEFAULT, &found);
  } else {
    text.resize(std::min(H5Tget_size(type.get()), kLongestText + 1));
    if (text.size() > kLongestText || H5Aread(attribute.handle.get(), type.get(), text.data()) < 0) return {};
  }
  text.resize(std::min(text.find('\0'), text.size()));
  text.resize(text.find_last_not_of(' ') + 1);  // Fortran pads strings with spaces
  return text;
}

std::optional<double> hdf5_number(Hdf5Id file, std::initializer_list<const char*> groups, const std::string& name) {
  for (const char* const group : groups) {
    const Hdf5Handle opened = open_hdf5_group(file, group);
    if (!opened) continue;
    if (const std::vector<double> numbers = hdf5_numbers(opened.get(), name); !numbers.empty()) return numbers[0];
    const std::string text = hdf5_text(opened.get(), name);
    double value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc()) return value;
  }
  return std::nullopt;
}

Hdf5Handle make_hdf5_group(const Hdf5Session& session, Hdf5Id file, const std::string& name) {
  Hdf5Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group) throw std::runtime_error("group /" + name + " cannot be written: " + session.reason() + ".");
  return group;
}

void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  put(session, object, name, type.get(), {H5Screate(H5S_SCALAR), H5Sclose}, text.c_str());
}

void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, double number) {
  put(session, object, name, H5T_NATIVE_DOUBLE, {H5Screate(H5S_SCALAR), H5Sclose}, &number);
}

void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, std::uint64_t number) {
  put(session, object, name, H5T_NATIVE_UINT64, {H5Screate(H5S_SCALAR), H5Sclose}, &number);
}

void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name, const std::vector<double>& numbers) {
  put(session, object, name, H5T_NATIVE_DOUBLE, row_of(numbers.size()), numbers.data());
}

void put_hdf5(const Hdf5Session& session, Hdf5Id object, const std::string& name,
              const std::vector<std::uint32_t>& numbers) {
  put(session, object, name, H5T_NATIVE_UINT32, row_of(numbers.size()), numbers.data());
}

}  // namespace pericenter
