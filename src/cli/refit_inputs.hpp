// The inputs of commands that fit a model again (permutation-test, stability): views in the model's order, groups,
// weights and covariates, with progress and Ctrl-C.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "support/atomic_folder.hpp"
#include "treecca/fit.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

/// Adds the shared options to a command's own: MODEL comes first, --n_jobs and `seed` last.
std::vector<Option> refit_options(std::vector<Option> own, const std::string& out_help, Option seed);

class RefitInputs {
 public:
  /// Reads the model and its views and prints a summary of the input. `out_files`: names of the files that the command
  /// writes into --out; `wrong_without_groups`: the consequence of leaving out the fit's groups, as part of a sentence.
  /// UsageError, FileError, DataError.
  RefitInputs(const Arguments& arguments, const std::vector<std::string>& out_files,
              const std::string& wrong_without_groups);
  RefitInputs(const RefitInputs&) = delete;
  RefitInputs& operator=(const RefitInputs&) = delete;

  const Model& model() const { return model_; }  // with n_jobs of the command
  const std::optional<OutputFolder>& out() const { return out_; }
  const std::vector<View>& views() const { return views_; }  // refer to this object
  /// Groups, weights and covariates; prints warnings. Both arguments must outlive the work.
  FitOptions options(const StopScope& stop, ProgressLine& progress) const;

 private:
  Model model_;
  std::optional<OutputFolder> out_;
  std::vector<Table> tables_;
  std::vector<View> views_;
  FitOptions options_;
};

}  // namespace treecca::cli
