// Prints the parts of a fit and what is made of them as JSON, for python/tests/test_reference.py, which repeats steps 5
// to 11 of the recipe in NumPy. Usage: treecca_parts CASE (0, 1, ...)
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "data/dataset.hpp"
#include "fit/candidate.hpp"
#include "fit/choose.hpp"
#include "fit/part.hpp"
#include "fit/resolve.hpp"
#include "helpers/synthetic_views.hpp"
#include "linalg/row_products.hpp"
#include "support/document.hpp"

namespace treecca {
namespace {

struct Case {
  Index rows;
  Index components;
  Index repeats;
  bool three_views;
  Index groups;  // 0: none
};
constexpr Case kCases[] = {{60, 2, 3, false, 0}, {240, 3, 2, true, 30}, {150, 2, 1, false, 0}, {45, 3, 4, true, 0}};

Document rows_of(const Matrix<float>& z) { return Document(to_doubles(z).values()); }
Document rows_of(const Matrix<double>& z) { return Document(z.values()); }

template <class Rows>
Document all_rows(const std::vector<Rows>& views) {
  std::vector<Document> items;
  for (const Rows& view : views) items.push_back(rows_of(view));
  return Document(std::move(items));
}

Document document_of(const Candidate& candidate) {
  std::vector<Matrix<double>> alignment, rotation;
  for (const auto& matrix : candidate.alignment) alignment.push_back(to_matrix(matrix));
  for (const auto& matrix : candidate.rotation) rotation.push_back(to_matrix(matrix));
  const auto views = static_cast<int>(rotation.size());
  return Document::object()
      .add("weight", candidate.linear_weight)
      .add("alignment", all_rows(alignment))
      .add("rotation", all_rows(rotation))
      .add("own", candidate.correlations().per_component)
      .add("plain", pooled_correlations(candidate.plain, views).per_component)
      .add("rows", all_rows(candidate.held_out));
}

int print_case(const Case& one) {
  const testing::TwoViews linear = testing::linear_views(one.rows, 8, 7, 2, 0.7, 5);
  const testing::TwoViews nonlinear = testing::hermite_views(one.rows, 2, 4, 9);
  std::vector<View> views{{"a", one.three_views ? linear.a : nonlinear.a},
                          {"b", one.three_views ? linear.b : nonlinear.b}};
  if (one.three_views) views.push_back({"c", nonlinear.a});
  SampleOptions options;
  for (Index i = 0; one.groups > 0 && i < one.rows; ++i) options.groups.push_back(i % one.groups);
  const Dataset data = check_dataset(views, options);
  Parameters asked;
  asked.n_components = one.components;
  asked.n_repeats = one.repeats;
  asked.n_estimators = 25;
  asked.random_state = 3;
  const Setting setting{resolve(asked, data), {}};
  const RunOptions quiet;
  Run run(quiet, 1);
  TrainingData shared(data);
  const LinearViews linear_views(matrices_of(data.views), data.samples, 3, 1);
  const FittedParts fitted =
      fit_parts(shared, linear_views, setting, make_splits(data.samples, setting.parameters), run);
  const Blends blends(fitted, setting.parameters, data.samples);
  const Choice choice = choose(blends.candidates, data.samples);

  std::vector<Document> parts, candidates, held_out;
  for (const Part& part : fitted.parts) {
    parts.push_back(Document::object().add("trees", all_rows(part.trees)).add("linear", all_rows(part.linear)));
  }
  for (const Candidate& candidate : blends.candidates) candidates.push_back(document_of(candidate));
  for (const std::vector<int>& of_row : fitted.held_out.part_of_row) {
    held_out.emplace_back(std::vector<double>(of_row.begin(), of_row.end()));
  }
  std::cout << write_json(Document::object()
                              .add("rows", one.rows)
                              .add("components", one.components)
                              .add("groups", std::vector<double>(options.groups.begin(), options.groups.end()))
                              .add("held_out", Document(std::move(held_out)))
                              .add("parts", Document(std::move(parts)))
                              .add("candidates", Document(std::move(candidates)))
                              .add("best", static_cast<Index>(choice.best))
                              .add("correlations", choice.out_of_fold.per_component)
                              .add("standard_errors", choice.standard_errors.per_component)
                              .add("pairwise_standard_errors", choice.standard_errors.pairwise));
  return 0;
}

}  // namespace
}  // namespace treecca

int main(int argc, char** argv) {
  const int number = argc == 2 ? std::atoi(argv[1]) : -1;
  if (number < 0 || number >= static_cast<int>(std::size(treecca::kCases))) {
    std::fprintf(stderr, "usage: treecca_parts CASE, 0 to %d\n", static_cast<int>(std::size(treecca::kCases)) - 1);
    return 2;
  }
  return treecca::print_case(treecca::kCases[number]);
}
