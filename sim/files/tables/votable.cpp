#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/tables/table_text.h"
#include "sim/files/tables/votable_binary.h"
#include "sim/files/trimmed.h"

#if __has_include(<expat.h>)
#include <expat.h>
#endif

namespace pericenter {
namespace {

#if __has_include(<expat.h>)

constexpr std::size_t kPortion = 1 << 20, kMostFields = 10'000;
constexpr std::string_view kXmlBlanks = " \t\r\n";

std::string attribute(const char** attributes, std::string_view name) {
  for (; *attributes; attributes += 2)
    if (attributes[0] == name) return attributes[1];
  return {};
}

/// Without the prefix of a namespace.
std::string_view local_name(std::string_view name) {
  return name.substr(name.find(':') + 1);
}

class Base64 {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      const std::size_t digit = kDigits.find(c);
      if (digit == kDigits.npos) continue;  // line ends and padding
      bits_ = bits_ << 6 | static_cast<std::uint32_t>(digit);
      if ((count_ = (count_ + 6) % 8) != 6) bytes_.push_back(static_cast<std::uint8_t>(bits_ >> count_));
    }
  }
  Bytes bytes() const { return bytes_; }

 private:
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t bits_ = 0;
  unsigned count_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// Takes the first table of bodies as text from the events of the parser.
class Votable {
 public:
  explicit Votable(const std::string& wanted) : wanted_(wanted) {}

  void start(std::string_view name, const char** attributes) {
    if (name == "TABLE" && !is_used()) {
      fields_.clear();
      title_ = attribute(attributes, "name");
    } else if (name == "FIELD" && !is_used()) {
      add_field(attributes);
    } else if (name == "VALUES" && !fields_.empty() && in_field_) {
      if (const std::string null = attribute(attributes, "null"); !null.empty()) fields_.back().null = null;
    } else if (name == "DATA" && !is_used()) {
      choose();
    } else if (name == "STREAM" && is_used()) {
      if (!attribute(attributes, "href").empty())
        throw InputError("The rows of this VOTable are in another file (STREAM href). Save it as one file.");
    } else if (name == "FITS" && is_used()) {
      throw InputError("The rows of this VOTable are in FITS. Save it as a FITS table or in the form TABLEDATA.");
    } else if (name == "INFO" && attribute(attributes, "name") == "QUERY_STATUS") {
      failed_ = attribute(attributes, "value") == "ERROR";
    } else if (name == "TR") {
      cells_.assign(used_.size(), "");
      cell_ = 0;
    }
    if (name == "TD" || name == "STREAM" || name == "INFO") text_.clear();
    in_stream_ = is_used() && name == "STREAM";
    in_text_ = (is_used() && name == "TD") || (failed_ && name == "INFO");
  }

  void characters(std::string_view text) {
    if (in_stream_) data_.add(text);
    if (in_text_) text_ += text;
  }

  /// Whether the table is complete.
  bool end(std::string_view name) {
    if (name == "FIELD") in_field_ = false;
    if (name == "INFO" && failed_ && problem_.empty()) problem_ = "The archive reports an error: " + text_;
    if (!is_used()) return false;
    if (name == "TD") end_cell();
    if (name == "TR") {
      for (const std::string& cell : cells_) append_field(std::string_view(cell), rows_);
      end_row(rows_);
    }
    if (name == "BINARY" || name == "BINARY2") rows_ += votable_rows(data_.bytes(), fields_, used_, name == "BINARY2");
    in_stream_ = in_text_ = false;
    return name == "TABLE" || name == "DATA";
  }

  /// Throws InputError if there is no table of bodies.
  std::string take_rows() {
    if (is_used()) return std::move(rows_);
    throw InputError(problem_.empty() ? "This VOTable has no table with rows." : problem_);
  }
  std::string format() const { return title_.empty() ? "VOTable" : "VOTable " + title_; }

 private:
  bool is_used() const { return !used_.empty(); }

  void add_field(const char** attributes) {
    if (fields_.size() == kMostFields) throw InputError("The VOTable has more than 10,000 fields.");
    VotableField field;
    field.column = {attribute(attributes, "name"), attribute(attributes, "unit")};
    if (field.column.name.empty()) field.column.name = attribute(attributes, "ID");
    field.datatype = attribute(attributes, "datatype");
    field.set_size(attribute(attributes, "arraysize"));
    fields_.push_back(field);
    in_field_ = true;
  }

  /// Whether the bodies are in this table.
  void choose() {
    std::vector<TableColumn> columns;
    for (const VotableField& field : fields_)
      columns.push_back({field.column.name, field.column.unit, field.is_number()});
    try {
      auto [used, headings] = choose_columns(columns, wanted_);
      used_ = std::move(used);
      rows_ = std::move(headings);
      cells_.assign(used_.size(), "");  // a damaged file may have cells without a row
    } catch (const InputError& error) {
      if (problem_.empty()) problem_ = error.what();
    }
  }

  void end_cell() {
    const std::size_t k = cell_++;
    const auto place = std::ranges::find(used_, k);
    if (place == used_.end()) return;
    const std::string_view text = trimmed(text_, kXmlBlanks);
    const bool is_missing = text == "NaN" || (k < fields_.size() && fields_[k].null == text);
    if (!is_missing) cells_[static_cast<std::size_t>(place - used_.begin())] = text;
  }

  const std::string& wanted_;
  std::vector<VotableField> fields_;
  std::vector<std::size_t> used_;  ///< empty: no table of bodies was found so far
  std::string title_, text_, rows_, problem_;
  std::vector<std::string> cells_;
  std::size_t cell_ = 0;
  bool in_field_ = false, in_stream_ = false, in_text_ = false, failed_ = false;
  Base64 data_;
};

/// Expat (C) calls these functions, so no exception may leave them.
class VotableParser {
 public:
  explicit VotableParser(const std::string& wanted)
      : parser_(XML_ParserCreate(nullptr), XML_ParserFree), table_(wanted) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          of(self).handle([&](Votable& table) { table.start(local_name(name), attributes); });
        },
        [](void* self, const char* name) {
          of(self).handle([&](Votable& table) {
            if (table.end(local_name(name))) of(self).stop();
          });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int length) {
      of(self).handle([&](Votable& table) { table.characters({text, static_cast<std::size_t>(length)}); });
    });
    // A VOTable has no entities of its own; a hostile file could expand them without end.
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char*, int, const char*, int, const char*, const char*,
                                               const char*, const char*) {
      of(self).handle([](Votable&) { throw InputError("The file declares entities, unlike a VOTable."); });
    });
  }

  Votable& read(Bytes bytes, const ReadOptions& options) {
    for (std::size_t at = 0; at < bytes.size() && !complete_;) {
      if (options.progress && !options.progress(0.5 * static_cast<double>(at) / static_cast<double>(bytes.size())))
        throw SceneCancelled{};
      const std::size_t size = std::min(kPortion, bytes.size() - at);
      const auto state = XML_Parse(parser_.get(), reinterpret_cast<const char*>(bytes.data() + at),
                                   static_cast<int>(size), at + size == bytes.size());
      if (problem_) std::rethrow_exception(problem_);
      if (state == XML_STATUS_ERROR && !complete_) throw error();
      at += size;
    }
    return table_;
  }

 private:
  static VotableParser& of(void* self) { return *static_cast<VotableParser*>(self); }

  template <class Work>
  void handle(const Work& work) {
    if (problem_ || complete_) return;
    try {
      work(table_);
    } catch (...) {
      problem_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }
  void stop() {
    complete_ = true;
    XML_StopParser(parser_.get(), XML_FALSE);
  }
  InputError error() const {
    return InputError("Line " + std::to_string(XML_GetCurrentLineNumber(parser_.get())) + ": " +
                      XML_ErrorString(XML_GetErrorCode(parser_.get())) +
                      ". The VOTable is damaged or incomplete; save or copy it again.");
  }

  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  Votable table_;
  std::exception_ptr problem_;
  bool complete_ = false;
};

Snapshot read_votable(Bytes bytes, const ReadOptions& options) {
  VotableParser parser(options.field);
  Votable& table = parser.read(bytes, options);
  const std::string text = table.take_rows();
  return read_table_text(text, table.format(), options);
}

#else

Snapshot read_votable(Bytes, const ReadOptions&) {
  throw InputError(
      "This is a VOTable, which this build of Pericenter does not read, because Expat was missing (Debian: "
      "libexpat1-dev). Save the table as ECSV, for example with Astropy: Table.read('FILE').write('bodies.ecsv').");
}

#endif

bool is_votable(const FileHead& head) {
  const std::string_view text(reinterpret_cast<const char*>(head.first.data()), head.first.size());
  const std::size_t at = text.find("VOTABLE");
  return at != text.npos && at > 0 && (text[at - 1] == '<' || text[at - 1] == ':') &&
         text.substr(0, at).find('<') != text.npos;
}

}  // namespace

FileFormat votable_format() {
  return {.name = "votable",
          .title = "VOTable",
          .summary = "Tables of TOPCAT, Astropy and the Gaia archive in the forms TABLEDATA, BINARY and BINARY2.",
          .matches = is_votable,
          .read = read_votable};
}

}  // namespace pericenter
