#pragma once

namespace pericenter::test {

/// Absolute paths that the build knows; in one source file, so that the others do not depend on where the checkout is.
extern const char* const kProgram;
extern const char* const kFixturesFolder;
extern const char* const kCorpusFolder;
extern const char* const kTextsFolder;
extern const char* const kLessonsFolder;
extern const char* const kGoldenFolder;
extern const char* const kOutputFolder;

}  // namespace pericenter::test
