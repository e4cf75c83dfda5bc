// treecca fit, from files to files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <filesystem>
#include <sstream>

#include <algorithm>
#include <cmath>

#include "cli/run_cli.hpp"
#include "helpers/json.hpp"
#include "helpers/plain_parameters.hpp"
#include "linalg/row_products.hpp"
#include "treecca/fit.hpp"
#include "treecca/importance.hpp"
#include "treecca/intervals.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

class CliFit : public ::testing::Test {
 protected:
  void SetUp() override { write_two_views(space_); }
  CliResult fit(std::initializer_list<std::string> more, const CliOptions& options = {}) const {
    return run_cli(fit_arguments(space_, more), options);
  }
  Json summary(std::initializer_list<std::string> more) const {
    std::vector<std::string> words = fit_arguments(space_, more);
    words.push_back("--json");
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }
  const Workspace space_;
};

TEST_F(CliFit, TellsWhatWasReadJoinedAndFound) {
  const CliResult result = fit({"-k", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part : {"rows", "200", "Joined by sample id: 200 samples", "cc1", "out-of-fold", "in-sample",
                           "linear CCA", "total (TCC)", "Time: "}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in\n" << result.out;
  }
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_EQ(space_.contents(), (std::set<std::string>{"a.csv", "b.csv"}));
}

TEST_F(CliFit, ScreeningIsToldWrittenAndInspected) {
  const CliResult result = fit({"-k", "1", "--screen", "1,none", "--out", space_.file("run")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string told = "Features kept by screening\n  a: 1 of 2 features; highest score";
  EXPECT_NE(result.out.find(told), std::string::npos) << result.out;
  EXPECT_NE(run_cli({"inspect", space_.file("run/model.json")}).out.find(told), std::string::npos);
  EXPECT_TRUE(space_.contents().contains("run/screening_a.csv"));
  EXPECT_FALSE(space_.contents().contains("run/screening_b.csv"));
  std::istringstream lines(read_bytes(space_.file("run/screening_a.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "feature,score,p_value,partner_view,partner,kept");
  std::getline(lines, line);
  EXPECT_TRUE(matches(line, "x,[0-9.]+,,b,y,5")) << line;
  std::getline(lines, line);
  EXPECT_TRUE(matches(line, "noise,[0-9.]+,,b,(y|other),0")) << line;
  const Json json = summary({"--screen", "auto"});
  EXPECT_EQ(json["parameters"]["screen"], "auto");
  EXPECT_EQ(json["views"][0]["features_kept"], Json::parse("[2, 2, 2, 2, 2]"));
  // A fit without screening leaves nothing of it behind.
  ASSERT_EQ(fit({"--out", space_.file("run")}).exit_code, 0);
  EXPECT_FALSE(space_.contents().contains("run/screening_a.csv"));
  const CliResult refused = fit({"--screen", "some"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("screen must be an integer, 0 to"), std::string::npos) << refused.err;
}

TEST_F(CliFit, FilesHoldWhatTheLibraryComputes) {
  ASSERT_EQ(fit({"-k", "2", "--out", space_.file("run")}).exit_code, 0);
  EXPECT_EQ(space_.contents(),
            (std::set<std::string>{"a.csv", "b.csv", "run", "run/correlations.csv", "run/curves.csv",
                                   "run/importances_a.csv", "run/importances_b.csv", "run/loadings_a.csv",
                                   "run/loadings_b.csv", "run/model.json", "run/partners_a.csv", "run/partners_b.csv",
                                   "run/report.html", "run/summary.json", "run/variates_a.csv", "run/variates_b.csv",
                                   "run/variates_out_of_fold_a.csv", "run/variates_out_of_fold_b.csv"}));
  std::vector<Table> tables{read_table(space_.file("a.csv"), "a"), read_table(space_.file("b.csv"), "b")};
  join_by_sample(tables);
  Parameters parameters = testing::plain_parameters();
  parameters.n_estimators = 10;
  const FitResult expected = treecca::fit(
      {{"a", tables[0].values, tables[0].feature_names}, {"b", tables[1].values, tables[1].feature_names}}, parameters);
  EXPECT_EQ(load_model(space_.file("run/model.json")), expected.model);

  for (std::size_t v = 0; v < 2; ++v) {
    const std::string name = v == 0 ? "a" : "b";
    for (const auto& [file, numbers] : {std::pair{"variates_", &expected.variates[v]},
                                        std::pair{"variates_out_of_fold_", &expected.out_of_fold[v]}}) {
      const Table read = read_table(space_.file("run/" + std::string(file) + name + ".csv"), name);
      EXPECT_EQ(read.sample_ids, tables[v].sample_ids);
      EXPECT_EQ(read.feature_names, (std::vector<std::string>{"cc1", "cc2"}));
      EXPECT_EQ(to_floats(read.values), *numbers) << file << name;
    }
    const auto rows = csv_rows(read_bytes(space_.file("run/importances_" + name + ".csv")));
    EXPECT_EQ(rows[0], (std::vector<std::string>{"feature", "gain", "trees", "linear", "cover", "splits", "gain_cc1",
                                                 "gain_cc2"}));
    const auto gain = feature_importances(expected.model, static_cast<Index>(v), ImportanceKind::gain);
    const auto by_component = component_importances(expected.model, static_cast<Index>(v), ImportanceKind::gain);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(rows[j + 1][0], tables[v].feature_names[j]);
      EXPECT_EQ(std::stod(rows[j + 1][1]), gain[j]);
      EXPECT_EQ(std::stod(rows[j + 1][7]), by_component(1, static_cast<Index>(j)));
    }
  }
  const auto correlations = csv_rows(read_bytes(space_.file("run/correlations.csv")));
  ASSERT_EQ(correlations.size(), 3U);
  EXPECT_EQ(correlations[0],
            (std::vector<std::string>{"component", "out_of_fold", "standard_error", "noise_threshold", "in_sample",
                                      "linear_out_of_fold", "linear_in_sample", "found", "low", "high"}));
  const std::vector<Interval> intervals = correlation_intervals(expected.model).per_component;
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(correlations[k + 1][0], "cc" + std::to_string(k + 1));
    EXPECT_EQ(std::stod(correlations[k + 1][1]), expected.model.correlations.out_of_fold[k]);
    EXPECT_EQ(std::stod(correlations[k + 1][2]), expected.model.correlations.standard_errors[k]);
    EXPECT_EQ(std::stod(correlations[k + 1][3]), expected.model.correlations.noise_thresholds[k]);
    EXPECT_EQ(std::stod(correlations[k + 1][6]), expected.model.correlations.linear_in_sample[k]);
    EXPECT_EQ(std::stod(correlations[k + 1][8]), intervals[k].low);
    EXPECT_EQ(std::stod(correlations[k + 1][9]), intervals[k].high);
  }
  const auto curves = csv_rows(read_bytes(space_.file("run/curves.csv")));
  ASSERT_EQ(curves.size(), 11U);
  EXPECT_EQ(curves[0], (std::vector<std::string>{"round", "loss", "tcc", "train_tcc", "V_a_cc1", "V_a_cc2", "V_b_cc1",
                                                 "V_b_cc2"}));
  EXPECT_EQ(curves[10][0], "10");
  EXPECT_EQ(std::stod(curves[10][2]), expected.model.history.tcc[9]);
  EXPECT_EQ(std::stod(curves[10][7]), expected.model.history.variance(9, 3));
}

TEST_F(CliFit, ByDefaultPartsAreBlendedWithLinearCca) {
  const CliResult result = fit({"--preset", "auto", "-k", "1", "--n_repeats", "1", "--out", space_.file("run")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"Compared out-of-fold: trees ", "; chosen: trees.", "Parts: 5, of up to 10 rounds"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in\n" << result.out;
  }
  const Json summary = Json::parse(read_bytes(space_.file("run/summary.json")));
  EXPECT_EQ(summary["candidates"].size(), 3U);
  EXPECT_EQ(summary["candidates"][0]["chosen"], true);
  EXPECT_EQ(summary["linear_weight"], 0);
  EXPECT_EQ(summary["asked"]["linear"], "auto");
  EXPECT_EQ(summary["correlations"]["found"], Json::parse("[1]"));
  const auto curves = csv_rows(read_bytes(space_.file("run/curves.csv")));
  EXPECT_EQ(curves[0], (std::vector<std::string>{"round", "loss", "tcc", "train_tcc"}));
  ASSERT_EQ(curves.size(), 2U);  // measured after ten rounds
  EXPECT_EQ(curves[1][0], "10");
  EXPECT_EQ(curves[1][1], "");
  const CliResult linear = fit({"--preset", "auto", "-k", "1", "--linear", "1"});
  EXPECT_NE(linear.out.find("The variates are linear CCA."), std::string::npos) << linear.out;
  EXPECT_EQ(linear.exit_code, 0) << linear.err;
  EXPECT_NE(fit({"--preset", "default"}).err.find("What was \"default\" is now \"plain\""), std::string::npos);
}

TEST_F(CliFit, JsonIsTheOnlyOutputAndTheSummaryFile) {
  const CliResult result = fit({"-k", "1", "--json", "--out", space_.file("run")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const Json printed = Json::parse(result.out);
  const Json written = Json::parse(read_bytes(space_.file("run/summary.json")));
  EXPECT_EQ(printed.without("seconds"), written.without("seconds"));  // of which the file cannot have its own writing
  EXPECT_EQ(printed["n_samples"], kSamples);
  EXPECT_EQ(printed["join"]["by_id"], true);
  EXPECT_EQ(printed["views"][0]["name"], "a");
  EXPECT_EQ(printed["views"][0]["features"], 2);
  EXPECT_EQ(printed["parameters"]["n_estimators"], 10);
  EXPECT_EQ(printed["correlations"]["out_of_fold"].size(), 1U);
  EXPECT_EQ(printed["files"].size(), 15U);
}

/// From fit to every command that uses the model.
TEST_F(CliFit, CovariatesAreRemovedAndNeededAgain) {
  std::string table = "id,age,batch\n";
  for (int i = 0; i < kSamples; ++i) {
    table += "s" + std::to_string(i + 1) + "," + std::to_string((i * 37) % kSamples) + (i % 2 == 0 ? ",A\n" : ",B\n");
  }
  const std::string covariates = space_.write("clinical.csv", table);
  const std::string run = space_.file("run");
  const CliResult plain = fit({"-k", "1"});
  const CliResult adjusted = fit({"-k", "1", "--covariates", covariates, "--out", run});
  ASSERT_EQ(adjusted.exit_code, 0) << adjusted.err;
  EXPECT_EQ(plain.out.find("Adjusted for"), std::string::npos);
  EXPECT_NE(adjusted.out.find("Adjusted for age (number), batch (2 classes)."), std::string::npos) << adjusted.out;
  // The shared variable of the two views is the age: nothing is left.
  const Json printed = summary({"-k", "1", "--covariates", covariates, "--adjust", "age"});
  EXPECT_EQ(printed["covariates"].size(), 1U);
  EXPECT_LT(printed["correlations"]["out_of_fold"][0].number(), 0.3);
  const std::string crossed = space_.file("crossed");
  const CliResult product = fit({"-k", "1", "--covariates", covariates, "--adjust", "age*batch", "--out", crossed});
  EXPECT_NE(product.out.find("Adjusted for age (number), batch (2 classes), age*batch."), std::string::npos)
      << product.out << product.err;
  const CliResult crossed_scores =
      run_cli({"permutation-test", crossed + "/model.json", "--view", "a=" + space_.file("a.csv"), "--view",
               "b=" + space_.file("b.csv"), "--n_permutations", "5", "--covariates", covariates});
  EXPECT_EQ(crossed_scores.exit_code, 0) << crossed_scores.err;
  EXPECT_GT(summary({"-k", "1"})["correlations"]["out_of_fold"][0].number(), 0.8);

  const std::string model = run + "/model.json", a = "a=" + space_.file("a.csv"), b = "b=" + space_.file("b.csv");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"score", model, "--view", a, "--view", b, "--json"},
        {"transform", model, "--view", a},
        {"explain", model, "--view", a, "--json"},
        {"permutation-test", model, "--view", a, "--view", b, "--n_permutations", "19", "--json"}}) {
    const CliResult without = run_cli(command);
    EXPECT_EQ(without.exit_code, 2) << command[0];
    EXPECT_NE(without.err.find("fitted with covariates (age, batch). Give a table of them with --covariates;"),
              std::string::npos)
        << without.err;
    std::vector<std::string> with = command;
    with.insert(with.end(), {"--covariates", covariates});
    EXPECT_EQ(run_cli(with).exit_code, 0) << command[0];
  }
  const CliResult no_column = fit({"--adjust", "height"});
  EXPECT_EQ(no_column.exit_code, 1);
  EXPECT_NE(no_column.err.find("--adjust height: no view has this column"), std::string::npos) << no_column.err;
}

TEST_F(CliFit, QuietPrintsNothing) {
  const CliResult result = fit({"-k", "1", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(CliFit, NamesComeFromTheFiles) {
  std::filesystem::create_directory(space_.file("sub"));
  std::filesystem::copy(space_.file("a.csv"), space_.file("sub/left.side.csv"));
  const CliResult result = run_cli({"fit", "--view", space_.file("sub/left.side.csv"), "--view", space_.file("b.csv"),
                                    "--n_estimators=5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["views"][0]["name"], "left.side");
}

TEST_F(CliFit, RowsThatHaveNoPartnerAreCounted) {
  std::string text = read_bytes(space_.file("b.csv"));
  text.erase(text.find("s200,"), text.find('\n', text.find("s200,")) - text.find("s200,") + 1);
  space_.write("b.csv", text);
  const Json json = summary({});
  EXPECT_EQ(json["join"]["matched"], kSamples - 1);
  EXPECT_EQ(json["views"][0]["dropped"], 1);
  EXPECT_EQ(json["views"][1]["dropped"], 0);
  EXPECT_NE(fit({}).out.find("dropped 1 of a."), std::string::npos);
}

TEST_F(CliFit, EverySpellingOfAnOptionMeansTheSame) {
  for (const char* spelling : {"--max_depth", "--max-depth"}) {
    EXPECT_EQ(summary({spelling, "2"})["parameters"]["max_depth"], 2) << spelling;
  }
  EXPECT_EQ(summary({"--seed", "7"})["parameters"]["random_state"], 7);
  EXPECT_EQ(summary({"-k", "1"})["n_components"], 1);
  EXPECT_EQ(summary({"--learning_rate", "0.2,0.3"})["parameters"]["learning_rate"], Json::parse("[0.2, 0.3]"));
  EXPECT_EQ(summary({"--rotate", "false"})["parameters"]["rotate"], false);
}

TEST_F(CliFit, PresetComesFirstWhereverItStands) {
  const Json json = summary({"--max_depth", "3", "--preset", "paper", "--cross_fit", "3"});
  EXPECT_EQ(json["parameters"]["preset"], "paper");
  EXPECT_EQ(json["parameters"]["objective"], "ey");
  EXPECT_EQ(json["parameters"]["max_depth"], 3);
  EXPECT_EQ(json["parameters"]["cross_fit"], 3);
  EXPECT_EQ(json["parameters"]["n_estimators"], 10);
}

TEST_F(CliFit, WithoutFoldsThereIsNoOutOfFold) {
  const CliResult result = fit({"--preset", "paper", "--out", space_.file("run")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(space_.contents().count("run/variates_out_of_fold_a.csv"), 0U);
  EXPECT_EQ(csv_rows(read_bytes(space_.file("run/correlations.csv")))[1][1], "");
  EXPECT_NE(result.out.find("In-sample correlations are too high."), std::string::npos);
}

TEST_F(CliFit, ASecondFitReplacesTheFirst) {
  ASSERT_EQ(fit({"--out", space_.file("run")}).exit_code, 0);
  space_.write("run/notes.txt", "mine");
  const std::string model = read_bytes(space_.file("run/model.json"));
  ASSERT_EQ(fit({"--out", space_.file("run"), "--cross_fit", "0"}).exit_code, 0);
  EXPECT_NE(read_bytes(space_.file("run/model.json")), model);
  EXPECT_EQ(space_.contents().count("run/variates_out_of_fold_a.csv"), 0U) << "a file of the first fit is left";
  EXPECT_EQ(read_bytes(space_.file("run/notes.txt")), "mine");
  for (const std::string& name : space_.contents()) EXPECT_EQ(name.find(".treecca"), std::string::npos) << name;
}

TEST_F(CliFit, FilesOfOthersAreNotReplaced) {
  ASSERT_EQ(fit({"--out", space_.file("run")}).exit_code, 0);
  std::filesystem::remove(space_.file("run/summary.json"));
  space_.write("run/report.html", "mine");
  expect_failure(fit({"--out", space_.file("run")}), 2,
                 {"would be overwritten, but no earlier fit wrote it. Choose another folder for --out."});
  EXPECT_EQ(read_bytes(space_.file("run/report.html")), "mine");
}

TEST_F(CliFit, LabelsColourTheReport) {
  std::string labels = "sample,class\n";
  for (int i = 0; i < kSamples; ++i) labels += "s" + std::to_string(i + 1) + (i % 2 == 0 ? ",case\n" : ",control\n");
  const std::string file = space_.write("labels.csv", labels);
  const CliResult result = fit({"--labels", file, "--out", space_.file("run")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string report = read_bytes(space_.file("run/report.html"));
  EXPECT_NE(report.find(R"("classes":["case","control"],"labels":[0,1,0,)"), std::string::npos);
  EXPECT_NE(report.find("--labels "), std::string::npos) << "the command to repeat the fit";
  expect_failure(fit({"--labels", file}), 2, {"add --out DIR"});
  space_.write("short.csv", "sample,class\ns1,case\n");
  expect_failure(fit({"--labels", space_.file("short.csv"), "--out", space_.file("other")}), 1,
                 {"has no entry for 199 of 200 samples: \"s2\""});
}

TEST_F(CliFit, GroupsReachTheFit) {
  std::string groups = "sample,group\n";
  for (int i = 0; i < kSamples; ++i) groups += "s" + std::to_string(i + 1) + ",g" + std::to_string(i % 8) + "\n";
  space_.write("groups.csv", groups);
  const Json with = summary({"--groups", space_.file("groups.csv")});
  EXPECT_NE(with["correlations"]["out_of_fold"], summary({})["correlations"]["out_of_fold"]);
  EXPECT_EQ(with["groups"], 8);
  EXPECT_EQ(summary({})["groups"], 0);
  EXPECT_NE(fit({"--groups", space_.file("groups.csv")}).out.find("8 groups, each within one fold."),
            std::string::npos);
  space_.write("groups.csv", "sample,group\ns1,a\n");
  expect_failure(fit({"--groups", space_.file("groups.csv")}), 1, {"groups.csv", "s2"});
}

TEST_F(CliFit, ProgressIsShownOnATerminalAndErased) {
  CliOptions options;
  options.on_terminal = [](const std::string&) { return 0; };
  const CliResult result = fit({"-k", "1"}, options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("round 1/10"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("TCC"), std::string::npos);
  EXPECT_TRUE(result.err.ends_with("\r\033[K")) << result.err;
  EXPECT_EQ(fit({"-k", "1", "--quiet"}, options).err, "");
}

TEST_F(CliFit, CtrlCStopsAndLeavesNothing) {
  const std::set<std::string> before = space_.contents();
  for (const int signal : {SIGINT, SIGTERM}) {
    CliOptions options;
    bool sent = false;
    options.on_terminal = [&](const std::string& shown) {
      if (sent || shown.find("round ") == std::string::npos) return 0;
      sent = true;
      return signal;
    };
    std::vector<std::string> words = fit_arguments(space_, {"--out", space_.file("new/run")});
    std::replace(words.begin(), words.end(), std::string("10"), std::string("1000000"));
    const CliResult stopped = run_cli(words, options);
    EXPECT_TRUE(sent);
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_NE(stopped.err.find("treecca: stopped"), std::string::npos) << stopped.err;
    EXPECT_EQ(stopped.out.find("Canonical"), std::string::npos);
    EXPECT_EQ(space_.contents(), before);
  }
}

TEST(CliFitWeights, AreMatchedBySampleAndChangeTheFit) {
  const Workspace space;
  write_demo_views(space);
  std::string weights = "id,weight\n";
  std::string some = weights;
  const Table table = read_table(space.file("d/view1.csv"), "m");
  for (std::size_t i = table.sample_ids.size(); i-- > 0;) {  // in another order
    weights += fmt::format("{},{}\n", table.sample_ids[i], 1 + i % 3);
    if (i > 5) some += table.sample_ids[i] + ",1\n";
  }
  const auto fit = [&](const std::string& file, const std::string& out) {
    return run_cli({"fit", "--view", "m=" + space.file("d/view1.csv"), "--view", "p=" + space.file("d/view2.csv"), "-k",
                    "2", "--n_estimators", "10", "--preset", "plain", "--weights", file, "--out", space.file(out)});
  };
  EXPECT_EQ(fit(space.write("w.csv", weights), "w").exit_code, 0);
  EXPECT_EQ(fit(space.write("ones.csv", replaced(weights, ",[123]\n", ",1\n")), "ones").exit_code, 0);
  EXPECT_NE(read_bytes(space.file("w/model.json")), read_bytes(space.file("ones/model.json")));
  EXPECT_NE(read_bytes(space.file("w/report.html")).find("--weights"), std::string::npos);
  const CliResult absent = fit(space.write("some.csv", some), "some");
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_NE(absent.err.find("has no entry for"), std::string::npos) << absent.err;
  const CliResult negative = fit(space.write("neg.csv", replaced(weights, ",2\n", ",-2\n")), "neg");
  EXPECT_EQ(negative.exit_code, 1);
  EXPECT_NE(negative.err.find("must be a number, 0 or more"), std::string::npos) << negative.err;
}

TEST_F(CliFit, WarningsAboutTheInputArePrintedOnceAndSummarised) {
  for (const char* file : {"a.csv", "b.csv"}) {
    std::string text = read_bytes(space_.file(file));
    text.replace(0, 6, "nr");
    for (std::size_t at = 0; (at = text.find("\ns", at)) != std::string::npos;) text.erase(at + 1, 1);
    space_.write(file, text);
  }
  const CliResult warned = run_cli(fit_arguments(space_, {"--json"}));
  ASSERT_EQ(warned.exit_code, 0) << warned.err;
  EXPECT_EQ(warned.err.rfind("treecca: warning: Column", 0), 0U) << warned.err;
  EXPECT_EQ(warned.err.find("Column \"nr\""), warned.err.rfind("Column \"nr\"")) << warned.err;
  const Json summary = Json::parse(warned.out);
  EXPECT_NE(summary["warnings"].dump().find("--id"), std::string::npos) << summary["warnings"];
  const CliResult joined = run_cli(fit_arguments(space_, {"--json", "--id", "nr"}));
  EXPECT_EQ(joined.err.find("Column \"nr\""), std::string::npos) << joined.err;
  EXPECT_EQ(Json::parse(joined.out)["join"]["by_id"], true);
}

}  // namespace
}  // namespace treecca
