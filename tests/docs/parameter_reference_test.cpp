// docs/parameters.md is made from the declarations in parameters.hpp. To write it: make docs
// (this test with TREECCA_UPDATE_DOCS=1).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "treecca/parameters.hpp"

namespace treecca {
namespace {

const std::string kPage = TREECCA_SOURCE_DIR "/docs/parameters.md";

std::string read_page() {
  std::ifstream stream(kPage, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(ParameterReference, PageEqualsDeclarations) {
  const char* update = std::getenv("TREECCA_UPDATE_DOCS");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(kPage, std::ios::binary) << parameter_reference_markdown();
  }
  EXPECT_EQ(read_page(), parameter_reference_markdown()) << "Run `make docs` to write " << kPage << ".";
}

TEST(ParameterReference, NamesEveryParameter) {
  const std::string page = parameter_reference_markdown();
  for_each_parameter([&](const Declaration& declaration, auto) {
    EXPECT_NE(page.find(declaration.name), std::string::npos) << declaration.name;
  });
}

}  // namespace
}  // namespace treecca
