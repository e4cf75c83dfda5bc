#include "engines/shared_library.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "helpers/plain_parameters.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

const LibraryPlace kNowhere{"no-such", "TREECCA_MADE_UP_LIB", "made/up.so", "libmade_up.so", "no-such-package"};

TEST(SharedLibrary, SaysWhatToInstallOrSet) {
  try {
    const SharedLibrary library(kNowhere);
    FAIL();
  } catch (const FileError& error) {
    const std::string text = error.what();
    for (const char* part : {"engine=no-such", "pip install no-such-package", "TREECCA_MADE_UP_LIB"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
}

TEST(SharedLibrary, TheVariableWinsOverAll) {
  prefer_library("no-such", "/elsewhere.so");
  EXPECT_EQ(library_candidates(kNowhere).front(), "/elsewhere.so");
  EXPECT_EQ(library_candidates(kNowhere).back(), "libmade_up.so");
  setenv("TREECCA_MADE_UP_LIB", "/here.so", 1);
  EXPECT_EQ(library_candidates(kNowhere), std::vector<std::string>{"/here.so"});
  unsetenv("TREECCA_MADE_UP_LIB");
}

TEST(SharedLibrary, SaysWhatIsWrongWithTheFileThatIsThere) {
  const std::string path = ::testing::TempDir() + "/libjunk.so";
  std::ofstream(path) << "no library";
  prefer_library("junk", path);
  try {
    const SharedLibrary library({"junk", "TREECCA_JUNK_LIB", "junk/junk.so", "libnowhere_at_all.so", "junk"});
    FAIL();
  } catch (const FileError& error) {  // not of the last one tried, which is nowhere
    EXPECT_NE(std::string(error.what()).find("libjunk.so"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("libnowhere_at_all.so"), std::string::npos) << error.what();
  }
  std::remove(path.c_str());
}

TEST(SharedLibrary, AnotherLibraryIsRecognised) {
  const SharedLibrary library({"no-such", "TREECCA_NO_SUCH", "x", "libz.so.1", "zlib"});
  EXPECT_NE(library.function<const char*()>("zlibVersion"), nullptr);
  EXPECT_THROW(library.function<void()>("XGBoosterTrainOneIter"), FileError);
}

TEST(Engines, RefuseWhatTheyCannotDo) {
  Matrix<float> a(30, 2);
  for (std::size_t i = 0; i < a.values().size(); ++i) a.values()[i] = static_cast<float>((i * 7) % 13);
  const std::vector<View> views{{"a", a}, {"b", a}};
  Parameters parameters = testing::plain_parameters();
  FitOptions options;
  options.engine_params = {{"device", "cuda"}};
  EXPECT_THROW(fit(views, parameters, options), UsageError);  // nobody to hand them to
  parameters.engine = EngineKind::lightgbm;
  EXPECT_THROW(fit(views, parameters), UsageError);  // no joint trees
}

}  // namespace
}  // namespace treecca
