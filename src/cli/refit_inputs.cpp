#include "cli/refit_inputs.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/data_options.hpp"
#include "cli/inputs.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/view_files.hpp"

namespace treecca::cli {
namespace {

/// Without --adjust, because the covariates are those of the model.
std::vector<Option> data_options_without_adjust() {
  std::vector<Option> options = data_options();
  std::erase_if(options, [](const Option& option) { return option.name == "adjust"; });
  return options;
}

}  // namespace

std::vector<Option> refit_options(std::vector<Option> own, const std::string& out_help, Option seed) {
  own.insert(own.begin(), model_argument());
  return combined(
      {std::move(own), data_options_without_adjust(), output_options(out_help), {std::move(seed), threads_option()}});
}

RefitInputs::RefitInputs(const Arguments& arguments, const std::vector<std::string>& out_files,
                         const std::string& wrong_without_groups) {
  const std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  const DataOptions data = data_options_of(arguments);
  DataOptions without_covariates = data;  // the model's covariates are read by name
  without_covariates.covariates = {};
  model_ = load_model(arguments.text("MODEL"));
  for (const ViewFile& file : files) view_index(model_, file.name, "Name one with --view NAME=FILE.");
  check_all_views_given(model_, files, arguments.command());
  if (arguments.has("out")) {
    out_.emplace(arguments.text("out"));
    std::vector<std::string> paths;
    for (const std::string& name : out_files) paths.push_back(out_->path() + "/" + name);
    refuse_overwriting(paths, input_paths(files, data));
  }
  model_.asked.n_jobs = parse_parameters(arguments.parameters()).n_jobs;
  tables_ = read_views_of(model_, files, read_options_of(arguments, files), model_.asked.n_jobs);
  const JoinedInputs inputs = join_inputs(tables_, paths_of(files), data.join);
  print_inputs(inputs, !arguments.has("json") && !arguments.has("quiet"));
  views_.resize(model_.views.size());
  for (const View& view : views_of(tables_)) views_[static_cast<std::size_t>(view_index(model_, view.name))] = view;
  std::vector<Covariate> covariates = covariates_for(model_, data.covariates, tables_.front());
  options_ = fit_options_of(without_covariates, tables_);
  options_.covariates = std::move(covariates);
  if (options_.groups.empty() && model_.independent_samples < model_.n_samples) {
    print_warnings(
        {fmt::format("The model was fitted with groups. Give them here too (--groups), or {}.", wrong_without_groups)});
  }
}

FitOptions RefitInputs::options(const StopScope& stop, ProgressLine& progress) const {
  FitOptions options = options_;
  options.stop = stop.flag();
  options.on_warning = [](const std::string& warning) { print_warnings({warning}); };
  options.on_round = [&progress](const Progress& state) { progress.update(state); };
  return options;
}

}  // namespace treecca::cli
