#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/body_field.h"
#include "sim/files/hdf5/dataset.h"
#include "sim/files/hdf5/hdf5_units.h"

namespace pericenter {

/// A quantity of one type of bodies, from one dataset.
struct Hdf5Field {
  enum class Kind { number, size, age, temperature };

  FieldInfo info;
  std::string dataset;
  std::uint64_t columns = 1, column = 0;
  Kind kind = Kind::number;  ///< size: the length of the vector; age and temperature are computed from the dataset
  double factor = 1;         ///< converts the numbers of the dataset to the unit
};

/// The numbers that a group of bodies has beside what Body has: one per body, or the size of a vector, or each of up to
/// 16 columns; the age of stars from the time of their formation, and the temperature of gas without one from its
/// internal energy.
std::vector<Hdf5Field> hdf5_fields(const Hdf5Handle& group, const Hdf5Conventions& conventions);

/// Reads the values of a field. Functions throw InputError.
class Hdf5FieldReader {
 public:
  Hdf5FieldReader(const Hdf5File& part, const Hdf5Handle& group, const Hdf5Conventions& conventions, Hdf5Field field,
                  std::uint64_t rows);

  /// NaN where a body has none.
  void read(std::uint64_t first, std::uint64_t count, std::vector<float>& out);

 private:
  double value(double number, double electrons) const;

  const Hdf5Conventions& conventions_;
  Hdf5Field field_;
  Hdf5Dataset data_, electrons_;
  std::vector<double> numbers_, electron_numbers_;
};

}  // namespace pericenter
