// The command that a summary and a report give to repeat a fit must repeat it.
#include "cli/repeat_command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"

namespace treecca::cli {
namespace {

TEST(ShellWord, IsQuotedWhereItMustBe) {
  EXPECT_EQ(shell_word("rna=data/rna.csv"), "rna=data/rna.csv");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my table.csv"), "'my table.csv'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(rm x)"), "'$(rm x)'");
}

TEST(RepeatCommand, TellsWhatWasGivenAndNoMore) {
  Parameters given;
  given.n_jobs = 2;  // changes no result
  EXPECT_EQ(repeat_command("fit", {{"a", "a.csv"}, {"b", "b.csv"}}, {}, given),
            "treecca fit --view a=a.csv --view b=b.csv");
  given = Parameters::of_preset(Preset::paper);
  set_from_text(given, "max_depth", "3,4");
  DataOptions data;
  data.reading = {{"id", "patient"}};
  data.groups = "sites.csv";
  EXPECT_EQ(repeat_command("fit", {{"a", "a.csv"}, {"b", "b.csv"}}, data, given),
            "treecca fit --view a=a.csv --view b=b.csv --id patient --groups sites.csv --preset paper --max_depth 3,4");
}

TEST(RepeatCommand, GivesTheSameModel) {
  const Workspace space;
  write_demo_views(space);
  const auto with_other_id = [&](const std::string& from, const std::string& to) {
    std::string text = read_bytes(space.file(from));
    text.replace(0, text.find(','), "wafer");  // not a name that is recognised by itself
    return space.write(to, text);
  };
  const std::string one = with_other_id("d/view1.csv", "first view.csv");
  const std::string two = with_other_id("d/view2.csv", "it's.csv");
  const CliResult first =
      run_cli({"fit", "--view", "a=" + one, "--view", "b=" + two, "--id", "wafer", "-k", "1", "--n_estimators", "20",
               "--min_child_weight", "7", "--json", "--out", space.file("o")});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string command = Json::parse(first.out)["command"].text();
  ASSERT_EQ(command.substr(0, 8), "treecca ");
  const std::string again = std::string(TREECCA_CLI) + command.substr(7) + " --quiet --out " + space.file("again");
  ASSERT_EQ(std::system(again.c_str()), 0) << again;
  EXPECT_EQ(read_bytes(space.file("again/model.json")), read_bytes(space.file("o/model.json")));
}

}  // namespace
}  // namespace treecca::cli
