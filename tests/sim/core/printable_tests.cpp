#include "sim/core/printable.h"

#include <gtest/gtest.h>

namespace pericenter {
namespace {

TEST(Printable, LeavesText) {
  for (const char* text : {"", "snapshot_010.hdf5", "θ = ½, 3 × 10⁸ – «€» 😀", "a\\x9b", "\xc2\xa0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\nb\r\t\x1b[31m\x7f"), "a\\x0ab\\x0d\\x09\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // U+009B, which starts a control sequence like ESC [
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, KeepsTheLinesOfATextIfAsked) {
  EXPECT_EQ(printable_lines("a\nb\x1b[31m\n"), "a\nb\\x1b[31m\n");
  EXPECT_EQ(printable_lines(""), "");
  EXPECT_EQ(printable_lines("one"), "one");
}

TEST(Printable, EscapesInvalidUtf8) {
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // too long an encoding
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80é"), "\\xf4\\x90\\x80\\x80é");
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
}

}  // namespace
}  // namespace pericenter
