#include "samples/peers.hpp"

#include <gtest/gtest.h>

#include "helpers/thread_workers.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using testing::run_all_workers;
using testing::run_workers;

std::string message_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  }
}

TEST(Peers, AloneNothingChanges) {
  const Peers peers;
  EXPECT_TRUE(peers.alone());
  EXPECT_EQ(peers.sum(2.5), 2.5);
  EXPECT_EQ(peers.sum(Index{3}), 3);
  EXPECT_EQ(peers.max(-1.0), -1.0);
  EXPECT_EQ(peers.gather("x"), std::vector<std::string>{"x"});
  peers.check_same("x", "letters");
  EXPECT_THROW(peers.agree([] { throw DataError("no"); }), DataError);
  EXPECT_TRUE(Peers(nullptr).alone());
}

TEST(Peers, AddAndCompareOverAllProcesses) {
  run_all_workers(3, [](Communicator& communicator) {
    const Peers peers(&communicator);
    EXPECT_FALSE(peers.alone());
    EXPECT_EQ(peers.sum(Index{peers.rank() + 1}), 6);
    EXPECT_EQ(peers.sum(0.5), 1.5);
    EXPECT_EQ(peers.max(static_cast<double>(-peers.rank())), 0.0);
    std::vector<std::int32_t> lanes{1, peers.rank()};
    peers.sum(std::span<std::int32_t>(lanes));
    EXPECT_EQ(lanes, (std::vector<std::int32_t>{3, 3}));
    // Of different lengths, one of them none.
    const std::string own(static_cast<std::size_t>(peers.rank()), static_cast<char>('a' + peers.rank()));
    EXPECT_EQ(peers.gather(own), (std::vector<std::string>{"", "b", "cc"}));
    std::vector<double> nothing;
    peers.sum(nothing);
  });
}

TEST(Peers, ThrowWhatTheFirstOneThrew) {
  const auto failures = run_workers(3, [](Communicator& communicator) {
    const Peers peers(&communicator);
    peers.agree([] {});
    peers.agree([&] {
      if (peers.rank() == 1) throw DataError("Row 7 is infinite.");
      if (peers.rank() == 2) throw UsageError("later");
    });
  });
  for (const std::exception_ptr& failure : failures) {
    ASSERT_TRUE(failure);
    EXPECT_THROW(std::rethrow_exception(failure), DataError);
    EXPECT_EQ(message_of(failure), "Row 7 is infinite.");
  }
}

TEST(Peers, EveryKindOfErrorStaysWhatItIs) {
  const auto thrown_by_all = [](const auto& error, const auto& check) {
    for (const auto& failure : run_workers(2, [&](Communicator& communicator) {
           const Peers peers(&communicator);
           peers.agree([&] {
             if (peers.rank() == 1) throw error;
           });
         })) {
      check(failure);
    }
  };
  thrown_by_all(UsageError("u"), [](const auto& e) { EXPECT_THROW(std::rethrow_exception(e), UsageError); });
  thrown_by_all(FileError("f"), [](const auto& e) { EXPECT_THROW(std::rethrow_exception(e), FileError); });
  thrown_by_all(Interrupted(), [](const auto& e) { EXPECT_THROW(std::rethrow_exception(e), Interrupted); });
  thrown_by_all(Error("e"), [](const auto& e) { EXPECT_EQ(message_of(e), "e"); });
  thrown_by_all(std::bad_alloc(), [](const auto& e) {
    EXPECT_THROW(std::rethrow_exception(e), Error);
    EXPECT_NE(message_of(e).find("Worker 1 has too little memory"), std::string::npos);
  });
}

TEST(Peers, TellWhoDiffers) {
  const auto failures = run_workers(3, [](Communicator& communicator) {
    const Peers peers(&communicator);
    peers.check_same("alike", "columns");
    peers.check_same(peers.rank() == 2 ? "other" : "alike", "columns");
  });
  for (const auto& failure : failures) {
    EXPECT_NE(message_of(failure).find("columns of worker 2 differ"), std::string::npos);
  }
}

TEST(Peers, KnowAllKeys) {
  run_all_workers(3, [](Communicator& communicator) {
    const Peers peers(&communicator);
    std::map<std::int64_t, double> own;
    if (peers.rank() != 1) own = {{7, 1.0}, {-peers.rank(), 2.0}};
    EXPECT_EQ(summed_by_key(own, peers), (std::map<std::int64_t, double>{{-2, 2.0}, {0, 2.0}, {7, 2.0}}));
  });
}

}  // namespace
}  // namespace treecca
