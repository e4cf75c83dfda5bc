// docs/architecture.md shows the folders of src/ in their order, and which others each of them includes. The table, the
// build and the #include lines must agree, and sources that the docs name must exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace treecca {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

const fs::path kProject = TREECCA_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

Names lines_of(const std::string& text) {
  Names lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// What stands in backticks, in order.
Names quoted_in(std::string_view text) {
  Names names;
  for (std::size_t begin = text.find('`'); begin != std::string_view::npos; begin = text.find('`', begin)) {
    const std::size_t end = text.find('`', ++begin);
    if (end == std::string_view::npos) break;
    names.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// "a", "b" as "`a`, `b`".
std::string in_backticks(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

/// One row of the table: a folder, and those that it includes.
struct Layer {
  std::string name;
  std::set<std::string> includes;
};

/// The rows "| `folder` | what it is | includes |".
std::vector<Layer> layers_on_page() {
  std::vector<Layer> layers;
  for (const std::string& line : lines_of(text_of(kProject / "docs/architecture.md"))) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::size_t last = line.rfind('|', line.size() - 2);
    const Names included = quoted_in(line.substr(last));
    layers.push_back({quoted_in(line).front(), {included.begin(), included.end()}});
  }
  return layers;
}

Names names_of(const std::vector<Layer>& layers) {
  Names names;
  for (const Layer& layer : layers) names.push_back(layer.name);
  return names;
}

/// The folders of src/, each with the other folders of src/ that its files include.
std::map<std::string, std::set<std::string>> folder_graph() {
  constexpr std::string_view kInclude = "#include \"";
  std::map<std::string, std::set<std::string>> graph;
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "src")) {
    if (entry.is_directory()) continue;
    const std::string own = fs::relative(entry.path(), kProject / "src").begin()->string();
    std::set<std::string>& included = graph[own];
    for (const std::string& line : lines_of(text_of(entry.path()))) {
      if (line.rfind(kInclude, 0) != 0) continue;
      const std::size_t slash = line.find('/');
      EXPECT_NE(slash, std::string::npos) << entry.path() << ": name the folder in " << line;
      if (slash == std::string::npos) continue;
      const std::string folder = line.substr(kInclude.size(), slash - kInclude.size());
      if (folder != own && folder != "treecca") included.insert(folder);
    }
  }
  return graph;
}

/// The words after `command` up to the closing bracket, in the project's CMakeLists.txt.
Names words_of(const std::string& command) {
  const std::string text = text_of(kProject / "CMakeLists.txt");
  const std::size_t begin = text.find(command);
  if (begin == std::string::npos) return {};
  std::istringstream words(text.substr(begin + command.size(), text.find(')', begin) - begin - command.size()));
  Names result;
  for (std::string word; words >> word;) result.push_back(word);
  return result;
}

TEST(Architecture, TheTableHasEveryFolderAndWhatItIncludes) {
  const std::vector<Layer> layers = layers_on_page();
  const auto graph = folder_graph();
  ASSERT_GT(graph.size(), 10U);
  std::set<std::string> drawn;
  for (const Layer& layer : layers) {
    EXPECT_TRUE(drawn.insert(layer.name).second) << layer.name << " has two rows";
    const auto real = graph.find(layer.name);
    ASSERT_NE(real, graph.end()) << layer.name << " is no folder of src/";
    EXPECT_EQ(layer.includes, real->second) << "`" << layer.name << "` includes: " << in_backticks(real->second);
  }
  for (const auto& [folder, included] : graph) EXPECT_TRUE(drawn.contains(folder)) << folder << " has no row";
}

TEST(Architecture, NoFolderIncludesALaterOne) {
  const std::vector<Layer> layers = layers_on_page();
  const auto graph = folder_graph();
  std::set<std::string> before;
  std::size_t edges = 0;
  for (const Layer& layer : layers) {
    for (const std::string& included : graph.at(layer.name)) {
      EXPECT_TRUE(before.contains(included)) << layer.name << " includes " << included;
      ++edges;
    }
    before.insert(layer.name);
  }
  EXPECT_GT(edges, 30U);
}

TEST(Architecture, TheBuildHasTheSameOrder) {
  Names layers = names_of(layers_on_page());
  ASSERT_FALSE(layers.empty());
  EXPECT_EQ(layers.back(), "cli");
  const std::set<std::string> included_by_cli = layers_on_page().back().includes;
  layers.pop_back();
  EXPECT_EQ(words_of("treecca_add_layers(treecca "), layers);
  // The program sees public headers and these folders.
  const Names seen = words_of("treecca_links_to(cli_sources ");
  for (const std::string& folder : included_by_cli) {
    EXPECT_EQ(std::count(seen.begin(), seen.end(), folder), 1) << folder;
  }
}

TEST(Architecture, PublicHeadersIncludePublicHeadersOnly) {
  std::size_t headers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "include")) {
    if (entry.is_directory()) continue;
    ++headers;
    for (const std::string& line : lines_of(text_of(entry.path()))) {
      const bool includes_own = line.rfind("#include \"", 0) == 0;
      EXPECT_EQ(includes_own, line.rfind("#include \"treecca/", 0) == 0) << entry.path() << ": " << line;
    }
  }
  EXPECT_GT(headers, 10U);
}

/// "folder/unit" of every source: one for x.hpp, x.cpp and x.kernels.cpp.
std::set<std::string> units() {
  std::set<std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "src")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    const std::string file = fs::relative(entry.path(), kProject / "src").generic_string();
    result.insert(file.substr(0, file.find('.')));
  }
  return result;
}

TEST(Architecture, EverySourceHasATestOrAReason) {
  const std::string page = text_of(kProject / "tests/README.md");
  std::set<std::string> excused;
  for (const std::string& line : lines_of(page.substr(page.find("## Sources without")))) {
    if (line.rfind("| `", 0) != 0) continue;
    for (const std::string& name : quoted_in(line.substr(0, line.find('|', 1)))) excused.insert(name);
  }
  ASSERT_FALSE(excused.empty());
  std::set<std::string> needed;
  for (const std::string& unit : units()) {
    if (fs::exists(kProject / "tests" / (unit + "_test.cpp"))) continue;
    const std::string folder = unit.substr(0, unit.find('/'));
    EXPECT_TRUE(excused.contains(unit) || excused.contains(folder)) << unit << " has neither a test nor a reason";
    needed.insert(excused.contains(folder) ? folder : unit);
  }
  for (const std::string& name : excused) EXPECT_TRUE(needed.contains(name)) << name << " needs no reason";
}

/// A path of the project; the ending of a source may be left out.
bool is_source(const std::string& name) {
  for (const char* ending : {"", ".hpp", ".cpp", ".kernels.cpp"}) {
    if (fs::exists(kProject / (name + ending))) return true;
  }
  return false;
}

TEST(Architecture, FilesThatThePageNamesExist) {
  const Names layers = names_of(layers_on_page());
  std::size_t checked = 0;
  for (const std::string& name : quoted_in(text_of(kProject / "docs/architecture.md"))) {
    if (name.find_first_of("* ") != std::string::npos || name.find('/') == std::string::npos) continue;
    const std::string folder = name.substr(0, name.find('/'));
    const bool of_layer = std::find(layers.begin(), layers.end(), folder) != layers.end();
    EXPECT_TRUE(of_layer ? is_source("src/" + name) : is_source(name)) << name;
    ++checked;
  }
  EXPECT_GT(checked, 50U);
}

TEST(Architecture, SourcesThatOtherPagesNameExist) {
  std::vector<fs::path> pages{kProject / "README.md", kProject / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::size_t checked = 0;
  for (const fs::path& page : pages) {
    for (const std::string& name : quoted_in(text_of(page))) {
      if (name.rfind("src/", 0) != 0) continue;
      EXPECT_TRUE(is_source(name)) << name << " in " << page;
      ++checked;
    }
  }
  EXPECT_GT(checked, 5U);
}

}  // namespace
}  // namespace treecca
