#include "engines/make_engine.hpp"

#include "engines/lightgbm.hpp"
#include "engines/native.hpp"
#include "engines/xgboost.hpp"
#include "treecca/error.hpp"

namespace treecca {

std::unique_ptr<Engine> make_engine(const EngineInput& input) {
  switch (input.parameters.engine) {
    case EngineKind::xgboost:
      return make_xgboost_engine(input);
    case EngineKind::lightgbm:
      return make_lightgbm_engine(input);
    case EngineKind::native:
      break;
  }
  if (!input.engine_params.empty()) {
    throw UsageError("engine_params are for other libraries: set engine to xgboost or lightgbm.");
  }
  return std::make_unique<NativeEngine>(input.bins, input.parameters, input.folds, input.weights, input.kept,
                                        input.threads);
}

}  // namespace treecca
