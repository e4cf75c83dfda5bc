#include "train/trainer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "engines/native.hpp"
#include "helpers/eigen_matrices.hpp"
#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "linalg/decompose.hpp"
#include "objective/correlations.hpp"
#include "train/leaf_sweeps.hpp"
#include "treecca/error.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Learns without trees: moves every row by `rate` along the gradient, and remembers what it was asked.
class MovingEngine final : public Engine {
 public:
  explicit MovingEngine(float rate = 0.5F) : rate_(rate) {}

  struct Call {
    Index round;
    std::vector<Index> views;            // per job
    std::vector<int> folds;              // per job
    std::vector<Matrix<float>> current;  // per job
    std::vector<Matrix<float>> target;   // per job; empty where the job has none
  };

  void boost(Index round, std::span<const GrowJob> jobs) override {
    Call call{round, {}, {}, {}, {}};
    for (const GrowJob& job : jobs) {
      call.views.push_back(job.encoder->view);
      call.folds.push_back(job.encoder->fold);
      call.current.push_back(*job.current);
      call.target.push_back(job.target == nullptr ? Matrix<float>() : *job.target);
    }
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const GrowJob& job = jobs[j];
      Matrix<float>& z = job.encoder->embedding;
      const float rate = round < turns_bad_after ? rate_ : -2 * rate_;
      for (std::size_t i = 0; i < z.values().size(); ++i) {
        const float goal = job.target == nullptr ? 0.0F : call.target[j].values()[i];
        z.values()[i] -= rate * (call.current[j].values()[i] - goal);
      }
      states[{job.encoder->view, job.encoder->fold, round + 1}] = z;
    }
    calls.push_back(std::move(call));
  }
  void finish(EncoderState& /*encoder*/) override { ++finished; }
  void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) override {
    ++rewound;
    had_base = base != nullptr;
    encoder.embedding = states.at({encoder.view, encoder.fold, rounds});
  }

  std::vector<Call> calls;
  std::map<std::tuple<Index, int, Index>, Matrix<float>> states;  // view, fold, rounds
  Index turns_bad_after = 1 << 30;
  int finished = 0;
  int rewound = 0;
  bool had_base = false;

 private:
  float rate_;
};

Parameters quick(Index rounds, Index k = 2) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = k;
  parameters.n_estimators = rounds;
  parameters.min_child_weight = 3.0;
  parameters.colsample_bytree = 1.0;
  return parameters;
}

Trained trained_by(Engine& engine, const Parameters& parameters, std::vector<Matrix<float>> starts, const Folds& folds,
                   const RunOptions& options = {}) {
  Run run(options, 1);
  Trained trained;
  trained.parameters = parameters;
  trained.base_margins.resize(starts.size());
  Trainer(parameters, std::move(starts), folds, engine, run).run(trained);
  return trained;
}

/// M sets of initial values that agree: a common part, and noise.
std::vector<Matrix<float>> agreeing(Index rows, Index k, std::size_t views) {
  const Matrix<float> common = testing::normal_matrix(rows, k, 99);
  std::vector<Matrix<float>> starts;
  for (std::size_t v = 0; v < views; ++v) {
    Matrix<float>& own = starts.emplace_back(testing::normal_matrix(rows, k, static_cast<unsigned>(v)));
    for (std::size_t i = 0; i < own.values().size(); ++i) own.values()[i] += 0.5F * common.values()[i] + 3.0F;
  }
  return starts;
}

MatrixXd centred_in_folds(const Matrix<float>& z, const Folds& folds) {
  MatrixXd result = MatrixXd::Zero(z.rows(), z.cols());
  for (int f = 0; f < folds.count; ++f) {
    const std::span rows(folds.order.data() + folds.begin[f],
                         static_cast<std::size_t>(folds.begin[f + 1] - folds.begin[f]));
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(z.cols());
    for (const RowIndex i : rows) {
      for (Index c = 0; c < z.cols(); ++c) mean(c) += static_cast<double>(z(i, c)) / static_cast<double>(rows.size());
    }
    for (const RowIndex i : rows) {
      for (Index c = 0; c < z.cols(); ++c) result(i, c) = static_cast<double>(z(i, c)) - mean(c);
    }
  }
  return result;
}

/// Centred within folds times V^(-1/2).
MatrixXd whitened(const Matrix<float>& z, const Folds& folds) {
  const MatrixXd centre = centred_in_folds(z, folds);
  const double degrees = static_cast<double>(folds.order.size()) - folds.count;
  return centre * inverse_square_root(centre.transpose() * centre / degrees);
}

void expect_near(const Matrix<float>& real, const MatrixXd& expected, double tolerance = 1e-4) {
  ASSERT_EQ(real.rows(), expected.rows());
  ASSERT_EQ(real.cols(), expected.cols());
  EXPECT_LT((to_eigen(real) - expected).cwiseAbs().maxCoeff(), tolerance);
}

TEST(Trainer, TargetsAreTheOtherViewsWhitenedEmbedding) {
  const auto starts = agreeing(60, 2, 2);
  for (const Index count : {Index{0}, Index{3}}) {
    const Folds folds = testing::folds_of(60, count, 1);
    MovingEngine engine;
    trained_by(engine, quick(1), starts, folds);
    ASSERT_EQ(engine.calls.size(), 1U);
    const MovingEngine::Call& call = engine.calls[0];
    ASSERT_EQ(call.views.size(), static_cast<std::size_t>(2 * folds.count));
    for (std::size_t j = 0; j < call.views.size(); ++j) {
      EXPECT_EQ(call.views[j], static_cast<Index>(j) / folds.count);
      EXPECT_EQ(call.folds[j], static_cast<int>(j) % folds.count);
      // Initial values that fade are not part of the encoders.
      EXPECT_EQ(call.current[j], Matrix<float>(60, 2));
      expect_near(call.target[j], whitened(starts[static_cast<std::size_t>(1 - call.views[j])], folds));
    }
  }
}

TEST(Trainer, OfMoreViewsTheTargetIsTheMeanOfTheOthers) {
  const auto starts = agreeing(60, 2, 3);
  const Folds folds = testing::folds_of(60, 3, 1);
  MovingEngine engine;
  trained_by(engine, quick(1), starts, folds);
  ASSERT_EQ(engine.calls[0].target.size(), 9U);
  for (std::size_t v = 0; v < 3; ++v) {
    const MatrixXd mean = (whitened(starts[(v + 1) % 3], folds) + whitened(starts[(v + 2) % 3], folds)) / 2;
    expect_near(engine.calls[0].target[3 * v], mean);
  }
}

TEST(Trainer, InitialValuesThatAreKeptBelongToTheEncoders) {
  const auto starts = agreeing(60, 2, 2);
  const Folds folds = testing::folds_of(60, 3, 1);
  Parameters parameters = quick(1);
  parameters.init_fade = 0;
  MovingEngine engine;
  trained_by(engine, parameters, starts, folds);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(engine.calls[0].current[j], starts[j / 3]);
  expect_near(engine.calls[0].target[0], whitened(starts[1], folds));
}

/// The embedding of every row by the encoder of its own fold, plus the weighted initial values.
Matrix<float> out_of_fold(const MovingEngine& engine, Index view, Index rounds, const Folds& folds,
                          const Matrix<float>& start, double weight) {
  Matrix<float> z(folds.rows(), start.cols());
  for (Index i = 0; i < folds.rows(); ++i) {
    const int fold = folds.of_row[static_cast<std::size_t>(i)];
    for (Index c = 0; c < z.cols() && fold >= 0; ++c) {
      z(i, c) = engine.states.at({view, fold, rounds})(i, c) + static_cast<float>(weight) * start(i, c);
    }
  }
  return z;
}

TEST(Trainer, ViewsAreUpdatedTogetherOrOneAfterTheOther) {
  const auto starts = agreeing(60, 2, 2);
  const Folds folds = testing::folds_of(60, 3, 1);
  Parameters parameters = quick(3);
  MovingEngine together;
  trained_by(together, parameters, starts, folds);
  ASSERT_EQ(together.calls.size(), 3U);

  parameters.schedule = Schedule::gauss_seidel;
  MovingEngine in_turn;
  trained_by(in_turn, parameters, starts, folds);
  ASSERT_EQ(in_turn.calls.size(), 6U);
  for (std::size_t c = 0; c < 6; ++c) {
    EXPECT_EQ(in_turn.calls[c].round, static_cast<Index>(c / 2));
    EXPECT_EQ(in_turn.calls[c].views, (std::vector<Index>(3, static_cast<Index>(c % 2))));
  }
  // The second view of round 0 is fitted to the first one as round 0 left it, with initial values of the same weight.
  expect_near(in_turn.calls[1].target[0], whitened(out_of_fold(in_turn, 0, 1, folds, starts[0], 1), folds));
  expect_near(together.calls[0].target[3], whitened(starts[0], folds));
}

TEST(Trainer, InitialValuesFadeLinearly) {
  const auto starts = agreeing(60, 2, 2);
  const Folds folds = testing::folds_of(60, 3, 1);
  Parameters parameters = quick(10);
  parameters.init_fade = 4;
  MovingEngine engine(0.3F);
  const Trained trained = trained_by(engine, parameters, starts, folds);
  for (const Index rounds : {1, 2, 3, 4, 9}) {
    const double weight = std::max(0.0, 1.0 - static_cast<double>(rounds) / 4);
    const auto& target = engine.calls[static_cast<std::size_t>(rounds)].target;
    expect_near(target[0], whitened(out_of_fold(engine, 1, rounds, folds, starts[1], weight), folds), 2e-4);
  }
  // The curves belong to the same state.
  const MatrixXd a = centred_in_folds(out_of_fold(engine, 0, 1, folds, starts[0], 0.75), folds);
  const MatrixXd b = centred_in_folds(out_of_fold(engine, 1, 1, folds, starts[1], 0.75), folds);
  const MatrixXd v_a = a.transpose() * a / 57;
  const MatrixXd v_b = b.transpose() * b / 57;
  const double loss = -4 * (a.transpose() * b / 57).trace() + (v_a + v_b).squaredNorm();
  EXPECT_NEAR(trained.history.loss[0], loss, 1e-4 * std::abs(loss));
  EXPECT_NEAR(trained.history.variance(0, 1), v_a(1, 1), 1e-4);
  EXPECT_NEAR(trained.history.variance(0, 2), v_b(0, 0), 1e-4);
  // At the end nothing is left of them.
  const Matrix<float> last = out_of_fold(engine, 1, 10, folds, starts[1], 0);
  const MatrixXd end = centred_in_folds(last, folds);
  EXPECT_LT((trained.moments.covariance().block(2, 2, 2, 2) - end.transpose() * end / 57).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Trainer, EckartYoungGradientsAreScaledTogether) {
  const auto starts = agreeing(60, 2, 2);
  Parameters parameters = quick(1);
  parameters.objective = Objective::ey;
  parameters.init_fade = 0;
  const Folds folds = testing::folds_of(60, 0, 0);
  MovingEngine engine;
  trained_by(engine, parameters, starts, folds);
  const MovingEngine::Call& call = engine.calls[0];
  std::vector<MatrixXd> gradients;  // of the loss, by its formula
  std::vector<MatrixXd> z;
  for (const Matrix<float>& start : starts) z.push_back(centred_in_folds(start, folds));
  const MatrixXd penalty = (z[0].transpose() * z[0] + z[1].transpose() * z[1]) / 59;
  double largest = 0;
  for (int v = 0; v < 2; ++v) {
    EXPECT_TRUE(call.target[static_cast<std::size_t>(v)].empty());
    gradients.push_back(z[static_cast<std::size_t>(v)] * penalty - z[static_cast<std::size_t>(1 - v)]);
    const MatrixXd& g = gradients.back();
    largest = std::max(largest, std::sqrt((g.array() - g.mean()).square().mean()));
  }
  for (std::size_t v = 0; v < 2; ++v) expect_near(call.current[v], gradients[v] * (0.1 / largest), 1e-3);
}

/// Encoder f of a view has a gradient for all rows: its own embedding of them, with the initial values, around the mean
/// of its fold.
TEST(Trainer, EckartYoungGradientsOfAnEncoderAreThoseOfItsOwnEmbedding) {
  const auto starts = agreeing(60, 2, 2);
  const Folds folds = testing::folds_of(60, 3, 1);
  Parameters parameters = quick(8);
  parameters.objective = Objective::ey;
  parameters.init_fade = 4;
  constexpr double kWeight = 0.75;  // of the initial values after one round
  MovingEngine engine;
  trained_by(engine, parameters, starts, folds);
  std::vector<MatrixXd> z;
  for (Index v = 0; v < 2; ++v) {
    const Matrix<float>& start = starts[static_cast<std::size_t>(v)];
    z.push_back(centred_in_folds(out_of_fold(engine, v, 1, folds, start, kWeight), folds));
  }
  const MatrixXd penalty = (z[0].transpose() * z[0] + z[1].transpose() * z[1]) / 57;
  double largest = 0;
  for (std::size_t v = 0; v < 2; ++v) {
    const MatrixXd g = z[v] * penalty - z[1 - v];
    largest = std::max(largest, std::sqrt((g.array() - g.mean()).square().mean()));
  }
  const MovingEngine::Call& call = engine.calls[1];
  ASSERT_EQ(call.current.size(), 6U);
  for (std::size_t j = 0; j < 6; ++j) {
    const std::size_t v = j / 3;
    const int fold = call.folds[j];
    MatrixXd own = to_eigen(engine.states.at({static_cast<Index>(v), fold, 1})) + kWeight * to_eigen(starts[v]);
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(2);
    double rows = 0;
    for (Index i = 0; i < 60; ++i) {
      if (folds.of_row[static_cast<std::size_t>(i)] != fold) continue;
      mean += own.row(i);
      ++rows;
    }
    own.rowwise() -= mean / rows;
    expect_near(call.current[j], (own * penalty - z[1 - v]) * (0.1 / largest), 1e-3);
  }
}

TEST(Trainer, KeepsTheBestRoundAndStopsSoonAfter) {
  const auto starts = agreeing(80, 2, 2);
  const Folds folds = testing::folds_of(80, 4, 1);
  Parameters parameters = quick(60);
  parameters.init_fade = 5;
  parameters.early_stopping_rounds = 4;
  MovingEngine engine(0.2F);
  engine.turns_bad_after = 12;
  const Trained trained = trained_by(engine, parameters, starts, folds);
  const std::vector<double>& tcc = trained.history.tcc;
  const auto best = std::max_element(tcc.begin() + 4, tcc.end()) - tcc.begin() + 1;
  EXPECT_EQ(trained.rounds, best);
  EXPECT_EQ(static_cast<Index>(tcc.size()), best + 4);
  EXPECT_EQ(engine.calls.size(), tcc.size());
  EXPECT_EQ(trained.history.variance.rows(), static_cast<Index>(tcc.size()));
  EXPECT_EQ(trained.by_round.size(), tcc.size() - 4);
  EXPECT_TRUE(trained.unrotated_by_round.empty());
  EXPECT_EQ(engine.finished, 8);
  EXPECT_EQ(engine.rewound, 8);
  EXPECT_FALSE(engine.had_base);  // what faded is no part of the encoders
  for (const EncoderState& encoder : trained.encoders) {
    EXPECT_EQ(encoder.embedding, engine.states.at({encoder.view, encoder.fold, best}));
  }
  const MatrixXd z = centred_in_folds(out_of_fold(engine, 0, best, folds, starts[0], 0), folds);
  EXPECT_LT((trained.moments.covariance().topLeftCorner(2, 2) - z.transpose() * z / 76).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Trainer, RewindsToInitialValuesThatAreKept) {
  const auto starts = agreeing(80, 2, 2);
  const Folds folds = testing::folds_of(80, 4, 1);
  Parameters parameters = quick(40);
  parameters.init_fade = 0;
  parameters.early_stopping_rounds = 2;
  MovingEngine engine(0.2F);
  engine.turns_bad_after = 5;
  parameters.rotate = false;  // a round is chosen by rotated components, but judged by these
  const Trained trained = trained_by(engine, parameters, starts, folds);
  EXPECT_LT(trained.rounds, 40);
  EXPECT_TRUE(engine.had_base);
  ASSERT_FALSE(trained.by_round.empty());
  EXPECT_EQ(trained.unrotated_by_round.size(), trained.by_round.size());
}

// --- One table, whose two augmented copies share an encoder.

/// Adds the same stump in every round: the sign of the first feature.
class StumpEngine final : public Engine {
 public:
  void boost(Index /*round*/, std::span<const GrowJob> jobs) override {
    ASSERT_EQ(jobs.size(), 1U);
    gradients.push_back(*jobs[0].current);
    EXPECT_EQ(jobs[0].target, nullptr);
    Tree stump;
    stump.nodes = {{0, 0.0F, 1, 2, -1, 0, true}, {-1, 0, -1, -1, 0, 0, true}, {-1, 0, -1, -1, 1, 0, true}};
    stump.leaf_values = {-1.0F, 0.5F, 2.0F, 1.0F};
    jobs[0].encoder->trees.push_back(stump);
  }
  void rewind(EncoderState& /*encoder*/, Index /*rounds*/, const Matrix<float>* /*base*/) override { FAIL(); }

  std::vector<Matrix<float>> gradients;  // per round
};

/// `rounds` stumps for rows of a table.
MatrixXd stumps(const Matrix<float>& table, double rounds) {
  MatrixXd z(table.rows(), 2);
  for (Index i = 0; i < table.rows(); ++i) {
    const bool left = table(i, 0) < 0;
    z.row(i) << rounds * (left ? -1 : 2), rounds * (left ? 0.5 : 1);
  }
  return z;
}

TEST(Trainer, OneTableHasTheGradientsOfBothCopies) {
  constexpr Index kRows = 40;
  const std::vector<Matrix<float>> copies{testing::normal_matrix(kRows, 1, 1), testing::normal_matrix(kRows, 1, 2)};
  const Matrix<float> start = testing::normal_matrix(kRows, 2, 3);
  const Folds folds = testing::folds_of(kRows);
  Parameters parameters = quick(2);
  parameters.init_fade = 0;
  for (const SslRows rows : {SslRows::stacked, SslRows::symmetrised}) {
    const Redraw redraw{[&](Index, int copy, Matrix<float>& out) { out = copies[static_cast<std::size_t>(copy)]; },
                        rows};
    StageClock clock;
    AugmentedCopies drawn({"table", copies[0], {"x"}}, redraw, 255, folds, 1, clock);
    StumpEngine engine;
    Trained trained;
    trained.parameters = parameters;
    trained.base_margins.resize(1);
    const RunOptions options;
    treecca::Run run(options, 1);
    Trainer(parameters, {start}, folds, engine, run, Curves::all, &drawn).run(trained);

    // After one round: both copies with the initial values, centred and whitened by their mean and mean covariance.
    std::vector<MatrixXd> z{stumps(copies[0], 1) + to_eigen(start), stumps(copies[1], 1) + to_eigen(start)};
    const Eigen::RowVectorXd mean = (z[0].colwise().mean() + z[1].colwise().mean()) / 2;
    const MatrixXd whitening = inverse_square_root((covariance_of(z[0]) + covariance_of(z[1])) / 2);
    std::vector<MatrixXd> gradients;
    for (std::size_t c = 0; c < 2; ++c) gradients.push_back(z[c] - (z[1 - c].rowwise() - mean) * whitening);
    MatrixXd expected(2 * kRows, 2);
    expected << gradients[0], gradients[1];
    if (rows == SslRows::symmetrised) expected = (gradients[0] + gradients[1]) / 2;
    ASSERT_EQ(engine.gradients.size(), 2U);
    expect_near(engine.gradients[1], expected, 1e-4);

    // Nothing is measured with the initial values.
    const MatrixXd covariance = (covariance_of(stumps(copies[0], 2)) + covariance_of(stumps(copies[1], 2))) / 2;
    EXPECT_LT((trained.moments.covariance().topLeftCorner(2, 2) - covariance).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_EQ(trained.copies, drawn.rows());
  }
}

TEST(Trainer, ReportsEveryRoundAndStopsWhenAsked) {
  const auto starts = agreeing(60, 2, 2);
  const Folds folds = testing::folds_of(60, 3, 1);
  std::atomic<bool> stop{false};
  std::vector<Progress> heard;
  RunOptions options;
  options.stop = &stop;
  options.on_round = [&](const Progress& progress) {
    heard.push_back(progress);
    stop = progress.round == 3;
  };
  MovingEngine engine;
  EXPECT_THROW(trained_by(engine, quick(10), starts, folds, options), Interrupted);
  EXPECT_EQ(engine.calls.size(), 3U);
  ASSERT_EQ(heard.size(), 3U);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(heard[r].round, static_cast<Index>(r + 1));
    EXPECT_EQ(heard[r].rounds, 10);
  }
}

// --- Rows that are left out, with real trees.

/// The rows that are not left out, in their order.
Matrix<float> without(const Matrix<float>& all, const std::vector<bool>& left_out) {
  Matrix<float> result(std::count(left_out.begin(), left_out.end(), false), all.cols());
  Index to = 0;
  for (Index i = 0; i < all.rows(); ++i) {
    if (!left_out[static_cast<std::size_t>(i)]) std::copy_n(all.row(i), all.cols(), result.row(to++));
  }
  return result;
}

struct TreeFit {
  Trained trained;
  std::vector<Matrix<float>> tables;
};

TreeFit fit_trees(const std::vector<Matrix<float>>& tables, const std::vector<Matrix<float>>& starts,
                  const Parameters& parameters, const Folds& folds) {
  std::vector<BinnedView> bins;
  for (const Matrix<float>& table : tables) bins.emplace_back(View{"v", table}, 255, 1);
  NativeEngine engine(bins, parameters, folds, FeatureSets(2), 1);
  return {trained_by(engine, parameters, starts, folds), tables};
}

void expect_same_trees(const Trained& a, const Trained& b, float tolerance) {
  ASSERT_EQ(a.encoders.size(), b.encoders.size());
  std::size_t splits = 0;
  for (std::size_t e = 0; e < a.encoders.size(); ++e) {
    ASSERT_EQ(a.encoders[e].trees.size(), b.encoders[e].trees.size());
    for (std::size_t t = 0; t < a.encoders[e].trees.size(); ++t) {
      const Tree& one = a.encoders[e].trees[t];
      const Tree& other = b.encoders[e].trees[t];
      ASSERT_EQ(one.nodes, other.nodes) << "encoder " << e << ", tree " << t;
      splits += one.nodes.size() / 2;
      for (std::size_t l = 0; l < one.leaf_values.size(); ++l) {
        ASSERT_NEAR(one.leaf_values[l], other.leaf_values[l], tolerance) << "encoder " << e << ", tree " << t;
      }
    }
  }
  EXPECT_GT(splits, 10 * a.encoders.size());
}

// --- Leaf sweeps after the last round.

class TrainerSweeps : public ::testing::TestWithParam<Trees> {
 protected:
  TrainerSweeps() {
    const Matrix<float> shared = testing::normal_matrix(240, 2, 7);
    for (unsigned v = 0; v < 2; ++v) {
      Matrix<float>& table = tables_.emplace_back(testing::normal_matrix(240, 4, v + 1));
      for (Index i = 0; i < 240; ++i) {
        table(i, 0) = shared(i, 0) + 0.3F * table(i, 0);
        table(i, 1) = shared(i, 1) * shared(i, 1) + 0.3F * table(i, 1);
      }
    }
    parameters_ = quick(15);
    parameters_.trees = GetParam();
    parameters_.init_fade = 4;
  }
  Trained fitted(Index sweeps, std::uint64_t seed = 0, Index patience = 0, bool rotate = true) {
    parameters_.leaf_sweeps = sweeps < 0 ? OrAuto<Index>() : OrAuto<Index>(sweeps);  // -1: auto
    parameters_.random_state = seed;
    parameters_.early_stopping_rounds = patience;
    parameters_.rotate = rotate;
    const Folds folds = testing::folds_of(240, 3, seed);
    return fit_trees(tables_, agreeing(240, 2, 2), parameters_, folds).trained;
  }
  static double tcc_of(const Trained& trained) { return out_of_fold_correlations(trained.moments, 2).tcc(); }

  std::vector<Matrix<float>> tables_;
  Parameters parameters_ = testing::plain_parameters();
};

TEST_P(TrainerSweeps, AFixedNumberIsMadeFromTheTargetsOfTheState) {
  const Trained before = fitted(0);
  const Trained after = fitted(1);
  EXPECT_EQ(before.history, after.history);
  std::vector<EncoderState> expected = before.encoders;
  const Folds folds = testing::folds_of(240, 3, 0);
  std::vector<BinnedView> bins;
  std::vector<Matrix<float>> targets;
  for (const Matrix<float>& table : tables_) bins.emplace_back(View{"v", table}, 255, 1);
  for (Index v = 0; v < 2; ++v) {
    const MatrixXd other = whitened(before.out_of_fold(1 - v, folds, 1), folds);
    targets.push_back(to_matrix<float>(other));
  }
  std::vector<LeafSweeps::Swept> swept;
  for (EncoderState& state : expected) swept.push_back({&state, &bins[static_cast<std::size_t>(state.view)], nullptr});
  LeafSweeps(swept, folds, 0, 1).sweep(0, std::vector<const Matrix<float>*>{&targets[0], &targets[1]});
  for (std::size_t e = 0; e < expected.size(); ++e) {
    expect_near(after.encoders[e].embedding, to_eigen(expected[e].embedding), 1e-4);
    EXPECT_GT((to_eigen(after.encoders[e].embedding) - to_eigen(before.encoders[e].embedding)).cwiseAbs().maxCoeff(),
              1e-3);
  }
  // The moments are those of the state after the sweep.
  EXPECT_NE(tcc_of(before), tcc_of(after));
  EXPECT_TRUE(after.by_round.empty());
}

TEST_P(TrainerSweeps, AutoEndsAtTheHighestTccAndNeverBelowTheStart) {
  Index kept_some = 0;
  Index kept_none = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<double> tcc;  // after s sweeps
    for (Index s = 0; s <= 6; ++s) tcc.push_back(tcc_of(fitted(s, seed)));
    std::size_t best = 0;  // the first that the next one does not exceed
    while (best < 6 && tcc[best + 1] > tcc[best]) ++best;
    const Trained chosen = fitted(-1, seed);
    EXPECT_DOUBLE_EQ(tcc_of(chosen), tcc[best]);
    EXPECT_GE(tcc_of(chosen), tcc[0]);
    EXPECT_EQ(chosen.by_round.size(), std::min<std::size_t>(best + 2, 7));  // every state seen is a candidate
    const Trained same = fitted(static_cast<Index>(best), seed);
    for (std::size_t e = 0; e < same.encoders.size(); ++e) {
      EXPECT_EQ(chosen.encoders[e].trees, same.encoders[e].trees);
      EXPECT_EQ(chosen.encoders[e].embedding, same.encoders[e].embedding);
    }
    (best > 0 ? kept_some : kept_none) += 1;
  }
  EXPECT_GT(kept_some, 0);
  RecordProperty("kept_none", static_cast<int>(kept_none));
}

TEST_P(TrainerSweeps, StatesAfterSweepsJoinTheCandidatesOfEarlyStopping) {
  const Trained rounds = fitted(0, 1, 3, false);
  const Trained swept = fitted(-1, 1, 3, false);
  EXPECT_GT(swept.by_round.size(), rounds.by_round.size());
  EXPECT_EQ(swept.unrotated_by_round.size(), swept.by_round.size());
  EXPECT_TRUE(std::equal(rounds.by_round.begin(), rounds.by_round.end(), swept.by_round.begin()));
  EXPECT_EQ(swept.rounds, rounds.rounds);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TrainerSweeps, ::testing::Values(Trees::joint, Trees::scalar));

class TrainerLeftOut : public ::testing::TestWithParam<std::tuple<Trees, Objective, Schedule, Index>> {
 protected:
  TrainerLeftOut() {
    for (std::size_t i = 0; i < left_out_.size(); i += 4) left_out_[i] = true;
    const Matrix<float> shared = testing::gridded_matrix(160, 1, 7, 0);
    for (unsigned v = 0; v < 2; ++v) {  // a few values per feature: the bins do not depend on which rows are there
      Matrix<float>& table = tables_.emplace_back(testing::gridded_matrix(160, 3, v, 0));
      for (float& x : table.values()) x = std::clamp(std::round(x), -1.0F, 1.0F);
      for (Index i = 0; i < 160; ++i) table(i, 0) = std::clamp(std::round(shared(i, 0)), -1.0F, 1.0F);
    }
    starts_ = agreeing(160, 2, 2);
    parameters_ = quick(12);
    std::tie(parameters_.trees, parameters_.objective, parameters_.schedule, parameters_.cross_fit) = GetParam();
    parameters_.init_fade = 4;
  }
  Folds folds() const { return make_folds(samples_, parameters_.cross_fit, 3, left_out_); }

  std::vector<bool> left_out_ = std::vector<bool>(160, false);
  Samples samples_{160};
  std::vector<Matrix<float>> tables_;
  std::vector<Matrix<float>> starts_;
  Parameters parameters_ = testing::plain_parameters();
};

TEST_P(TrainerLeftOut, TrainsAsIfTheyWereNotThere) {
  const Folds all = folds();
  const Samples fewer(120);
  std::vector<int> of_row;
  for (std::size_t i = 0; i < 160; ++i) {
    if (!left_out_[i]) of_row.push_back(all.of_row[i]);
  }
  const Folds inside = Folds::assigned(fewer, all.count, all.held_out, of_row);
  std::vector<Matrix<float>> tables;
  std::vector<Matrix<float>> starts;
  for (std::size_t v = 0; v < 2; ++v) {
    tables.push_back(without(tables_[v], left_out_));
    starts.push_back(without(starts_[v], left_out_));
  }
  const Trained with = fit_trees(tables_, starts_, parameters_, all).trained;
  const Trained alone = fit_trees(tables, starts, parameters_, inside).trained;
  expect_same_trees(with, alone, 2e-5F);
  for (std::size_t r = 0; r < 12; ++r) {
    EXPECT_NEAR(with.history.tcc[r], alone.history.tcc[r], 1e-4);
    EXPECT_NEAR(with.history.train_tcc[r], alone.history.train_tcc[r], 1e-4);
    EXPECT_NEAR(with.history.loss[r], alone.history.loss[r], 1e-3);
  }
}

TEST_P(TrainerLeftOut, TheirPairsAreSeenByNoTreeYetEveryEncoderEmbedsThem) {
  const TreeFit before = fit_trees(tables_, starts_, parameters_, folds());
  auto tables = tables_;
  auto starts = starts_;
  for (Index i = 0; i < 160; i += 4) {  // the left-out rows of the second view change places
    const Index from = (i + 4) % 160;
    std::copy_n(tables_[1].row(from), 3, tables[1].row(i));
    std::copy_n(starts_[1].row(from), 2, starts[1].row(i));
  }
  const TreeFit after = fit_trees(tables, starts, parameters_, folds());
  expect_same_trees(before.trained, after.trained, 0);
  EXPECT_EQ(before.trained.history, after.trained.history);
  for (const TreeFit* fit : {&before, &after}) {
    for (const EncoderState& encoder : fit->trained.encoders) {
      const Matrix<float>& table = fit->tables[static_cast<std::size_t>(encoder.view)];
      EXPECT_EQ(encoder.embedding, embed_rows(Predictor({&encoder.trees, 1}, 2), table, 2, 1));
      Index embedded = 0;
      for (Index i = 0; i < 160; i += 4) embedded += encoder.embedding(i, 0) != 0 ? 1 : 0;
      EXPECT_GT(embedded, 35);
    }
  }
  // A row that is not left out matters.
  std::swap_ranges(tables[1].row(1), tables[1].row(1) + 3, tables[1].row(2));
  bool equal = true;
  const Trained other = fit_trees(tables, starts, parameters_, folds()).trained;
  for (std::size_t e = 0; e < other.encoders.size(); ++e) {
    equal = equal && other.encoders[e].trees == after.trained.encoders[e].trees;
  }
  EXPECT_FALSE(equal);
}

INSTANTIATE_TEST_SUITE_P(Settings, TrainerLeftOut,
                         ::testing::Values(std::tuple{Trees::joint, Objective::whitened, Schedule::jacobi, 4},
                                           std::tuple{Trees::scalar, Objective::whitened, Schedule::gauss_seidel, 3},
                                           std::tuple{Trees::scalar, Objective::ey, Schedule::jacobi, 4},
                                           std::tuple{Trees::joint, Objective::ey, Schedule::gauss_seidel, 0},
                                           std::tuple{Trees::joint, Objective::whitened, Schedule::jacobi, 0}));

}  // namespace
}  // namespace treecca
