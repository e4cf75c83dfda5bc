#include "engines/library_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// What a library was asked to do, and by which threads.
struct Log {
  std::mutex mutex;
  std::map<const void*, std::set<std::thread::id>> threads_of_data;  // with its boosters
  std::atomic<int> matrices{0}, boosters{0}, updates{0}, margins{0}, trees{0};
  std::set<std::thread::id> freed_by;
  bool wrong_margins = false;
  bool too_many_trees = false;
  Index fails_in_round = -1;

  void visit(const void* data) {
    const std::lock_guard lock(mutex);
    threads_of_data[data].insert(std::this_thread::get_id());
  }
};

Tree stump(int feature, float threshold) {
  Tree tree;
  tree.nodes.resize(3);
  tree.nodes[0].feature = feature;
  tree.nodes[0].threshold = threshold;
  tree.nodes[0].default_left = true;
  tree.nodes[0].left = 1;
  tree.nodes[0].right = 2;
  tree.nodes[1].leaf = 0;
  tree.nodes[2].leaf = 1;
  tree.leaf_values = {0.5F, -0.25F};
  return tree;
}

/// Adds the same tree in every round: bin 0 of the first feature (and missing values) +0.5, all others -0.25.
class MadeUpEngine final : public LibraryEngine {
 public:
  MadeUpEngine(const EngineInput& input, Log& log) : LibraryEngine(input, {"Some library", false}), log_(log) {}

 private:
  struct Booster {
    Index rounds = 0;
  };

  Handle make_data(Index /*view*/, const Matrix<float>& codes) const override {
    ++log_.matrices;
    return {new Matrix<float>(codes), [&log = log_](void* gone) {  // freed after this engine: by its base class
              const std::lock_guard lock(log.mutex);
              log.freed_by.insert(std::this_thread::get_id());
              delete static_cast<Matrix<float>*>(gone);
            }};
  }
  Handle make_booster(const Handle& data, Index /*view*/, int /*fold*/) const override {
    ++log_.boosters;
    log_.visit(data.get());
    return std::make_shared<Booster>();
  }
  bool update(const Handle& booster, const Handle& data, Index round, const WeightedGradients&) const override {
    ++log_.updates;
    log_.visit(data.get());
    if (round == log_.fails_in_round) throw UsageError("The library failed.");
    ++static_cast<Booster*>(booster.get())->rounds;
    return true;
  }
  void read_margins(const Handle& booster, const Handle& data, std::vector<float>& margins) const override {
    ++log_.margins;
    log_.visit(data.get());
    const auto& codes = *static_cast<const Matrix<float>*>(data.get());
    const auto rounds = static_cast<float>(static_cast<Booster*>(booster.get())->rounds);
    const Index k = input().parameters.trained_components();
    for (Index i = 0; i < codes.rows(); ++i) {
      for (Index c = 0; c < k; ++c) margins[i * k + c] = rounds * (codes(i, 0) >= 1 ? -0.25F : 0.5F);
    }
    if (log_.wrong_margins) margins[3] += 0.5F;
  }
  Encoder read_trees(const Handle& booster) const override {
    ++log_.trees;
    Tree tree = stump(0, 1);
    Encoder encoder;
    for (Index t = 0; t < static_cast<Booster*>(booster.get())->rounds; ++t) {
      for (int c = 0; c < input().parameters.trained_components(); ++c) {
        tree.component = c;
        encoder.push_back(tree);
      }
    }
    if (log_.too_many_trees) encoder.push_back(tree);
    return encoder;
  }

  Log& log_;
};

/// Everything an engine is made from, and the jobs of a round.
struct Setting {
  explicit Setting(int n_threads, std::atomic<bool>* stop = nullptr)
      : folds(testing::folds_of(kRows, kFolds)), threads(n_threads, stop) {
    parameters.n_components = kComponents;
    parameters.trees = Trees::scalar;
    for (unsigned v = 0; v < kViews; ++v) {
      values.push_back(testing::normal_matrix(kRows, 3, v));
      for (Index i = 0; i < kRows; i += 7) values.back()(i, 0) = std::numeric_limits<float>::quiet_NaN();
    }
    for (unsigned v = 0; v < kViews; ++v) {
      views.push_back({"v" + std::to_string(v), values[v], {"a", "b", "c"}});
      bins.emplace_back(views.back(), 8, 1);
      for (int f = 0; f < kFolds; ++f) encoders.push_back({v, f, Matrix<float>(kRows, kComponents, 1.0F), {}});
    }
    for (EncoderState& encoder : encoders) jobs.push_back({&encoder, &encoder.embedding, nullptr});
  }

  EngineInput input() { return {views, bins, parameters, folds, kept, engine_params, threads, rows_change}; }

  static constexpr Index kRows = 300, kComponents = 2;
  static constexpr unsigned kViews = 3;
  static constexpr int kFolds = 2;
  Parameters parameters = testing::plain_parameters();
  std::vector<Matrix<float>> values;
  std::vector<View> views;
  std::vector<BinnedView> bins;
  Folds folds;
  FeatureSets kept = FeatureSets(kViews);
  EngineParams engine_params;
  Threads threads;
  bool rows_change = false;
  std::vector<EncoderState> encoders;
  std::vector<GrowJob> jobs;
};

constexpr Index kRounds = 5;

void train(Setting& setting, Engine& engine) {
  for (Index round = 0; round < kRounds; ++round) engine.boost(round, setting.jobs);
  for (EncoderState& encoder : setting.encoders) engine.finish(encoder);
}

TEST(LibraryEngine, EverythingHappensInTheCallingThread) {
  for (const int threads : {1, 3}) {
    Log log;
    Setting setting(threads);
    {
      MadeUpEngine engine(setting.input(), log);
      train(setting, engine);
    }
    const std::set<std::thread::id> here{std::this_thread::get_id()};
    ASSERT_EQ(log.threads_of_data.size(), Setting::kViews);
    for (const auto& [data, ids] : log.threads_of_data) EXPECT_EQ(ids, here);
    EXPECT_EQ(log.freed_by, here);
  }
}

TEST(LibraryEngine, TheNumberOfCallsGrowsWithTheRoundsAndNoFaster) {
  Log log;
  Setting setting(2);
  MadeUpEngine engine(setting.input(), log);
  train(setting, engine);
  const int encoders = static_cast<int>(setting.encoders.size());
  EXPECT_EQ(log.matrices, static_cast<int>(Setting::kViews));
  EXPECT_EQ(log.boosters, encoders);
  EXPECT_EQ(log.updates, encoders * kRounds);
  EXPECT_EQ(log.margins, encoders * (kRounds + 1));  // once more for the comparison at the end
  EXPECT_EQ(log.trees, encoders);
}

TEST(LibraryEngine, TheTreesGiveTheEmbeddingAgainAndRewindGoesBack) {
  Log log;
  Setting setting(2);
  MadeUpEngine engine(setting.input(), log);
  train(setting, engine);
  EncoderState& encoder = setting.encoders.back();
  ASSERT_EQ(encoder.trees.size(), static_cast<std::size_t>(kRounds * Setting::kComponents));
  const Matrix<float> last = encoder.embedding;
  const Matrix<float> ones(Setting::kRows, Setting::kComponents, 1.0F);
  engine.rewind(encoder, kRounds, &ones);
  EXPECT_EQ(encoder.embedding, last);
  engine.rewind(encoder, 2, nullptr);
  for (Index i = 0; i < Setting::kRows; ++i) EXPECT_NEAR(encoder.embedding(i, 1), 2 * (last(i, 1) - 1) / kRounds, 1e-6);
}

TEST(LibraryEngine, ModelsThatAreNotTheSumOfTheirTreesAreRefused) {
  for (const bool rows_change : {false, true}) {
    const auto message_of = [&](Log& log, EngineParams more) {
      Setting setting(2);
      setting.engine_params = std::move(more);
      setting.rows_change = rows_change;
      MadeUpEngine engine(setting.input(), log);
      try {
        train(setting, engine);
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("no error");
    };
    Log wrong;
    wrong.wrong_margins = true;
    EXPECT_NE(message_of(wrong, {{"mode", "odd"}})
                  .find("engine_params (mode=odd) make a model that TreeCCA cannot represent"),
              std::string::npos);
    EXPECT_NE(message_of(wrong, {}).find("Use another version"), std::string::npos);
    Log many;
    many.too_many_trees = true;
    EXPECT_NE(message_of(many, {}).find("but TreeCCA needs"), std::string::npos);
    Log right;
    EXPECT_EQ(message_of(right, {}), "no error");
  }
}

TEST(LibraryEngine, FailuresAndTheRequestToStopReachTheCaller) {
  for (const int threads : {1, 3}) {
    Log log;
    log.fails_in_round = 3;
    Setting setting(threads);
    MadeUpEngine engine(setting.input(), log);
    EXPECT_THROW(train(setting, engine), UsageError);
    std::atomic<bool> stop{true};
    Log none;
    Setting stopped(threads, &stop);
    MadeUpEngine other(stopped.input(), none);
    EXPECT_THROW(train(stopped, other), Interrupted);
    EXPECT_EQ(none.updates, 0);
  }
}

TEST(LibrarySeed, DiffersBetweenEncodersAndFitsAnInteger) {
  Setting setting(1);
  std::set<std::string> seeds;
  for (const std::uint64_t random_state : {0U, 1U, 31U}) {
    setting.parameters.random_state = random_state;
    for (Index v = 0; v < 3; ++v) {
      for (int f = 0; f < 20; ++f) seeds.insert(library_seed(setting.input(), v, f));
    }
  }
  EXPECT_EQ(seeds.size(), 3U * 3U * 20U);
  for (const std::string& seed : seeds) EXPECT_LE(std::stoll(seed), std::numeric_limits<std::int32_t>::max());
}

TEST(DecodeTrees, RefusesSplitsThatCannotBe) {
  Setting setting(1);
  const auto decoded = [&](int feature, float threshold) {
    Encoder encoder{stump(feature, threshold)};
    decode_trees(setting.input(), 0, 0, encoder);
    return encoder[0].nodes[0];
  };
  EXPECT_EQ(decoded(2, 1).feature, 2);
  EXPECT_THROW(decoded(3, 1), ModelError);
  EXPECT_THROW(decoded(0, std::numeric_limits<float>::quiet_NaN()), ModelError);
  setting.kept = FeatureSets({{{1, 2}, {0, 2}}, {}});
  EXPECT_EQ(decoded(1, 1).feature, 2);
  EXPECT_THROW(decoded(2, 1), ModelError);
}

}  // namespace
}  // namespace treecca
