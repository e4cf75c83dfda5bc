#include "cli/verbs.hpp"

namespace treecca::cli {

std::vector<Verb> all_verbs() {
  return {demo_verb(),
          fit_verb(),
          cv_verb(),
          ssl_verb(),
          transform_verb(),
          score_verb(),
          permutation_test_verb(),
          stability_verb(),
          importance_verb(),
          explain_verb(),
          permutation_importance_verb(),
          partners_verb(),
          inspect_verb(),
          convert_verb(),
          export_verb()};
}

}  // namespace treecca::cli
