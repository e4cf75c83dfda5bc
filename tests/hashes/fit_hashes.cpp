// Prints one line per fit, "name hash": the hash covers the model file and the variates, byte for byte.
//
// A change that must not change results prints the same lines before and after (scripts/compare-fits). Uses public
// headers alone, so that it compiles against older versions of the library. The fits cover engines, objectives, kinds
// of trees, initial values, schedules, more than two views, weights, groups, screening, one table, cross-validation,
// and processes played by threads. Hashes depend on compiler and processor: compare runs of one machine only. An engine
// whose library is not installed prints "absent".
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "helpers/random_data.hpp"
#include "helpers/synthetic_views.hpp"
#include "helpers/thread_workers.hpp"
#include "treecca/treecca.hpp"

namespace {

using treecca::Index;
using treecca::Matrix;
using treecca::View;
using treecca::testing::hermite_views;
using treecca::testing::linear_views;
using treecca::testing::normal_matrix;

/// FNV-1a.
class Hash {
 public:
  void add(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      value_ = (value_ ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001B3ULL;
    }
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.data(), values.size() * sizeof(T));
  }
  void add(const treecca::FitResult& result) {
    const std::string model = treecca::serialize_model(result.model, treecca::ModelFormat::ubjson);
    add(model.data(), model.size());
    for (const auto& matrices : {&result.variates, &result.out_of_fold}) {
      for (const Matrix<float>& matrix : *matrices) add(matrix.values());
    }
  }
  unsigned long long value() const { return value_; }

 private:
  unsigned long long value_ = 0xCBF29CE484222325ULL;
};

using Texts = std::vector<std::pair<std::string, std::string>>;

void print(const char* name, const std::function<void(Hash&)>& run) {
  try {
    Hash hash;
    run(hash);
    std::printf("%s %016llx\n", name, hash.value());
  } catch (const treecca::FileError&) {
    std::printf("%s absent\n", name);
  } catch (const std::exception& e) {
    std::printf("%s failed: %s\n", name, e.what());
  }
  std::fflush(stdout);
}

/// Preset plain on top, which older versions have as their default.
Texts plain(Texts texts) {
  for (const auto& text : texts) {
    if (text.first == "preset") return texts;
  }
  try {
    treecca::parameters_from_texts({{"preset", "plain"}});
    texts.insert(texts.begin(), {"preset", "plain"});
  } catch (const treecca::UsageError&) {
  }
  return texts;
}

void print_fit(const char* name, const std::vector<View>& views, Texts texts, const treecca::FitOptions& options = {}) {
  texts.insert(texts.begin(), {"n_components", "3"});
  print(name,
        [&](Hash& hash) { hash.add(treecca::fit(views, treecca::parameters_from_texts(plain(texts)), options)); });
}

void print_ssl(const char* name, const View& view, Texts texts, const treecca::SslOptions& options) {
  texts.insert(texts.begin(), {"n_components", "3"});
  print(name, [&](Hash& hash) {
    hash.add(treecca::fit_ssl(view, treecca::parameters_from_texts(texts, treecca::ssl_parameters), options));
  });
}

/// The rows dealt out to workers in turn; every worker's result counts.
void print_distributed(const char* name, const std::vector<View>& views, Texts texts,
                       const treecca::FitOptions& options = {}) {
  constexpr int kWorkers = 3;
  texts.insert(texts.begin(), {"n_components", "3"});
  print(name, [&](Hash& hash) {
    std::vector<treecca::FitResult> results(kWorkers);
    treecca::testing::run_all_workers(kWorkers, [&](treecca::Communicator& communicator) {
      treecca::FitOptions own;
      own.communicator = &communicator;
      std::vector<Matrix<float>> parts;
      for (Index i = communicator.rank(); i < views[0].values.rows(); i += kWorkers) {
        own.row_numbers.push_back(i);
        if (!options.groups.empty()) own.groups.push_back(options.groups[static_cast<std::size_t>(i)]);
        if (!options.sample_weight.empty()) {
          own.sample_weight.push_back(options.sample_weight[static_cast<std::size_t>(i)]);
        }
      }
      for (const View& view : views) {
        Matrix<float> part(static_cast<Index>(own.row_numbers.size()), view.values.cols());
        for (Index i = 0; i < part.rows(); ++i) {
          for (Index j = 0; j < part.cols(); ++j) part(i, j) = view.values(own.row_numbers[i], j);
        }
        parts.push_back(std::move(part));
      }
      std::vector<View> here;
      for (std::size_t v = 0; v < views.size(); ++v) here.push_back({views[v].name, parts[v]});
      results[static_cast<std::size_t>(communicator.rank())] =
          treecca::fit(here, treecca::parameters_from_texts(plain(texts)), own);
    });
    for (const treecca::FitResult& result : results) hash.add(result);
  });
}

}  // namespace

int main() {
  const auto hermite = hermite_views(600, 3, 5, 1);
  const auto linear = linear_views(300, 12, 9, 3, 0.8, 2);
  const auto wide = linear_views(120, 300, 200, 3, 0.9, 3);
  Matrix<float> third = normal_matrix(600, 6, 77);
  for (Index i = 0; i < 600; ++i) third(i, 0) += 2 * hermite.a(i, 0);
  const std::vector<View> three{{"a", hermite.a}, {"b", hermite.b}, {"c", third}};

  Matrix<double> doubles(300, 12);
  for (Index i = 0; i < 300; ++i) {
    for (Index j = 0; j < 12; ++j) {
      doubles(i, j) = (i * 7 + j) % 11 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                            : static_cast<double>(linear.a(i, j)) * (1 + 1e-12) + 1e-9;
    }
  }
  treecca::FitOptions weighted;
  treecca::FitOptions grouped;
  for (Index i = 0; i < 600; ++i) {
    weighted.sample_weight.push_back(0.25 + static_cast<double>(i % 5));
    grouped.groups.push_back((i * i) % 37);
  }
  treecca::FitOptions both = weighted;
  both.groups = grouped.groups;

  const Texts early{{"early_stopping_rounds", "10"}, {"n_estimators", "80"}};
  const auto with = [](Texts texts, Texts more) {
    texts.insert(texts.end(), more.begin(), more.end());
    return texts;
  };
  print_fit("default", hermite.views(), {});
  print_fit("scalar_ey_gauss_seidel_early", hermite.views(),
            with(early, {{"trees", "scalar"}, {"objective", "ey"}, {"schedule", "gauss-seidel"}}));
  print_fit("paper", hermite.views(), {{"preset", "paper"}, {"n_estimators", "60"}});
  print_fit("three_views_screened_oversampled", three, {{"screen", "4"}, {"n_oversamples", "2"}});
  print_fit("three_views_gauss_seidel", three, {{"schedule", "gauss-seidel"}, {"n_estimators", "60"}});
  print_fit("three_views_paper", three, {{"preset", "paper"}, {"n_estimators", "40"}});
  print_fit("weights", hermite.views(), {{"n_estimators", "60"}}, weighted);
  print_fit("groups", hermite.views(), {{"n_estimators", "60"}}, grouped);
  print_fit("weights_groups_ey", three, {{"n_estimators", "40"}, {"objective", "ey"}}, both);
  print_fit("random_start", linear.views(), {{"init", "random"}, {"n_estimators", "60"}});
  print_fit("random_orthogonal_kept", linear.views(),
            {{"init", "random-orthogonal"}, {"init_fade", "0"}, {"n_estimators", "60"}});
  print_fit("pca_scaled_unrotated", linear.views(), {{"init", "pca-scaled"}, {"rotate", "false"}});
  print_fit("early_unrotated", linear.views(), with(early, {{"rotate", "false"}}));
  print_fit("sampled_scalar", linear.views(),
            {{"trees", "scalar"}, {"subsample", "0.7"}, {"colsample_bytree", "0.5"}, {"n_estimators", "60"}});
  print_fit("doubles_missing", {{"a", doubles}, {"b", linear.b}}, {{"n_jobs", "1"}});
  print_fit("wide_screen_auto", wide.views(), {{"screen", "auto"}, {"n_estimators", "60"}});
  print_fit("wide", wide.views(), {{"n_estimators", "60"}});
  print_fit("xgboost_joint", hermite.views(), {{"engine", "xgboost"}, {"n_estimators", "40"}});
  print_fit("xgboost_screened", wide.views(), {{"engine", "xgboost"}, {"screen", "20"}, {"n_estimators", "30"}});
  print_fit("lightgbm_early", hermite.views(), with(early, {{"engine", "lightgbm"}, {"trees", "scalar"}}));

  treecca::SslOptions swap;
  swap.augmentation.swap = 0.3;
  treecca::SslOptions noise;
  noise.augmentation.noise = 0.2;
  noise.augmentation.mask = 0.1;
  noise.rows = treecca::SslRows::symmetrised;
  noise.groups = grouped.groups;
  const View table{"table", hermite.a};
  print_ssl("ssl", table, {{"n_estimators", "40"}}, swap);
  print_ssl("ssl_folds", table, {{"n_estimators", "40"}, {"cross_fit", "3"}}, swap);
  print_ssl("ssl_symmetrised_groups_joint", table,
            {{"n_estimators", "30"}, {"cross_fit", "3"}, {"trees", "joint"}, {"init", "pca"}}, noise);
  print_ssl("ssl_paper", table, {{"preset", "paper"}, {"n_estimators", "40"}}, noise);
  print_ssl("ssl_xgboost", table, {{"engine", "xgboost"}, {"n_estimators", "15"}}, swap);

  print_distributed("processes", hermite.views(), {{"n_estimators", "40"}});
  print_distributed("processes_weights_groups_ey", three,
                    {{"n_estimators", "25"}, {"objective", "ey"}, {"trees", "scalar"}, {"cross_fit", "3"}}, both);

  print("cross_validation", [&](Hash& hash) {
    std::vector<treecca::Parameters> settings =
        treecca::parameter_grid(plain({{"n_estimators", "40"}}), {{"max_depth", {"2", "4"}}, {"screen", {"0", "4"}}});
    treecca::CvOptions options;
    options.fit = both;
    for (const treecca::CvResult& result : treecca::cross_validate(three, settings, options)) {
      hash.add(result.correlations);
      hash.add(result.curve);
      hash.add(&result.found_tcc, sizeof(double));
    }
  });
  print("screen_scores", [&](Hash& hash) {
    for (const treecca::FeatureScores& scores : treecca::screen(wide.views())) {
      hash.add(scores.score);
      hash.add(scores.p_value);
      hash.add(scores.partner);
    }
  });
}
