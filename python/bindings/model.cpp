#include "treecca/model.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "feature_scores.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "treecca/error.hpp"
#include "treecca/export.hpp"
#include "treecca/fit.hpp"
#include "treecca/fold_importance.hpp"
#include "treecca/importance.hpp"
#include "treecca/intervals.hpp"
#include "treecca/loadings.hpp"
#include "treecca/metrics.hpp"
#include "treecca/new_data.hpp"
#include "treecca/partners.hpp"
#include "treecca/permutation_importance.hpp"
#include "treecca/shap.hpp"
#include "treecca/shape.hpp"

namespace treecca::python {
namespace {

const ViewModel& view_at(const Model& model, Index view) {
  if (view < 0 || view >= static_cast<Index>(model.views.size())) throw nb::index_error("no such view");
  return model.views[static_cast<std::size_t>(view)];
}

nb::dict texts_of(const Parameters& parameters) {
  nb::dict result;
  for_each_parameter([&](const Declaration& declaration, auto) {
    const std::string name(declaration.name);
    if (declaration.affects_model) result[name.c_str()] = to_text(parameters, name);
  });
  return result;
}

nb::list candidates_of(const Model& model) {
  nb::list candidates;
  for (const BlendResult& candidate : model.correlations.candidates) {
    nb::dict one;
    one["linear"] = candidate.linear;
    one["tcc"] = candidate.correlations.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                : total_correlation(candidate.correlations);
    one["judged"] = candidate.correlations.empty() ? std::numeric_limits<double>::quiet_NaN() : candidate.judged;
    one["correlations"] = to_numpy(candidate.correlations);
    one["chosen"] = candidate.chosen;
    candidates.append(one);
  }
  return candidates;
}

nb::object linear_map_of(const Model& model, Index view) {
  const LinearMap& map = view_at(model, view).linear;
  if (map.empty()) return nb::none();
  return nb::make_tuple(to_numpy(map.mean), to_numpy(Matrix<double>(map.weights)));
}

nb::object intervals_to_numpy(const std::vector<Interval>& intervals, const std::vector<std::size_t>& shape) {
  std::vector<double> values;
  for (const Interval& interval : intervals) values.insert(values.end(), {interval.low, interval.high});
  return nb::cast(to_numpy(std::move(values), shape));
}

nb::dict correlations_of(const Model& model) {
  const Correlations& c = model.correlations;
  const std::size_t m = model.views.size();
  nb::dict result;
  result["out_of_fold"] = to_numpy(c.out_of_fold);
  result["standard_errors"] = to_numpy(c.standard_errors);
  result["noise_thresholds"] = to_numpy(c.noise_thresholds);
  const CorrelationIntervals intervals = correlation_intervals(model);
  result["intervals"] = intervals_to_numpy(intervals.per_component, {intervals.per_component.size(), 2});
  result["in_sample"] = to_numpy(c.in_sample);
  result["linear_out_of_fold"] = to_numpy(c.linear_out_of_fold);
  result["linear_in_sample"] = to_numpy(c.linear_in_sample);
  result["linear_unadjusted"] = to_numpy(c.linear_unadjusted);
  const std::size_t k = static_cast<std::size_t>(model.n_components());
  result["pairwise"] = to_numpy(std::vector<double>(c.pairwise), {m, m, k});
  if (!intervals.pairwise.empty()) result["pairwise_intervals"] = intervals_to_numpy(intervals.pairwise, {m, m, k, 2});
  if (!c.pairwise_standard_errors.empty()) {
    result["pairwise_standard_errors"] = to_numpy(std::vector<double>(c.pairwise_standard_errors), {m, m, k});
    result["pairwise_noise_thresholds"] = to_numpy(std::vector<double>(c.pairwise_noise_thresholds), {m, m, k});
  }
  return result;
}

nb::dict history_of(const Model& model) {
  const std::size_t m = model.views.size();
  nb::dict result;
  result["round"] = to_numpy(model.history.round);
  result["loss"] = to_numpy(model.history.loss);
  result["tcc"] = to_numpy(model.history.tcc);
  result["train_tcc"] = to_numpy(model.history.train_tcc);
  result["variance"] = to_numpy(std::vector<double>(model.history.variance.values()),
                                {static_cast<std::size_t>(model.history.variance.rows()), m,
                                 static_cast<std::size_t>(model.parameters.trained_components())});
  return result;
}

nb::object screening_of(const Model& model, Index view) {
  const ViewModel& of_view = view_at(model, view);
  if (of_view.screening.empty()) return nb::none();
  const auto& kept = of_view.screening.kept;
  const std::size_t p = of_view.feature_names.size();
  std::vector<std::uint8_t> may_use(kept.size() * p, 0);
  for (std::size_t e = 0; e < kept.size(); ++e) {
    for (const std::int32_t feature : kept[e]) may_use[e * p + static_cast<std::size_t>(feature)] = 1;
  }
  nb::dict result = scores_of(of_view.screening.scores);
  result["kept"] = to_numpy(std::move(may_use), {kept.size(), p});
  return result;
}

nb::dict loadings_of(const Model& model, Index view) {
  const ViewModel& of_view = view_at(model, view);
  const Loadings& loadings = of_view.loadings;
  nb::dict result;
  const auto add = [&](const char* name, const Matrix<double>& values, const Matrix<double>& errors) {
    if (values.empty()) return;
    std::vector<double> intervals;
    for (Index j = 0; j < values.rows(); ++j) {
      for (Index k = 0; k < values.cols(); ++k) {
        const Interval interval = loading_interval(of_view, values, errors, j, k);
        intervals.insert(intervals.end(), {interval.low, interval.high});
      }
    }
    const auto rows = static_cast<std::size_t>(values.rows()), cols = static_cast<std::size_t>(values.cols());
    result[name] = nb::make_tuple(to_numpy(Matrix<double>(values)), to_numpy(std::move(intervals), {rows, cols, 2}));
  };
  add("own", loadings.own, loadings.own_errors);
  add("cross", loadings.cross, loadings.cross_errors);
  return result;
}

nb::ndarray<nb::numpy, float> transform_view(const Model& model, Index view, const InputArray& values, Index n_jobs,
                                             const std::vector<InputCovariate>& covariates) {
  view_at(model, view);
  const std::vector<Covariate> given = covariates_from(covariates);
  const MatrixView numbers = as_view(values);
  Matrix<float> variates;
  {
    const nb::gil_scoped_release release;
    variates = transform(model, view, numbers, n_jobs, given);
  }
  return to_numpy(std::move(variates));
}

nb::tuple shap_of_view(const Model& model, Index view, const InputArray& values, Index n_jobs) {
  const MatrixView numbers = as_view(values);
  ShapValues shap = run_interruptible(
      [&](const std::atomic<bool>& stop) { return shap_values(model, view, numbers, n_jobs, &stop); });
  const std::vector<std::size_t> shape{values.shape(0), values.shape(1), shap.base_values.size()};
  return nb::make_tuple(to_numpy(std::move(shap.values), shape), to_numpy(shap.base_values));
}

nb::ndarray<nb::numpy, double> shap_interactions_of_view(const Model& model, Index view, const InputArray& values,
                                                         Index component, Index n_jobs) {
  const MatrixView numbers = as_view(values);
  std::vector<double> pairs = run_interruptible(
      [&](const std::atomic<bool>& stop) { return shap_interactions(model, view, numbers, component, n_jobs, &stop); });
  return to_numpy(std::move(pairs), {values.shape(0), values.shape(1), values.shape(1)});
}

/// Rows of a table: feature, view and feature of the partner, strength, correlation, component.
nb::list partners_of(const Model& model, Index view, const std::vector<Index>& features, Index most, Index component) {
  const auto one = component < 0 ? std::nullopt : std::optional<Index>(component);
  const std::vector<std::vector<Partner>> found = partners(model, view, features, most, one);
  nb::list rows;
  for (std::size_t f = 0; f < features.size(); ++f) {
    for (const Partner& partner : found[f]) {
      rows.append(nb::make_tuple(features[f], partner.view, partner.feature, partner.strength, partner.correlation,
                                 partner.component));
    }
  }
  return rows;
}

nb::tuple associations_of(const Model& model, Index view, const std::vector<Index>& features, Index other,
                          const std::vector<Index>& other_features, Index component) {
  const auto one = component < 0 ? std::nullopt : std::optional<Index>(component);
  Associations found = associations(model, view, features, other, other_features, one);
  return nb::make_tuple(to_numpy(std::move(found.strength)), to_numpy(std::move(found.correlation)));
}

nb::tuple drops_to_python(PermutationImportances found) {
  nb::list drops, deviations;
  for (Matrix<double>& of_view : found.drops) drops.append(to_numpy(std::move(of_view)));
  for (Matrix<double>& of_view : found.deviations) deviations.append(to_numpy(std::move(of_view)));
  return nb::make_tuple(to_numpy(std::move(found.correlations)), drops, deviations);
}

nb::tuple permutation_importances_of(const Model& model, const std::vector<InputArray>& views, Index n_permutations,
                                     std::uint64_t random_state, Index n_jobs,
                                     const std::vector<InputCovariate>& covariates) {
  std::vector<MatrixView> values;
  for (const InputArray& view : views) values.push_back(as_view(view));
  PermutationImportanceOptions options;
  options.n_permutations = n_permutations;
  options.random_state = random_state;
  options.n_jobs = n_jobs;
  options.covariates = covariates_from(covariates);
  return drops_to_python(run_interruptible([&](const std::atomic<bool>& stop) {
    options.stop = &stop;
    return permutation_importances(model, values, options);
  }));
}

nb::tuple out_of_fold_importances_of(const Model& model, const std::vector<InputView>& inputs, Index n_permutations,
                                     std::uint64_t random_state, Index n_jobs, const Groups& groups,
                                     const Weights& sample_weight, const nb::object& on_round,
                                     const std::vector<InputCovariate>& covariates) {
  const std::vector<View> views = views_from(inputs);
  OutOfFoldImportanceOptions options;
  options.n_permutations = n_permutations;
  options.random_state = random_state;
  options.fit.groups = copied(groups);
  options.fit.sample_weight = copied(sample_weight);
  options.fit.covariates = covariates_from(covariates);
  options.fit.on_round = progress_by(on_round);
  Model own = model;
  own.asked.n_jobs = n_jobs;
  return drops_to_python(run_interruptible([&](const std::atomic<bool>& stop) {
    options.fit.stop = &stop;
    return out_of_fold_importances(own, views, options);
  }));
}

std::string seen_samples_warning(const Model& model, const std::vector<InputArray>& views, Index n_jobs) {
  std::vector<MatrixView> values;
  for (const InputArray& view : views) values.push_back(as_view(view));
  const nb::gil_scoped_release release;
  return seen_samples(model, values, n_jobs).warning;
}

std::string far_from_training_warning(const Model& model, Index view, const InputArray& values, Index n_jobs) {
  const MatrixView numbers = as_view(values);
  const nb::gil_scoped_release release;
  return far_from_training(model, view, numbers, n_jobs);
}

ModelFormat format_of(const std::string& name) {
  if (name == "json") return ModelFormat::json;
  if (name == "ubjson") return ModelFormat::ubjson;
  throw UsageError("The format of a model is \"json\" or \"ubjson\".");
}

/// Ignores the number of threads, which model files do not hold.
Model without_jobs(Model model) {
  model.parameters.n_jobs = -1;
  model.asked.n_jobs = -1;
  return model;
}

nb::bytes bytes_of(const Model& model, const std::string& format) {
  const std::string text = serialize_model(model, format_of(format));
  return nb::bytes(text.data(), text.size());
}

Model from_bytes(const nb::bytes& bytes) { return parse_model({bytes.c_str(), bytes.size()}); }

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A fitted model: trees, rotation, correlations, curves.")
      .def_prop_ro("n_components", &Model::n_components)
      .def_ro("n_samples", &Model::n_samples)
      .def_ro("independent_samples", &Model::independent_samples)
      .def_ro("shared_samples", &Model::shared_samples)
      .def_ro("rounds", &Model::rounds)
      .def_prop_ro(
          "parameters", [](const Model& model) { return texts_of(model.parameters); },
          "Every parameter that affects the model, as text, with its automatic values resolved.")
      .def_prop_ro(
          "asked", [](const Model& model) { return texts_of(model.asked); }, "The same as given.")
      .def_prop_ro("found_pairs", &Model::found_pairs,
                   "Per pair of views and component: whether it is above noise. Empty without cross-fitting.")
      .def_prop_ro("found", &Model::found, "Per component: whether it is above noise. Empty without cross-fitting.")
      .def_prop_ro("candidates", candidates_of, "The blends with linear CCA that were compared.")
      .def("linear_map", linear_map_of, nb::arg("view"),
           nb::sig("def linear_map(self, view: int) -> tuple[numpy.typing.NDArray, numpy.typing.NDArray] | None"),
           "Means (p) and weights (p x K) of linear CCA's part of the variates; None if its weight is 0.")
      .def_prop_ro(
          "engine_params",
          [](const Model& model) {
            nb::dict given;
            for (const auto& [name, value] : model.engine_params) given[name.c_str()] = value;
            return given;
          },
          "Parameters passed on to the library that grew the trees, as text.")
      .def_prop_ro("correlations", correlations_of)
      .def_prop_ro("history", history_of)
      .def_prop_ro("n_views", [](const Model& model) { return model.views.size(); })
      .def(
          "view_name", [](const Model& model, Index view) { return view_at(model, view).name; }, nb::arg("view"))
      .def(
          "feature_names", [](const Model& model, Index view) { return view_at(model, view).feature_names; },
          nb::arg("view"))
      .def("screening", screening_of, nb::arg("view"), nb::sig("def screening(self, view: int) -> dict | None"),
           "Result of feature screening (kept: 1 where the trees of an encoder may use a feature); None if not used.")
      .def("loadings", loadings_of, nb::arg("view"), nb::sig("def loadings(self, view: int) -> dict"),
           "Correlations (p x K) of the features with the variates and their 95% intervals (p x K x 2): own, cross.")
      .def(
          "explained_variance",
          [](const Model& model, Index view) { return to_numpy(explained_variance(model, view)); }, nb::arg("view"))
      .def(
          "redundancy", [](const Model& model, Index view) { return to_numpy(redundancy(model, view)); },
          nb::arg("view"))
      .def(
          "levels", [](const Model& model, Index view) { return view_at(model, view).levels; }, nb::arg("view"),
          "Per feature the levels of a category, none for a number; empty without categories.")
      .def(
          "n_parts", [](const Model& model) { return model.views[0].parts.size(); },
          "Number of parts that the model is the mean of; 0 if it is linear CCA alone.")
      .def(
          "rotation",
          [](const Model& model, Index view, Index part) {
            const std::vector<PartModel>& parts = view_at(model, view).parts;
            if (part < 0 || part >= static_cast<Index>(parts.size())) throw nb::index_error("no such part");
            return to_numpy(Matrix<double>(parts[static_cast<std::size_t>(part)].rotation));
          },
          nb::arg("view"), nb::arg("part") = 0, "W x K: embedding of a part to variates; W = K + n_oversamples.")
      .def_prop_ro(
          "covariates",
          [](const Model& model) {
            std::vector<std::string> names;
            for (const CovariateTerm& term : model.covariates) names.push_back(term.name);
            return names;
          },
          "Names of the covariates whose effect transform subtracts.")
      .def(
          "covariate_effect",
          [](const Model& model, Index view, const std::vector<InputCovariate>& covariates, Index rows) {
            return to_numpy(covariate_effect(model, view, covariates_from(covariates), rows));
          },
          nb::arg("view"), nb::arg("covariates"), nb::arg("rows"), "N x K: what transform subtracts.")
      .def("transform", transform_view, nb::arg("view"), nb::arg("values"), nb::arg("n_jobs") = -1,
           nb::arg("covariates") = std::vector<InputCovariate>{},
           "Variates (N x K) of new rows of one view, columns in the model's order.")
      .def(
          "component_importances",
          [](const Model& model, Index view, const std::string& kind) {
            view_at(model, view);
            return to_numpy(component_importances(model, view, importance_kind(kind)));
          },
          nb::arg("view"), nb::arg("kind") = "gain")
      .def(
          "feature_importances",
          [](const Model& model, Index view, const std::string& kind) {
            view_at(model, view);
            return to_numpy(feature_importances(model, view, importance_kind(kind)));
          },
          nb::arg("view"), nb::arg("kind") = "gain")
      .def(
          "shape_curve",
          [](const Model& model, Index view, Index feature, Index max_steps) {
            ShapeCurve curve = shape_curve(model, view, feature, max_steps);
            return nb::make_tuple(to_numpy(curve.thresholds), to_numpy(std::move(curve.values)),
                                  to_numpy(curve.missing));
          },
          nb::arg("view"), nb::arg("feature"), nb::arg("max_steps") = 64,
          "Variates as a function of a feature: thresholds, values (one row per step), value if it is missing.")
      .def("shap_values", shap_of_view, nb::arg("view"), nb::arg("values"), nb::arg("n_jobs") = -1,
           "SHAP values (N x p x K) of rows of one view, columns in the model's order, and base values (K).")
      .def("shap_interactions", shap_interactions_of_view, nb::arg("view"), nb::arg("values"), nb::arg("component"),
           nb::arg("n_jobs") = -1, "SHAP interaction values (N x p x p) of one component, counted from 0.")
      .def("partners", partners_of, nb::arg("view"), nb::arg("features"), nb::arg("most"), nb::arg("component") = -1,
           "Strongest partners in other views: (feature, view, partner, strength, correlation, component) each; "
           "component -1: all together.")
      .def("associations", associations_of, nb::arg("view"), nb::arg("features"), nb::arg("other"),
           nb::arg("other_features"), nb::arg("component") = -1,
           "Strength and correlation of these features with features of another view, one row per feature.")
      .def("permutation_importances", permutation_importances_of, nb::arg("views"), nb::arg("n_permutations") = 5,
           nb::arg("random_state") = 0, nb::arg("n_jobs") = -1, nb::arg("covariates") = std::vector<InputCovariate>{},
           "Correlations (M x K), and per view the drops and their standard deviations (K x p each).")
      .def("out_of_fold_importances", out_of_fold_importances_of, nb::arg("views"), nb::arg("n_permutations"),
           nb::arg("random_state"), nb::arg("n_jobs"), nb::arg("groups").none(), nb::arg("sample_weight").none(),
           nb::arg("on_round").none(), nb::arg("covariates"), "The same for the samples of the fit, by refits.")
      .def("seen_samples", seen_samples_warning, nb::arg("views"), nb::arg("n_jobs") = -1,
           "A warning if the model was fitted to some of these samples; views: arrays in the model's order.")
      .def("far_from_training", far_from_training_warning, nb::arg("view"), nb::arg("values"), nb::arg("n_jobs") = -1,
           "A warning if the values are far from the values of the fit, or an empty text.")
      .def("far_below_fit", far_below_fit, nb::arg("correlations"), nb::arg("n_samples"),
           "A warning if correlations of new samples are far below the correlations of the fit, or an empty text.")
      .def(
          "regression", [](const Model& model, Index from, Index to) { return to_numpy(regression(model, from, to)); },
          nb::arg("from_view"), nb::arg("to_view"), "Per component: variate of to_view per variate of from_view.")
      .def(
          "save", [](const Model& model, const std::string& path) { save_model(model, path); }, nb::arg("path"))
      .def(
          "export",
          [](const Model& model, const std::string& folder, const std::string& format) {
            return export_model(model, folder, export_format(format));
          },
          nb::arg("folder"), nb::arg("format"), "Writes one file per view for another program and returns the paths.")
      .def("to_bytes", bytes_of, nb::arg("format") = "ubjson")
      .def_static(
          "load", [](const std::string& path) { return load_model(path); }, nb::arg("path"))
      .def(
          "__init__", [](Model* model, const nb::bytes& data) { new (model) Model(from_bytes(data)); }, nb::arg("data"),
          "The model of these bytes of a model file; see to_bytes.")
      // For every protocol of pickle, and for skops, which only calls constructors.
      .def("__reduce__",
           [](nb::handle_t<Model> self) {
             return nb::make_tuple(self.type(), nb::make_tuple(bytes_of(nb::cast<const Model&>(self), "ubjson")));
           })
      .def(
          "__eq__", [](const Model& model, const Model& other) { return without_jobs(model) == without_jobs(other); },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
}

}  // namespace treecca::python
