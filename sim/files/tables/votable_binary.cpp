#include "sim/files/tables/votable_binary.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "sim/files/byte_reader.h"

namespace pericenter {
namespace {

constexpr std::size_t kMostInCell = 1 << 24, kMostInVector = 16;

/// Bytes of an element; 0: unknown.
std::size_t element_bytes(std::string_view datatype) {
  static constexpr std::pair<std::string_view, std::size_t> kBytes[] = {
      {"boolean", 1}, {"unsignedByte", 1}, {"char", 1},   {"short", 2},        {"unicodeChar", 2},   {"int", 4},
      {"float", 4},   {"long", 8},         {"double", 8}, {"floatComplex", 8}, {"doubleComplex", 16}};
  const auto found = std::ranges::find(kBytes, datatype, [](const auto& row) { return row.first; });
  return found == std::end(kBytes) ? 0 : found->second;
}

struct Cell {
  std::size_t at = 0, count = 0;
  bool is_missing = false;
};

class VotableRows {
 public:
  VotableRows(Bytes data, std::span<const VotableField> fields, bool has_marks)
      : in_(data, std::endian::big), fields_(fields), has_marks_(has_marks), cells_(fields.size()) {}

  bool next() {
    if (at_ == in_.size()) return false;
    const std::size_t begin = at_, marks = at_;
    ++row_;
    if (has_marks_) take((fields_.size() + 7) / 8);
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      const VotableField& field = fields_[k];
      std::size_t count = field.count;
      if (field.is_variable) {
        const std::size_t length = take(4);
        count = std::min<std::size_t>(in_.at<std::uint32_t>(length), kMostInCell) * field.count;
      }
      const std::size_t bytes = field.datatype == "bit" ? (count + 7) / 8 : count * element_bytes(field.datatype);
      cells_[k] = {take(bytes), count, has_marks_ && (in_.bytes()[marks + k / 8] & (0x80u >> k % 8)) != 0};
    }
    if (at_ == begin) throw InputError("The fields of the VOTable have no bytes. The file is damaged.");
    return true;
  }

  void append(std::size_t k, std::string& text) const {
    const VotableField& field = fields_[k];
    const Cell& cell = cells_[k];
    if (cell.is_missing || (cell.count == 0 && field.is_array)) {
      text += ',';
    } else if (field.datatype == "char" || field.datatype == "unicodeChar") {
      append_field(letters(cell, field.datatype == "char" ? 1 : 2), text);
    } else if (field.datatype == "boolean") {
      append_field(letters({cell.at, 1}, 1), text);
    } else if (field.is_array && cell.count <= kMostInVector) {
      std::vector<double> numbers;
      for (std::size_t i = 0; i < cell.count; ++i) numbers.push_back(real(field.datatype, cell.at, i));
      append_field(numbers, text);
    } else if (field.datatype == "float" || field.datatype == "double") {
      append_field(real(field.datatype, cell.at, 0), text);
    } else if (const std::int64_t number = whole(field.datatype, cell.at, 0); field.null == std::to_string(number)) {
      text += ',';
    } else {
      append_field(number, text);
    }
  }

 private:
  /// The place of the next bytes.
  std::size_t take(std::size_t bytes) {
    if (!in_.holds(at_, bytes))
      throw InputError("Row " + std::to_string(row_) + " of the VOTable is truncated. Copy the file again.");
    return std::exchange(at_, at_ + bytes);
  }

  std::string letters(const Cell& cell, std::size_t width) const {
    std::string text;
    for (std::size_t i = 0; i < cell.count; ++i) {
      const std::uint8_t high = width == 2 ? in_.bytes()[cell.at + 2 * i] : 0;
      const std::uint8_t low = in_.bytes()[cell.at + width * i + width - 1];
      if (high == 0 && low == 0) break;
      text += high == 0 ? static_cast<char>(low) : '?';
    }
    return text;
  }

  std::int64_t whole(std::string_view type, std::size_t at, std::size_t i) const {
    const Bytes bytes = in_.bytes();
    if (type == "unsignedByte") return bytes[at + i];
    if (type == "short") return static_cast<std::int16_t>(bytes[at + 2 * i] << 8 | bytes[at + 2 * i + 1]);
    if (type == "int") return in_.at<std::int32_t>(at + 4 * i);
    return type == "long" ? in_.at<std::int64_t>(at + 8 * i) : 0;
  }
  double real(std::string_view type, std::size_t at, std::size_t i) const {
    if (type == "double") return in_.at<double>(at + 8 * i);
    if (type == "float") return static_cast<double>(in_.at<float>(at + 4 * i));
    return static_cast<double>(whole(type, at, i));
  }

  ByteReader in_;
  std::span<const VotableField> fields_;
  bool has_marks_;
  std::vector<Cell> cells_;
  std::size_t at_ = 0, row_ = 0;
};

}  // namespace

bool VotableField::is_number() const {
  constexpr std::string_view kNumbers[] = {"unsignedByte", "short", "int", "long", "float", "double"};
  return !is_array && std::ranges::find(kNumbers, datatype) != std::end(kNumbers);
}

void VotableField::set_size(const std::string& arraysize) {
  is_array = !arraysize.empty() && arraysize != "1";
  is_variable = arraysize.ends_with('*');
  count = 1;
  const char* at = arraysize.data();
  const char* const end = at + arraysize.size();
  while (at < end) {
    std::size_t size = 1;
    const auto [next, error] = std::from_chars(at, end, size);
    // "10*" has at most 10 elements, and "2x10*" at most 10 rows of 2.
    if (error == std::errc{} && !(next < end && *next == '*')) count *= std::min(size, kMostInCell);
    if (count > kMostInCell) throw InputError("A field of the VOTable has too many elements.");
    at = (error == std::errc{} ? next : at) + 1;
  }
}

std::string votable_rows(Bytes data, std::span<const VotableField> fields, std::span<const std::size_t> used,
                         bool has_marks) {
  for (const VotableField& field : fields)
    if (element_bytes(field.datatype) == 0 && field.datatype != "bit")
      throw InputError("Field '" + field.column.name + "' has the unknown datatype '" + field.datatype + "'.");
  std::string text;
  VotableRows rows(data, fields, has_marks);
  while (rows.next()) {
    for (const std::size_t k : used) rows.append(k, text);
    end_row(text);
  }
  return text;
}

}  // namespace pericenter
