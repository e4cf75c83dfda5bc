// Wall-clock time per stage of a fit, in the order the stages first ran.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "treecca/progress.hpp"  // for Stage

namespace treecca {

class StageClock {
 public:
  /// Runs `work` and adds its time to the stage.
  template <class Work>
  void time(std::string_view stage, Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    add(stage, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  const std::vector<Stage>& stages() const { return stages_; }

  /// Adds the times of another clock, multiplied by a factor.
  void add(const StageClock& other, double factor = 1) {
    for (const Stage& stage : other.stages_) add(stage.name, factor * stage.seconds);
  }
  double total() const {
    double sum = 0;
    for (const Stage& stage : stages_) sum += stage.seconds;
    return sum;
  }

 private:
  void add(std::string_view name, double seconds) {
    for (Stage& stage : stages_) {
      if (stage.name == name) {
        stage.seconds += seconds;
        return;
      }
    }
    stages_.push_back({std::string(name), seconds});
  }

  std::vector<Stage> stages_;
};

}  // namespace treecca
