#include "engines/make_engine.hpp"

#include "engines/lightgbm.hpp"
#include "engines/native.hpp"
#include "engines/xgboost.hpp"

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
  return std::make_unique<NativeEngine>(input.bins, input.parameters, input.folds, input.kept, input.threads);
}

}  // namespace treecca
