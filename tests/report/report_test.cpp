#include "treecca/report.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "helpers/json.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "helpers/temporary_file.hpp"
#include "report/html.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr const char* kHostile = "</script><script>alert('x')</script>&\"<b>";

FitResult small_result(const char* preset = "plain", Index rounds = 20) {
  const auto views = testing::hermite_views(120, 2, 2, 1);
  Parameters parameters = testing::plain_parameters();
  set_from_text(parameters, "preset", preset);
  parameters.n_components = 2;
  parameters.n_estimators = rounds;
  return fit({{"rna", views.a, {"a", "b", kHostile, "d"}}, {kHostile, views.b}}, parameters);
}

Json data_of(const std::string& html) {
  const std::string opening = "id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Report, HoldsWhatWasFound) {
  RunSummary run{.result = small_result()};
  const FitResult& result = run.result;
  for (int i = 0; i < 120; ++i) run.sample_ids.push_back("patient" + std::to_string(i));
  run.result.warnings = {"Mind the <gap>."};
  run.inputs.views = {{"rna", "rna.csv", 130, 10}, {"x", "prot.csv", 120, 0}};
  run.inputs.by_id = true;
  run.command = "treecca fit --view rna=rna.csv";
  const std::string html = report_html(run);
  EXPECT_EQ(html, report_html(run));
  EXPECT_NE(html.find(report::fixed(result.model.correlations.out_of_fold[0])), std::string::npos);
  EXPECT_NE(html.find("Mind the &lt;gap&gt;."), std::string::npos);
  EXPECT_NE(html.find("matched by sample id"), std::string::npos);
  EXPECT_NE(html.find("treecca fit --view rna=rna.csv"), std::string::npos);
  EXPECT_NE(html.find("95% interval</th><th scope=\"col\" class=\"number\">linear CCA</th>"), std::string::npos);
  EXPECT_EQ(times(html, "role=\"tab\" id="), 2U);
  EXPECT_EQ(times(html, "role=\"tabpanel\" id="), 2U);
  const Json data = data_of(html);
  EXPECT_EQ(data["views"][1], kHostile);
  EXPECT_EQ(data["ids"][119], "patient119");
  EXPECT_EQ(data["variates"].size(), 2U);
  EXPECT_EQ(data["variates"][0].size(), 2U);
  EXPECT_NEAR(data["variates"][1][0][5].number(), result.out_of_fold[1](5, 0), 6e-4);
}

TEST(Report, BeginsWithTheVerdict) {
  RunSummary run{.result = small_result()};
  Correlations& found = run.result.model.correlations;
  found.out_of_fold = {0.9, 0.1};
  found.noise_thresholds = {0.3, 0.3};
  found.linear_out_of_fold = {0.5, -0.2};
  const std::string html = report_html(run);
  const std::size_t first = html.find("<b>1 of 2</b> components is above noise.");
  const std::size_t second = html.find("<b>1.00</b> is the out-of-fold total correlation (TCC); the maximum is 2.");
  const std::size_t third = html.find("<b>0.50</b> is the TCC of linear CCA on the same folds.");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_LT(third, html.find("<svg"));
}

TEST(Report, MarksComponentsBelowNoiseEverywhere) {
  RunSummary run{.result = small_result()};
  Correlations& found = run.result.model.correlations;
  found.out_of_fold = {0.9, 0.1};
  found.noise_thresholds = {0.3, 0.3};
  const std::string html = report_html(run);
  EXPECT_EQ(times(html, "<span class=\"chip\">below noise</span>"), 3U);  // table, tab, heading
  EXPECT_EQ(times(html, ">below noise</text>"), 1U);                      // chart
  EXPECT_EQ(times(html, "aria-labelledby=\"tab-1\" class=\"below\""), 1U);
  EXPECT_EQ(times(html, "aria-labelledby=\"tab-0\">"), 1U);
  EXPECT_NE(html.find("loading on component 2 (below noise)"), std::string::npos);
  EXPECT_NE(html.find("<h2>Features across views</h2>"), std::string::npos);
  found.out_of_fold = {0.2, 0.1};
  EXPECT_NE(report_html(run).find("<h2>Features across views <span class=\"chip\">below noise</span></h2>\n<p "
                                  "class=\"soft\">No component is above noise, so these relations are not findings."),
            std::string::npos);
  EXPECT_NE(report_html(run).find("<b>0 of 2</b> components are above noise: the relation between the views is not "
                                  "distinguishable from chance."),
            std::string::npos);
  run.result.model.effective_samples = 5;
  EXPECT_NE(report_html(run).find("too few independent samples"), std::string::npos);
}

TEST(Report, ThreeViewsHaveATableOfPairs) {
  const auto views = testing::linear_views(80, 3, 3, 2, 0.9, 1);
  const FitResult result =
      fit({{"a", views.a}, {"b", views.b}, {"c", views.b}},
          parameters_from_texts({{"preset", "plain"}, {"n_components", "2"}, {"n_estimators", "10"}}));
  const std::string html = report_html({.result = result});
  EXPECT_NE(html.find("<h3>Pairs of views</h3>"), std::string::npos);
  for (const char* pair : {"<td>a and b</td>", "<td>a and c</td>", "<td>b and c</td>", "<td>mean of the pairs</td>"}) {
    EXPECT_EQ(times(html, pair), 1U) << pair;
  }
  EXPECT_NE(html.find("The plot shows one pair of views; the correlation of the component is the mean over all pairs."),
            std::string::npos);
  EXPECT_EQ(times(html, "<div class=\"plain\">"), 2U);  // one per component
  EXPECT_EQ(report_html({.result = small_result()}).find("Pairs of views"), std::string::npos);
}

TEST(Report, LongNamesKeepBothEnds) {
  RunSummary run{.result = small_result()};
  std::string name = "first_" + std::string(60, 'x') + "_last";
  run.result.model.views[0].name = name;
  run.result.model.views[0].feature_names = {name + "1", name + "2", name + "3", name + "4"};
  const std::string html = report_html(run);
  EXPECT_NE(html.find("…xxxxxxxx_last and "), std::string::npos);
  const std::regex cut_at_the_end("…</(text|td|h[1-6]|option|p)>");
  EXPECT_FALSE(std::regex_search(html, cut_at_the_end));
}

TEST(Report, NothingFromTheDataCanBecomeMarkup) {
  RunSummary run{.result = small_result()};
  run.sample_ids.assign(120, kHostile);
  run.labels.assign(120, kHostile);
  run.result.warnings = {kHostile};
  run.command = kHostile;
  run.inputs.views = {{kHostile, kHostile, 1, 1}, {kHostile, kHostile, 1, 1}};
  const std::string html = report_html(run);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<b>\""), std::string::npos);
  EXPECT_EQ(times(html, "<script"), 2U);
  EXPECT_EQ(times(html, "</script>"), 2U);
  EXPECT_EQ(data_of(html)["classes"][0], kHostile);
}

TEST(Report, ShowsFeaturesAcrossViewsAndShapValuesOfSomeSamples) {
  const auto views = testing::hermite_views(120, 2, 2, 1);
  RunSummary run{.result = small_result()};
  for (ViewModel& view : run.result.model.views) view.loadings.own(0, 0) = 0.9;
  run.result.model.correlations.pairwise.assign(8, 0.9);
  const std::string without = report_html(run);
  for (const char* heading : {"Correlation circle", "Features that go together", "Relevance network", "Loadings"}) {
    EXPECT_NE(without.find(heading), std::string::npos) << heading;
  }
  EXPECT_EQ(without.find("SHAP values</h5>"), std::string::npos);
  run.data = {views.a, views.b};
  const std::string html = report_html(run);
  EXPECT_EQ(times(html, "SHAP values</h5>"), 4U);  // 2 views x 2 components
  EXPECT_NE(html.find("60 of 120 samples"), std::string::npos);
  EXPECT_EQ(html, report_html(run));
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  run.data.pop_back();
  expect_error<DataError>([&] { report_html(run); }, {"all views of the model"});
}

TEST(Report, WithoutLoadingsOrWithOneComponent) {
  RunSummary run{.result = small_result()};
  for (ViewModel& view : run.result.model.views) view.loadings = {};
  const std::string html = report_html(run);
  EXPECT_EQ(html.find("Correlation circle"), std::string::npos);
  EXPECT_NE(html.find("Features that go together"), std::string::npos);
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST(Report, NeedsNoNetwork) {
  const std::string html = report_html({.result = small_result()});
  for (const char* word : {"http://", "https://", "src=", "@import", "url("}) {
    const std::size_t at = html.find(word);
    // The name of the SVG name space is an identifier, not an address to fetch.
    const bool name_space = at != std::string::npos && html.compare(at, 26, "http://www.w3.org/2000/svg") == 0;
    EXPECT_TRUE(at == std::string::npos || name_space) << word;
  }
}

TEST(Report, SaysWhenNothingIsKnownAboutNewSamples) {
  RunSummary run{.result = small_result("paper")};
  run.result.variates.clear();
  const std::string html = report_html(run);
  EXPECT_NE(html.find("without cross-fitting"), std::string::npos);
  EXPECT_EQ(html.find("id=\"samples\""), std::string::npos);  // no variates were given
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST(Report, OfPartsBlendsAndLinearCcaAlone) {
  const auto views = testing::linear_views(60, 3, 3, 2, 0.8, 1);
  for (const char* linear : {"0", "0.5", "1"}) {
    RunSummary run{.result = fit(views.views(), parameters_from_texts(
                                                    {{"n_repeats", "1"}, {"n_estimators", "10"}, {"linear", linear}}))};
    const std::string html = report_html(run);
    EXPECT_EQ(html.find("nan"), std::string::npos) << linear;
    EXPECT_NE(html.find(report::fixed(run.result.model.correlations.out_of_fold[0])), std::string::npos);
    EXPECT_EQ(data_of(html)["variates"].size(), 2U);
    EXPECT_EQ(html.find(" rounds.</p>") != std::string::npos, linear != std::string("1")) << linear;
    EXPECT_EQ(html.find("percentage of the gain") != std::string::npos, linear[0] == '0') << linear;
    EXPECT_EQ(html.find("squared linear coefficients") != std::string::npos, linear != std::string("0")) << linear;
    EXPECT_EQ(html.find("<h3>Training</h3>") != std::string::npos, linear != std::string("1")) << linear;
  }
}

TEST(Report, DrawsAtMostTwoThousandSamples) {
  RunSummary run{.result = small_result()};
  run.result.out_of_fold = {testing::normal_matrix(9001, 2, 1), testing::normal_matrix(9001, 2, 2)};
  const Json data = data_of(report_html(run));
  EXPECT_LE(data["ids"].size(), 2000U);
  EXPECT_GT(data["ids"].size(), 1500U);
  EXPECT_EQ(data["ids"][1], "sample 6");
}

TEST(Report, RefusesWhatDoesNotFitTheModel) {
  const FitResult result = small_result();
  const auto refused = [&](auto&& change, std::initializer_list<std::string_view> parts) {
    RunSummary run{.result = result};
    run.sample_ids.assign(120, "s");
    run.labels.assign(120, "case");
    EXPECT_FALSE(report_html(run).empty());  // as it is, it fits
    change(run);
    expect_error<DataError>([&] { report_html(run); }, parts);
  };
  refused([](RunSummary& run) { run.result.out_of_fold.pop_back(); }, {"2 views", "1 given"});
  refused([](RunSummary& run) { run.result.out_of_fold[1] = Matrix<float>(119, 2); }, {"same samples in every view"});
  refused([](RunSummary& run) { run.result.out_of_fold[1] = Matrix<float>(120, 3); }, {"the model's components"});
  refused([](RunSummary& run) { run.sample_ids.pop_back(); }, {"sample ids and labels"});
  refused([](RunSummary& run) { run.labels.pop_back(); }, {"sample ids and labels"});
}

TEST(Report, ShowsOutOfFoldVariatesIfThereAreAny) {
  RunSummary run{.result = small_result()};
  EXPECT_EQ(data_of(report_html(run))["kind"], "out-of-fold");
  EXPECT_NE(report_html(run).find("at its out-of-fold variates"), std::string::npos);
  run.result.out_of_fold.clear();
  const Json data = data_of(report_html(run));
  EXPECT_NE(report_html(run).find("at its in-sample variates"), std::string::npos);
  EXPECT_NEAR(data["variates"][1][0][5].number(), run.result.variates[1](5, 0), 6e-4);
}

}  // namespace
}  // namespace treecca
