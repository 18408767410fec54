#include "sim/files/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pericenter {
namespace {

using testing::HasSubstr;

Bytes table_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

using Rows = std::vector<std::vector<std::string>>;
Rows rows_of(std::string_view text) {
  TextTable table(table_bytes(text));
  Rows rows;
  while (table.next()) {
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < table.columns().size(); ++k) row.emplace_back(table.field(k));
  }
  return rows;
}

std::string table_error(std::string_view text) {
  try {
    TextTable table(table_bytes(text));
    while (table.next()) table.number(0);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TextTable, SupportsAllSeparators) {
  const Rows wanted = {{"1", "2.5", ""}, {"", "4", "6"}};
  EXPECT_EQ(rows_of("a,b,c\n1,2.5,\n,4,6\n"), wanted);
  EXPECT_EQ(rows_of("a;b;c\r\n1; 2.5 ;\r\n;4;6"), wanted);
  EXPECT_EQ(rows_of("a\tb\tc\n1\t2.5\t\n\t4\t6\r\n"), wanted);
  EXPECT_EQ(rows_of("\xEF\xBB\xBF a,b,c\n\n# between\n1,2.5,\n,4,6\n"), wanted);
  EXPECT_EQ(rows_of("  a b   c\n 1 2.5\t3 \n"), (Rows{{"1", "2.5", "3"}}));
}

TEST(TextTable, ReadsQuotedFields) {
  EXPECT_EQ(rows_of("name,x\n\"  433 Eros, \"\"the\"\" first\" ,1\n\"\",\"2\"\n"),
            (Rows{{"433 Eros, \"the\" first", "1"}, {"", "2"}}));
  EXPECT_EQ(rows_of("\"a\" \"b c\"\n1 \"2 3\"\n"), (Rows{{"1", "2 3"}}));
  EXPECT_EQ(table_error("x,y\n\"1,2\n"), "Line 2: the closing quote \" is missing.");
  EXPECT_EQ(table_error("x,y\n\"1\"2,3\n"), "Line 2: unexpected characters after the closing quote \".");
}

TEST(TextTable, ColumnNamesIgnoreCase) {
  const TextTable table(table_bytes("Mass,X\n"));
  EXPECT_EQ(table.column({"m", "mass"}), 0u);
  EXPECT_EQ(table.column({"x", "mass"}), 1u);
  EXPECT_EQ(table.column({"z"}), std::nullopt);
  EXPECT_THROW(table.required({"z"}), InputError);
}

TEST(TextTable, ParsesCompleteNumbers) {
  TextTable table(table_bytes("a;b;c;d\n1e-3;+2.5;-0,25;\n"));
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.number(0), 1e-3);
  EXPECT_EQ(table.number(1), 2.5);
  EXPECT_EQ(table.number(2), -0.25);
  EXPECT_EQ(table.number_if_any(3), std::nullopt);
  EXPECT_THROW(table.number(3), InputError);
  for (const char* const wrong : {"1x", "nan", "inf", "1e400", "0x10", "--1", "+-1", ""})
    EXPECT_EQ(parsed_number(wrong), std::nullopt) << wrong;
  EXPECT_EQ(table_error("#\nx,y\n\n1,2\n1.2.3,4\n"), "Line 5, column 'x': '1.2.3' is not a finite number.");
}

TEST(TextTable, ContinuesAfterARowOfWrongLength) {
  TextTable table(table_bytes("x,y\n1,2,3\n4,5\n6\n"));
  EXPECT_THROW(table.next(), InputError);
  EXPECT_TRUE(table.next());
  EXPECT_EQ(table.line(), 3u);
  EXPECT_EQ(table.number(1), 5);
  EXPECT_THROW(table.next(), InputError);
  EXPECT_FALSE(table.next());
}

TEST(TextTable, LinesOfUnitsTypesAndRulesBelowTheNamesAreNoRows) {
  for (const char* text : {"m\tx\ty\nN\t8N\tN\n1\t2\t3\n", "m\tx\ty\nMsun\tkpc\tkpc\n---\t---\t---\n1\t2\t3\n",
                           "m,x,y\nMsun,kpc,kpc\n1,2,3\n", "m,x,y\n1,2,3\n"}) {
    TextTable table(table_bytes(text));
    const bool has_units = std::string_view(text).find("kpc") != std::string_view::npos;
    EXPECT_EQ(table.units().at(1), has_units ? "kpc" : "") << text;
    ASSERT_TRUE(table.next()) << text;
    EXPECT_EQ(table.number(1), 2) << text;
    EXPECT_FALSE(table.next()) << text;
  }
  EXPECT_TRUE(TextTable(table_bytes("m,x,y\n,N,8\n1,2,3\n")).next()) << "an empty field is no type";
  TextTable names(table_bytes("name,x\nN,1\n\"a,1\n"));
  ASSERT_TRUE(names.next());
  EXPECT_EQ(names.field(0), "N");
  EXPECT_THROW(names.next(), InputError);
  TextTable broken(table_bytes("x,y\n\"1,2\n3,4\n"));
  EXPECT_THROW(broken.next(), InputError);
  ASSERT_TRUE(broken.next());
  EXPECT_EQ(broken.number(1), 4);
}

TEST(TextTable, ReadsNamesFromAComment) {
  TextTable table(table_bytes("# unit length=kpc\n# x y z\n1 2 3\n4 5 6\n"));
  EXPECT_EQ(table.columns(), (std::vector<std::string>{"x", "y", "z"}));
  ASSERT_EQ(table.comments().size(), 2u);
  EXPECT_EQ(table.comments()[0], "unit length=kpc");
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.number(2), 3);
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.number(0), 4);
  EXPECT_FALSE(table.next());
  EXPECT_THAT(table_error("1,2,3\n4,5,6\n"), HasSubstr("Add a first line"));
  EXPECT_NE(table_error("# only words\n"), "");
}

TEST(TextTable, RejectsOtherDataQuickly) {
  EXPECT_NE(table_error(std::string(3 << 20, 'x')), "");
  EXPECT_NE(table_error(std::string(1 << 19, ',')), "");
  EXPECT_NE(table_error(""), "");
}

}  // namespace
}  // namespace pericenter
