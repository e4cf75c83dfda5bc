#include "report/summary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "helpers/json.hpp"
#include "helpers/random_model.hpp"
#include "treecca/intervals.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

RunSummary sample(bool screened = false) {
  ModelShape shape;
  shape.screened = screened;
  RunSummary run;
  run.result.model = random_model(5, shape);
  Model& model = run.result.model;
  model.correlations.out_of_fold = {0.75, -0.125};
  model.correlations.standard_errors = {0.0625, 0.25};
  model.correlations.noise_thresholds = {0.5, 0.5};
  model.correlations.in_sample = {0.9, 0.5};
  model.correlations.linear_out_of_fold = {0.25, 1.0};
  model.correlations.linear_in_sample = {};
  run.result.warnings = {"Careful."};
  run.result.timings = {{"read", 0.25}, {"grow", 1.5}};
  run.inputs.views = {{model.views[0].name, "a.csv", 12, 2, 0, 3, 0.5}, {model.views[1].name, "", 10, 0, 0, 2, 0}};
  run.inputs.by_id = true;
  run.inputs.matched = 10;
  run.command = "treecca fit";
  run.out = "run";
  run.files = {"model.json", "report.html"};
  return run;
}

TEST(Summary, JsonHasTheWholeRun) {
  const RunSummary run = sample();
  const std::string text = write_json(summary_document(run), DocumentStyle::typed);
  EXPECT_NE(text.find("\"linear_out_of_fold\": [0.25,1.0]"), std::string::npos) << text;  // not 1
  const Json json = Json::parse(text);
  EXPECT_EQ(json["command"], "treecca fit");
  EXPECT_EQ(json["join"]["by_id"], true);
  EXPECT_EQ(json["join"]["matched"], 10);
  EXPECT_EQ(json["views"].size(), 2U);
  EXPECT_EQ(json["views"][0]["file"], "a.csv");
  EXPECT_EQ(json["views"][0]["dropped"], 2);
  EXPECT_EQ(json["views"][0]["missing_share"], 0.5);
  EXPECT_TRUE(json["views"][0]["features_kept"].is_null());
  EXPECT_TRUE(json["views"][1]["file"].is_null());
  EXPECT_EQ(json["correlations"]["out_of_fold"], Json::parse("[0.75, -0.125]"));
  EXPECT_EQ(json["correlations"]["standard_errors"], Json::parse("[0.0625, 0.25]"));
  EXPECT_EQ(json["correlations"]["noise_thresholds"], Json::parse("[0.5, 0.5]"));
  const std::vector<Interval> intervals = correlation_intervals(run.result.model).per_component;
  EXPECT_EQ(json["correlations"]["intervals"]["low"][1].number(), intervals[1].low);
  EXPECT_EQ(json["correlations"]["intervals"]["high"][1].number(), intervals[1].high);
  EXPECT_EQ(json["correlations"]["found"], Json::parse("[1, 0]"));
  EXPECT_EQ(json["linear_weight"], 0);
  EXPECT_EQ(json["candidates"].size(), 1U);
  EXPECT_EQ(json["candidates"][0]["chosen"], true);
  EXPECT_EQ(json["candidates"][0]["judged"].number(), run.result.model.correlations.candidates[0].judged);
  EXPECT_EQ(json["asked"]["n_components"], 2);
  EXPECT_EQ(json["tcc"]["out_of_fold"], 0.75);  // negative ones count 0
  EXPECT_TRUE(json["tcc"]["linear_in_sample"].is_null());
  EXPECT_EQ(json["parameters"]["n_components"], 2);
  EXPECT_TRUE(json["parameters"].contains("n_jobs"));
  EXPECT_EQ(json["seconds"], Json::parse(R"({"read": 0.25, "grow": 1.5})"));
  EXPECT_EQ(json["warnings"], Json::parse(R"(["Careful."])"));
  EXPECT_EQ(json["out"], "run");
  EXPECT_EQ(json["files"].size(), 2U);
}

TEST(Summary, KeptFeaturesAreCountedPerEncoder) {
  const Model model = sample(/*screened=*/true).result.model;
  const Document kept = kept_document(model.views[0]);
  ASSERT_EQ(kept.numbers.size(), model.views[0].parts[0].encoders.size());
  EXPECT_EQ(kept.numbers[0], static_cast<double>(model.views[0].screening.kept[0].size()));
  EXPECT_EQ(kept.type, Document::Type::int64);
}

TEST(Summary, TextNamesTheFolderAndTheReport) {
  RunSummary run = sample();
  EXPECT_NE(results_text(run).find("Time 1.8 s: read 0.25, grow 1.50\n"), std::string::npos) << results_text(run);
  EXPECT_NE(results_text(run).find("run/report.html\n"), std::string::npos) << results_text(run);
  run.out.clear();
  EXPECT_EQ(results_text(run).find("report.html"), std::string::npos);
}

TEST(Summary, CorrelationsWithoutCrossFittingAreInSample) {
  RunSummary run = sample();
  EXPECT_NE(correlations_text(run.result.model).find("-0.125"), std::string::npos);
  run.result.model.correlations.out_of_fold.clear();
  const std::string text = correlations_text(run.result.model);
  EXPECT_EQ(text.find("0.750"), std::string::npos) << text;
  EXPECT_NE(text.find("0.900"), std::string::npos) << text;
}

TEST(Summary, CorrelationsBelowTheirThresholdsAreMarked) {
  const Model model = sample().result.model;
  const std::string text = correlations_text(model);
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  const auto shown = [&](std::size_t c) {
    return fmt::format("{:>14}", fmt::format("[{:.2f}, {:.2f}]", intervals[c].low, intervals[c].high));
  };
  EXPECT_NE(text.find("0.750 " + shown(0) + "  "), std::string::npos) << text;
  EXPECT_NE(text.find("-0.125 " + shown(1) + " *"), std::string::npos) << text;
  EXPECT_NE(text.find("* below the noise threshold"), std::string::npos) << text;
}

TEST(Summary, SaysWhichBlendWasChosen) {
  Model model = sample().result.model;
  EXPECT_EQ(blend_sentence(model), "");
  model.correlations.candidates = {
      {0.0, {0.5, 0.25}, false, 0.75}, {0.5, {0.75, 0.5}, true, 1.25}, {1.0, {0.25, -1}, false, 0.25}};
  EXPECT_EQ(blend_sentence(model),
            "Compared out-of-fold: trees 0.75, both 1.25, linear CCA 0.25; chosen: the mean of both. The total (TCC) "
            "differs: it describes the mean of all parts and is corrected for this choice.");
  model.correlations.out_of_fold = {0.75, 0.502};
  EXPECT_EQ(blend_sentence(model),
            "Compared out-of-fold: trees 0.75, both 1.25, linear CCA 0.25; chosen: the mean of both.");
  model.correlations.candidates = {{0.25, {0.5, 0.25}, true}};
  EXPECT_EQ(blend_sentence(model), "The variates are 25% linear CCA.");
  model.correlations.candidates = {{1.0, {0.5, 0.25}, true}};
  EXPECT_EQ(blend_sentence(model), "The variates are linear CCA.");
}

}  // namespace
}  // namespace treecca
