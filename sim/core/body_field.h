#pragma once

#include <span>
#include <string>
#include <vector>

namespace pericenter {

/// A quantity that the file of the bodies has for each of them: Scalar::field shows one as a colour.
struct FieldInfo {
  std::string name;  ///< name in the file: "Temperature"
  std::string unit;  ///< "K"; empty: dimensionless

  friend bool operator==(const FieldInfo&, const FieldInfo&) = default;
};

/// The field with GADGET's particle types, which vertices store as they are.
inline constexpr const char* kTypeField = "type";

/// How vertices store the values of a field: as decimal logarithms, or as (value - low) / (high - low).
struct FieldScale {
  FieldInfo field;
  bool logarithmic = false;
  double low = 0, high = 1;  ///< smallest and largest value; above 0 if logarithmic

  /// kNoScalar for NaN and, if logarithmic, for values of 0 or less.
  float stored(float value) const;
};

/// The scale for these values; logarithmic if none is negative and most differ by more than a factor of 100. NaN: the
/// body has no value.
FieldScale scale_of(const FieldInfo& field, std::span<const float> values);

/// The field that is shown, one value per body as vertices store it.
struct BodyField {
  FieldScale scale;
  std::vector<float> stored;

  /// Of values in the order of the bodies.
  BodyField(const FieldScale& scale, std::span<const float> values);
};

}  // namespace pericenter
