// TreeCCA: nonlinear canonical correlation analysis with gradient-boosted trees.
#pragma once

#include "treecca/cv.hpp"                      // IWYU pragma: export
#include "treecca/distributed.hpp"             // IWYU pragma: export
#include "treecca/engines.hpp"                 // IWYU pragma: export
#include "treecca/error.hpp"                   // IWYU pragma: export
#include "treecca/export.hpp"                  // IWYU pragma: export
#include "treecca/fit.hpp"                     // IWYU pragma: export
#include "treecca/fold_importance.hpp"         // IWYU pragma: export
#include "treecca/importance.hpp"              // IWYU pragma: export
#include "treecca/intervals.hpp"               // IWYU pragma: export
#include "treecca/linear_map.hpp"              // IWYU pragma: export
#include "treecca/loadings.hpp"                // IWYU pragma: export
#include "treecca/matrix.hpp"                  // IWYU pragma: export
#include "treecca/metrics.hpp"                 // IWYU pragma: export
#include "treecca/model.hpp"                   // IWYU pragma: export
#include "treecca/new_data.hpp"                // IWYU pragma: export
#include "treecca/pair_covariances.hpp"        // IWYU pragma: export
#include "treecca/parameters.hpp"              // IWYU pragma: export
#include "treecca/partners.hpp"                // IWYU pragma: export
#include "treecca/permutation_importance.hpp"  // IWYU pragma: export
#include "treecca/permutation_test.hpp"        // IWYU pragma: export
#include "treecca/progress.hpp"                // IWYU pragma: export
#include "treecca/report.hpp"                  // IWYU pragma: export
#include "treecca/samples.hpp"                 // IWYU pragma: export
#include "treecca/screen.hpp"                  // IWYU pragma: export
#include "treecca/shap.hpp"                    // IWYU pragma: export
#include "treecca/shape.hpp"                   // IWYU pragma: export
#include "treecca/ssl.hpp"                     // IWYU pragma: export
#include "treecca/stability.hpp"               // IWYU pragma: export
#include "treecca/table.hpp"                   // IWYU pragma: export
#include "treecca/transform.hpp"               // IWYU pragma: export
#include "treecca/tree.hpp"                    // IWYU pragma: export
#include "treecca/version.hpp"                 // IWYU pragma: export
#include "treecca/view.hpp"                    // IWYU pragma: export
