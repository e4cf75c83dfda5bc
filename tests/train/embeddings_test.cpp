#include "train/embeddings.hpp"

#include <gtest/gtest.h>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"

namespace treecca {
namespace {

constexpr Index kRows = 40;
constexpr Index kComponents = 2;

/// Three encoders that embed two copies of the rows.
class EmbeddedViewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int f = 0; f < 3; ++f) {
      encoders_.push_back({0, f, testing::normal_matrix(2 * kRows, kComponents, static_cast<unsigned>(f)), {}});
    }
  }

  std::vector<EncoderState> encoders_;
  Folds folds_ = testing::folds_of(kRows, 3, 1);
  Matrix<float> start_ = testing::normal_matrix(kRows, kComponents, 9);
};

TEST_F(EmbeddedViewTest, OutOfFoldRowsComeFromTheEncoderOfTheirFold) {
  for (const Index first : {Index{0}, kRows}) {
    for (const float weight : {0.0F, 0.5F}) {
      Matrix<float> out(kRows, kComponents);
      out_of_fold_rows({encoders_, first}, folds_, weight, start_, 2, out);
      for (Index i = 0; i < kRows; ++i) {
        const auto fold = static_cast<std::size_t>(folds_.of_row[static_cast<std::size_t>(i)]);
        for (Index c = 0; c < kComponents; ++c) {
          EXPECT_FLOAT_EQ(out(i, c), encoders_[fold].embedding(first + i, c) + weight * start_(i, c));
        }
      }
    }
  }
}

TEST_F(EmbeddedViewTest, RowsOutsideAllFoldsStayAsTheyAre) {
  folds_.of_row[4] = -1;
  Matrix<float> out(kRows, kComponents, 7.0F);
  out_of_fold_rows({encoders_}, folds_, 0, {}, 1, out);
  EXPECT_EQ(out(4, 1), 7.0F);
  EXPECT_NE(out(5, 1), 7.0F);
}

TEST_F(EmbeddedViewTest, TheMeanIsThatOfAllEncoders) {
  const Matrix<float> mean = mean_rows({encoders_, kRows}, kRows, 2);
  ASSERT_EQ(mean.rows(), kRows);
  for (Index i = 0; i < kRows; ++i) {
    for (Index c = 0; c < kComponents; ++c) {
      double sum = 0;
      for (const EncoderState& encoder : encoders_) sum += encoder.embedding(kRows + i, c);
      EXPECT_FLOAT_EQ(mean(i, c), static_cast<float>(sum / 3));
    }
  }
}

}  // namespace
}  // namespace treecca
