#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/hdf5/sandboxed_read.h"
#include "sim/files/tables/table_text.h"

#if __has_include(<fitsio.h>)
#include <fitsio.h>
#endif

namespace pericenter {
namespace {

#if __has_include(<fitsio.h>)

constexpr std::size_t kRowsPerMessage = 1024, kMostElements = 16;

bool is_fits_number(int type) {
  constexpr std::array kNumbers = {TBYTE, TSBYTE, TSHORT,    TUSHORT,    TINT,   TUINT,
                                   TLONG, TULONG, TLONGLONG, TULONGLONG, TFLOAT, TDOUBLE};
  return std::ranges::find(kNumbers, type) != kNumbers.end();
}

/// A table or an image of a file in memory, which CFITSIO reads: no name of a file reaches it, because its names can
/// contain commands.
class FitsFile {
 public:
  /// The library reads whole blocks, also where the last one is not complete.
  explicit FitsFile(Bytes bytes) : size_(bytes.size()) {
    constexpr std::size_t kBlock = 2880;
    if (const std::size_t rest = size_ % kBlock; rest > 0) {
      padded_.assign(bytes.begin(), bytes.end());
      padded_.resize(size_ + kBlock - rest);
      bytes = padded_;
    }
    data_ = const_cast<std::uint8_t*>(bytes.data());
    memory_ = bytes.size();
    int status = 0;
    fits_open_memfile(&file_, "", READONLY, &data_, &memory_, 0, nullptr, &status);
    check(status);
  }
  ~FitsFile() {
    int status = 0;
    if (file_) fits_close_file(file_, &status);
  }
  FitsFile(const FitsFile&) = delete;

  operator fitsfile*() const { return file_; }

  /// Throws InputError if the library reports a problem.
  static void check(int status) {
    if (status == 0) return;
    char text[FLEN_STATUS] = {};
    fits_get_errstatus(status, text);
    throw InputError("The FITS file is damaged: " + std::string(text) + ". Copy it again.");
  }

  /// Moves to a part of the file, from 1. The library only warns of rows that are not as long as their columns.
  bool move_to_table(int part) const {
    int type = 0, status = 0;
    char warning[FLEN_ERRMSG] = {};
    fits_clear_errmsg();
    check(fits_movabs_hdu(file_, part, &type, &status));
    if (type != IMAGE_HDU && fits_read_errmsg(warning) != 0)
      throw InputError("The FITS file is damaged: " + std::string(warning) + ". Copy it again.");
    return type != IMAGE_HDU;
  }
  /// The number of rows. The library reads zeros after the end of a file.
  LONGLONG rows() const {
    LONGLONG rows = 0, width = 0, header = 0, data = 0, end = 0;
    int status = 0;
    fits_get_num_rowsll(file_, &rows, &status);
    fits_read_key(file_, TLONGLONG, "NAXIS1", &width, nullptr, &status);
    check(fits_get_hduaddrll(file_, &header, &data, &end, &status));
    const auto size = static_cast<LONGLONG>(size_);
    if (width < 1 || rows < 0 || data > size || rows > (size - data) / width)
      throw InputError("The FITS file is truncated: its header declares " + std::to_string(rows) + " rows of " +
                       std::to_string(width) + " bytes. Copy it again.");
    return rows;
  }
  /// A keyword as text; empty if there is none.
  std::string text(const std::string& key) const {
    char value[FLEN_VALUE] = {};
    int status = 0;
    return fits_read_key(file_, TSTRING, key.c_str(), value, nullptr, &status) == 0 ? value : "";
  }
  std::vector<TableColumn> columns() const {
    int count = 0, status = 0;
    check(fits_get_num_cols(file_, &count, &status));
    std::vector<TableColumn> columns;
    for (int k = 1; k <= count; ++k) {
      int type = 0;
      LONGLONG repeat = 0, width = 0;
      status = 0;
      const bool is_known = fits_get_eqcoltypell(file_, k, &type, &repeat, &width, &status) == 0;
      columns.push_back({text("TTYPE" + std::to_string(k)), text("TUNIT" + std::to_string(k)),
                         is_known && is_fits_number(type) && repeat == 1});
    }
    return columns;
  }

 private:
  fitsfile* file_ = nullptr;
  void* data_ = nullptr;
  std::size_t size_, memory_ = 0;
  std::vector<std::uint8_t> padded_;
};

/// The values of one column in some rows.
class FitsColumn {
 public:
  FitsColumn(const FitsFile& file, std::size_t index, const std::string& name)
      : file_(file), number_(static_cast<int>(index) + 1), name_(name) {
    int status = 0;
    FitsFile::check(fits_get_eqcoltypell(file, number_, &type_, &repeat_, &width_, &status));
    if (type_ != TSTRING && (!is_fits_number(type_) || repeat_ < 1 || repeat_ > static_cast<LONGLONG>(kMostElements)))
      throw InputError("Column '" + name + "' holds neither numbers nor text" +
                       (type_ < 0 ? " but arrays of any length." : ".") + " Save the table without it.");
    if (type_ == TSTRING) width_ = std::min<LONGLONG>(std::max<LONGLONG>(repeat_, width_), 1 << 16);
  }

  void read(LONGLONG row, std::size_t rows) {
    const std::size_t count = type_ == TSTRING ? rows : rows * static_cast<std::size_t>(repeat_);
    missing_.assign(count, 0);
    if (type_ == TSTRING) return read_text(row, rows);
    if (type_ == TFLOAT || type_ == TDOUBLE || repeat_ > 1)
      read_as(TDOUBLE, row, reals_, count);
    else if (type_ == TULONGLONG)
      read_as(TULONGLONG, row, naturals_, count);
    else
      read_as(TLONGLONG, row, wholes_, count);
  }

  void append(std::size_t row, std::string& text) const {
    if (repeat_ > 1 && type_ != TSTRING)
      append_field(
          std::span(reals_).subspan(row * static_cast<std::size_t>(repeat_), static_cast<std::size_t>(repeat_)), text);
    else if (missing_[row])
      text += ',';
    else if (!reals_.empty())
      append_field(reals_[row], text);
    else if (!wholes_.empty())
      append_field(static_cast<std::int64_t>(wholes_[row]), text);
    else if (!naturals_.empty())
      append_field(static_cast<std::uint64_t>(naturals_[row]), text);
    else
      append_field(std::string_view(&letters_[row * row_bytes()]), text);
  }

 private:
  std::size_t row_bytes() const { return static_cast<std::size_t>(width_) + 1; }

  template <class Number>
  void read_as(int type, LONGLONG row, std::vector<Number>& values, std::size_t count) {
    values.resize(count);
    int any = 0, status = 0;
    fits_read_colnull(file_, type, number_, row, 1, static_cast<LONGLONG>(count), values.data(), missing_.data(), &any,
                      &status);
    FitsFile::check(status);
  }

  void read_text(LONGLONG row, std::size_t rows) {
    letters_.assign(rows * row_bytes(), '\0');
    std::vector<char*> fields(rows);
    for (std::size_t k = 0; k < rows; ++k) fields[k] = &letters_[k * row_bytes()];
    int any = 0, status = 0;
    fits_read_colnull(file_, TSTRING, number_, row, 1, static_cast<LONGLONG>(rows), fields.data(), missing_.data(),
                      &any, &status);
    FitsFile::check(status);
  }

  const FitsFile& file_;
  int number_, type_ = 0;
  std::string name_;
  LONGLONG repeat_ = 0, width_ = 0;
  std::vector<double> reals_;
  std::vector<LONGLONG> wholes_;
  std::vector<ULONGLONG> naturals_;
  std::vector<char> letters_, missing_;
};

struct FitsTable {
  std::string title;
  std::vector<TableColumn> columns;
  TableChoice choice;
};

/// Moves to the first table of bodies. Throws InputError if there is none.
FitsTable first_table(const FitsFile& file, const std::string& wanted) {
  int count = 0, status = 0;
  FitsFile::check(fits_get_num_hdus(file, &count, &status));
  std::string problem;
  for (int k = 1; k <= count; ++k) {
    if (!file.move_to_table(k)) continue;
    if (file.text("ZTABLE") == "T")
      throw InputError("The FITS table is compressed by fpack. Unpack it with funpack and open the result.");
    try {
      FitsTable table{"FITS table", file.columns(), {}};
      table.choice = choose_columns(table.columns, wanted);
      if (const std::string name = file.text("EXTNAME"); !name.empty()) table.title += " " + name;
      if (count > 2) table.title += " (part " + std::to_string(k) + " of " + std::to_string(count) + ")";
      return table;
    } catch (const InputError& error) {
      if (problem.empty()) problem = error.what();
    }
  }
  if (!problem.empty()) throw InputError(problem);
  throw InputError(
      "This is a FITS image, without a table of bodies. Save positions and velocities as a table, for example with "
      "Astropy: Table(...).write('bodies.fits').");
}

Bytes as_message(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Sends the title of the table, then its text.
void send_table(Bytes bytes, const std::string& wanted, const SendBytes& send) {
  const FitsFile file(bytes);
  const FitsTable table = first_table(file, wanted);
  send({as_message(table.title)});
  std::string text = table.choice.headings;
  std::vector<FitsColumn> columns;
  for (const std::size_t k : table.choice.columns) columns.emplace_back(file, k, table.columns[k].name);
  const LONGLONG rows = file.rows();
  for (LONGLONG row = 0; row < rows; row += kRowsPerMessage) {
    const std::size_t count = std::min<std::size_t>(kRowsPerMessage, static_cast<std::size_t>(rows - row));
    for (FitsColumn& column : columns) column.read(row + 1, count);
    for (std::size_t k = 0; k < count; ++k) {
      for (const FitsColumn& column : columns) column.append(k, text);
      end_row(text);
    }
    send({as_message(text)});
    text.clear();
  }
  if (!text.empty()) send({as_message(text)});
}

/// The table in a child process, because a damaged file may crash the library; see sandboxed_read().
Snapshot read_fits(Bytes bytes, const ReadOptions& options) {
  std::string title, text;
  const auto portion = [&](double share) {
    if (options.progress && !options.progress(share)) throw SceneCancelled{};
  };
  sandboxed_read(
      bytes.size(), [&](const SendBytes& send) { send_table(bytes, options.field, send); },
      [&](Bytes message) {
        (title.empty() ? title : text).append(message.begin(), message.end());
        portion(std::min(0.5, static_cast<double>(text.size()) / static_cast<double>(4 * bytes.size())));
      });
  return read_table_text(text, title, options);
}

#else

Snapshot read_fits(Bytes, const ReadOptions&) {
  throw InputError(
      "This is a FITS file, which this build of Pericenter does not read, because CFITSIO was missing (Debian: "
      "libcfitsio-dev). Save the table as ECSV, for example with Astropy: Table.read('FILE').write('bodies.ecsv').");
}

#endif

/// FITS standard 4.0, section 4.4.1.
bool is_fits(const FileHead& head) {
  const std::string_view text(reinterpret_cast<const char*>(head.first.data()), head.first.size());
  return text.starts_with("SIMPLE  =");
}

}  // namespace

FileFormat fits_format() {
  return {.name = "fits",
          .title = "FITS table",
          .summary = "Binary and ASCII tables of Astropy, TOPCAT, the Gaia archive and others, with columns as in CSV.",
          .matches = is_fits,
          .read = read_fits};
}

}  // namespace pericenter
