#include <gtest/gtest.h>

#include <random>

#include "helpers/random_model.hpp"
#include "model/model_bytes.hpp"
#include "treecca/error.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

TEST(ModelChecksum, BothEncodingsCarryTheSameChecksum) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Model model = random_model(seed);
    std::string found[2];
    for (const ModelFormat format : kFormats) {
      const std::string bytes = serialize_model(model, format);
      const std::size_t key = bytes.find("checksum");
      ASSERT_NE(key, std::string::npos);
      found[format == ModelFormat::json ? 0 : 1] = bytes.substr(key + (format == ModelFormat::json ? 12 : 11), 8);
      EXPECT_EQ(parse_model(without_checksum(bytes, format)), model);
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0].find_first_not_of("0123456789abcdef"), std::string::npos) << found[0];
  }
}

TEST(ModelChecksum, AFlippedBitIsNeverAnotherModel) {
  std::mt19937_64 random(3);
  for (const Trees trees : {Trees::joint, Trees::scalar}) {
    ModelShape shape;
    shape.rounds = 2;
    shape.trees = trees;
    shape.base_margin = true;
    const Model model = random_model(51, shape);
    for (const ModelFormat format : kFormats) {
      std::string bytes = serialize_model(model, format);
      for (int flip = 0; flip < 5000; ++flip) {
        char& byte = bytes[random() % bytes.size()];
        const char mask = static_cast<char>(1 << random() % 8);
        byte = static_cast<char>(byte ^ mask);
        try {
          const Model read = parse_model(bytes);
          ASSERT_EQ(read, model);
          ASSERT_EQ(bits_of(read), bits_of(model));
        } catch (const ModelError&) {
        }
        byte = static_cast<char>(byte ^ mask);
      }
      EXPECT_EQ(parse_model(bytes), model);
    }
  }
}

TEST(ModelChecksum, AChangeIsRefusedUnlessTheChecksumIsDeleted) {
  const Model model = random_model(52);
  std::string text = serialize_model(model, ModelFormat::json);
  const std::string samples = "\"n_samples\": " + std::to_string(model.n_samples);
  text.replace(text.find(samples), samples.size(), "\"n_samples\": 1" + std::to_string(model.n_samples));
  const std::string error = error_of(text);
  for (const char* part : {"changed or damaged", "Delete the key \"checksum\""}) {
    EXPECT_NE(error.find(part), std::string::npos) << error;
  }
  EXPECT_EQ(std::to_string(parse_model(without_checksum(text, ModelFormat::json)).n_samples),
            "1" + std::to_string(model.n_samples));
  // What does not change the content is no change.
  text = serialize_model(model, ModelFormat::json);
  text.insert(1, "  \n");
  EXPECT_EQ(parse_model(text), model);
}

}  // namespace
}  // namespace treecca
