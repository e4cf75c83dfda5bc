// XGBoost's communicator belongs to a thread, so several workers can meet in one process.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "helpers/plain_parameters.hpp"
#include "helpers/synthetic_views.hpp"
#include "samples/peers.hpp"
#include "support/document.hpp"
#include "treecca/distributed.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

/// Runs work(communicator) in threads that find each other by a tracker; what each of them threw.
std::vector<std::exception_ptr> run_over_sockets(int size, const std::function<void(Communicator&)>& work) {
  const Tracker tracker(size, "127.0.0.1");
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        Document config;
        read_document(tracker.worker_config(), config);
        config.add("dmlc_task_id", std::to_string(rank)).add("dmlc_timeout", 60);
        const std::unique_ptr<Communicator> communicator = xgboost_communicator(write_json(config));
        EXPECT_EQ(communicator->rank(), rank);
        EXPECT_EQ(communicator->size(), size);
        work(*communicator);
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failures;
}

class XgboostCommunicator : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      const Tracker tracker(1, "127.0.0.1");
    } catch (const FileError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_F(XgboostCommunicator, ATrackerThatNobodyCameToCanGo) {
  for (int i = 0; i < 20; ++i) const Tracker tracker(3, "127.0.0.1");
}

TEST_F(XgboostCommunicator, ATrackerMustBeNamedAndReachable) {
  EXPECT_THROW(Tracker(0, "127.0.0.1"), UsageError);
  EXPECT_THROW(Tracker(1, "no.such.host.invalid"), PeerError);
  // XGBoost alone would take the process for the only one.
  EXPECT_THROW(xgboost_communicator("{}"), UsageError);
  EXPECT_THROW(xgboost_communicator("[1]"), UsageError);
  EXPECT_THROW(xgboost_communicator("{"), UsageError);
  EXPECT_THROW(xgboost_communicator(R"({"dmlc_tracker_uri": "127.0.0.1", "dmlc_task_id": "0"})"), UsageError);
  EXPECT_THROW(xgboost_communicator(R"({"dmlc_tracker_uri": "127.0.0.1", "dmlc_tracker_port": 1, "dmlc_task_id": "0",
                                        "dmlc_timeout": 1, "dmlc_retry": 1})"),
               PeerError);
}

TEST_F(XgboostCommunicator, AddsComparesAndBroadcasts) {
  for (const auto& failure : run_over_sockets(3, [](Communicator& communicator) {
         const Peers peers(&communicator);
         std::vector<std::int32_t> lanes(1000, peers.rank());
         peers.sum(std::span<std::int32_t>(lanes));
         EXPECT_EQ(lanes, std::vector<std::int32_t>(1000, 3));
         const std::int64_t large = std::int64_t{1} << 40;
         EXPECT_EQ(peers.sum(static_cast<Index>(large)), 3 * large);
         EXPECT_EQ(peers.sum(0.25), 0.75);
         EXPECT_EQ(peers.max(-2.0 + peers.rank()), 0.0);
         EXPECT_EQ(peers.gather(std::string(static_cast<std::size_t>(peers.rank()), 'x')),
                   (std::vector<std::string>{"", "x", "xx"}));
       })) {
    if (failure) std::rethrow_exception(failure);
  }
}

TEST_F(XgboostCommunicator, AWorkerThatLeavesIsNoticedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  const auto failures = run_over_sockets(3, [](Communicator& communicator) {
    const Peers peers(&communicator);
    peers.sum(1.0);
    if (peers.rank() == 1) throw std::runtime_error("killed");
    for (int i = 0; i < 3; ++i) peers.sum(1.0);
  });
  for (const auto& failure : failures) EXPECT_TRUE(failure);
  try {
    std::rethrow_exception(failures[0]);
  } catch (const PeerError& error) {
    EXPECT_NE(std::string(error.what()).find("Another worker of this fit is gone"), std::string::npos) << error.what();
  }
  // Far less than the minute after which it would be given up.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(XgboostCommunicator, EnginesFitTheSameModelOnAllWorkers) {
  const auto all = testing::hermite_views(600, 2, 3, 1);
  for (const EngineKind engine : {EngineKind::native, EngineKind::xgboost}) {
    for (const Trees trees : {Trees::joint, Trees::scalar}) {
      Parameters parameters = testing::plain_parameters();
      parameters.n_estimators = 20;
      parameters.engine = engine;
      parameters.trees = trees;
      const Model one = fit(all.views(), parameters).model;
      std::vector<Model> models(3);
      for (const auto& failure : run_over_sockets(3, [&](Communicator& communicator) {
             const std::vector<Index> begin{0, 250, 250, 600};  // worker 1 has no rows
             const Index first = begin[static_cast<std::size_t>(communicator.rank())];
             const Index rows = begin[static_cast<std::size_t>(communicator.rank()) + 1] - first;
             FitOptions options;
             options.communicator = &communicator;
             models[static_cast<std::size_t>(communicator.rank())] =
                 fit({{"a", MatrixView(all.a.row(first), rows, all.a.cols())},
                      {"b", MatrixView(all.b.row(first), rows, all.b.cols())}},
                     parameters, options)
                     .model;
           })) {
        if (failure) std::rethrow_exception(failure);
      }
      EXPECT_TRUE(models[0] == models[1]);
      EXPECT_TRUE(models[0] == models[2]);
      double worst = 0;
      for (std::size_t k = 0; k < 2; ++k) {
        worst = std::max(worst, std::abs(models[0].correlations.out_of_fold[k] - one.correlations.out_of_fold[k]));
      }
      // XGBoost merges sketches of its own, so its cuts may differ.
      EXPECT_LT(worst, engine == EngineKind::native ? 1e-6 : 0.03);
    }
  }
}

TEST_F(XgboostCommunicator, TheEngineRefusesAnotherCommunicator) {
  const auto all = testing::hermite_views(100, 2, 3, 1);
  Parameters parameters = testing::plain_parameters();
  parameters.engine = EngineKind::xgboost;
  // In a group of XGBoost's, but the fit was not told.
  const auto failures = run_over_sockets(2, [&](Communicator&) { fit(all.views(), parameters); });
  for (const auto& failure : failures) EXPECT_THROW(std::rethrow_exception(failure), UsageError);
}

}  // namespace
}  // namespace treecca
