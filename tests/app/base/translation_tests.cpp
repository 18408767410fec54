#include "app/base/translation.h"

#include <gtest/gtest.h>

namespace pericenter::app {
namespace {

int gaps_in(std::string_view words) {
  int count = 0;
  for (std::size_t at = words.find("{}"); at != words.npos; at = words.find("{}", at + 2)) ++count;
  return count;
}

TEST(Translations, EveryRowHasBothTextsWithTheSameGaps) {
  ASSERT_FALSE(translations("de").empty());
  for (const Translation& row : translations("de")) {
    SCOPED_TRACE(row.english);
    EXPECT_FALSE(row.english.empty() || row.translated.empty());
    EXPECT_EQ(gaps_in(row.english), gaps_in(row.translated));
    EXPECT_EQ(find_translation(row.english, "de"), &row) << "another row has the same English";
    EXPECT_EQ(row.english.ends_with('.'), row.translated.ends_with('.'));
  }
}

TEST(Translations, NumbersHaveTheSeparatorsOfTheLanguage) {
  EXPECT_EQ(translated("20,000 bodies", "de"), "20.000 Körper");
  EXPECT_EQ(translated("2.5 ms per step", "de"), "2,5 ms je Schritt");
  EXPECT_EQ(translated("energy error 3.2·10⁻⁵ %", "de"), "Energiefehler 3,2·10⁻⁵ %");
  EXPECT_EQ(translated("1,069.5", "de"), "1.069,5") << "a tick of a plot";
  EXPECT_EQ(translated("NGC 4038, 1.5", "de"), "NGC 4038, 1.5") << "words without a row stay as they are";
}

TEST(Translations, WordsInAGapAreTranslatedToo) {
  EXPECT_EQ(translated("The galaxies pass each other again: closest approach (pericentre), 1.7 kpc apart.", "de"),
            "Die Galaxien ziehen wieder aneinander vorbei: größte Annäherung (Perizentrum), 1,7 kpc Abstand.");
  EXPECT_EQ(translated("B galaxy 2, 90 %", "de"), "B Galaxie 2, 90 %");
  EXPECT_EQ(translated("energy error [1e-3]", "de"), "Energiefehler [1e-3]");
  EXPECT_EQ(translated("Back at the start: rms distance 6.56 pc (0.00746 % of the radius).", "de"),
            "Zurück am Anfang: mittlere Abweichung 6,56 pc (0,00746 % des Radius).");
}

TEST(Translations, TheLongestRowThatMatchesIsUsed) {
  EXPECT_EQ(translated("1,200 cells and 30 bodies instead of 7,999 bodies", "de"),
            "1.200 Zellen und 30 Körper statt 7.999 Körper");
  EXPECT_EQ(translated("300 cells opened; walk for one body", "de"), "300 Zellen geöffnet; Weg für einen Körper");
}

TEST(Translations, OtherLanguagesShowEnglish) {
  for (const char* language : {"", "en", "fr"}) {
    EXPECT_EQ(translated("next", language), "next");
    EXPECT_EQ(translated("1,999", language), "1,999");
  }
}

}  // namespace
}  // namespace pericenter::app
