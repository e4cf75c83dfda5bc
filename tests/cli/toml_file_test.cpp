#include "cli/toml_file.hpp"

#include <gtest/gtest.h>

#include "cli/run_cli.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

using Kind = TomlValue::Kind;

TomlValue read(const std::string& text) {
  const Workspace space;
  return read_toml_file(space.write("x.toml", text));
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(CliTomlFile, KeepsTheOrderOfTheFileAndItsLines) {
  const TomlValue table = read("z = 1\n\na = [\"x\", 2.5]\n[t]\nm = true\n");
  EXPECT_EQ(table.keys, (std::vector<std::string>{"z", "a", "t"}));
  EXPECT_EQ(table.items[0].kind, Kind::integer);
  EXPECT_EQ(table.items[0].text, "1");
  EXPECT_EQ(table.items[1].kind, Kind::list);
  EXPECT_EQ(table.items[1].line, 3U);
  EXPECT_EQ(table.items[1].items[0].text, "x");
  EXPECT_EQ(table.items[1].items[1].kind, Kind::number);
  EXPECT_EQ(table.items[2].kind, Kind::table);
  EXPECT_EQ(table.items[2].items[0].text, "true");
  EXPECT_EQ(table.items[2].items[0].line, 5U);
}

TEST(CliTomlFile, DeepNestingIsRefusedInsteadOfExhaustingTheStack) {
  constexpr std::size_t kDeep = 200'000;
  const std::string expected = "nested more than 16 levels deep";
  for (const std::string& text :
       {"x = 1\ny = " + repeated("[", kDeep), "x = 1\ny = " + repeated("[", kDeep) + repeated("]", kDeep) + "\n",
        "x = 1\ny = " + repeated("{a=", kDeep) + "1" + repeated("}", kDeep) + "\n",
        "x = 1\na" + repeated(".a", kDeep) + " = 1\n", "x = 1\n[a" + repeated(".a", kDeep) + "]\n",
        "x = 1\n\"a\"" + repeated(".\"a\"", kDeep / 2) + " = 1\n",
        "x = \"\"\"\n" + repeated(".", 50) + "[[\"\"\"\na" + repeated(" . a", kDeep) + "=1"}) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(expected), std::string::npos) << text.substr(0, 40) << " " << message;
    EXPECT_NE(message.find("x.toml, line "), std::string::npos) << message;
  }
  EXPECT_NE(refusal("x = 1\ny = " + repeated("[", 20)).find("line 2:"), std::string::npos);
  const TomlValue table = read("y = " + repeated("[", 16) + repeated("]", 16) + "\na" + repeated(".b", 16) + " = 1\n");
  EXPECT_EQ(table.keys.size(), 2U);
}

TEST(CliTomlFile, BracketsAndDotsInTextsAndCommentsAreNoNesting) {
  const std::string many = repeated("[.{", 100);
  for (const std::string& text :
       {"x = \"" + many + "\"\n", "x = '" + many + "'\n", "x = \"\"\"\n" + many + "\n\"\"\"\n",
        "x = '''" + many + "'''\n", "x = 1 # " + many + "\n", "x = \"\\\"" + many + "\"\n",
        "x = [" + repeated("0.5, ", 100) + "]\n", "x = \"\" # \"\n# " + many + "\n",
        repeated("[t]\n", 1) + "x = 'it' # it's " + many + "\n"}) {
    EXPECT_EQ(refusal(text), "") << text;
  }
}

/// On the first two, an assertion of the library fails.
TEST(CliTomlFile, RefusesBracketsThatDoNotMatch) {
  for (const char* text : {"x = [[1, 2], }]", "x = [ }", "x = {a = ]", "x = {a = }", "x = [1 }", "x = [,]", "x = ]"}) {
    EXPECT_NE(refusal(text).find("is not TOML"), std::string::npos) << text << ": " << refusal(text);
  }
}

}  // namespace
}  // namespace treecca::cli
