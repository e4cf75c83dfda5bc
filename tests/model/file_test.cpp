#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "helpers/random_model.hpp"
#include "model/model_bytes.hpp"
#include "treecca/error.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;
using testing_helpers::ModelShape;
using testing_helpers::random_model;

/// Whatever happens to the bytes: a ModelError, or a model that passes every check.
void expect_model_or_error(std::string_view bytes, int& survived) {
  try {
    const Model model = parse_model(bytes);
    ASSERT_NO_THROW(check_model(model));
    ++survived;
  } catch (const ModelError&) {
  }
}

TEST(ModelFile, RoundTripsBitForBitInBothEncodings) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Model model = testing_helpers::random_model_of_random_shape(seed);
    for (const ModelFormat format : kFormats) {
      const std::string bytes = serialize_model(model, format);
      const Model read = parse_model(bytes);
      ASSERT_EQ(read, model) << seed;
      ASSERT_EQ(bits_of(read), bits_of(model)) << seed;
      ASSERT_EQ(serialize_model(read, format), bytes) << seed;
    }
  }
}

TEST(ModelFile, UbjsonIsMuchSmallerThanJson) {
  ModelShape shape;
  shape.rounds = 50;
  const Model model = random_model(31, shape);
  EXPECT_LT(2 * serialize_model(model, ModelFormat::ubjson).size(), serialize_model(model, ModelFormat::json).size());
}

TEST(ModelFile, WhatCannotBeReadAgainIsNotWritten) {
  Model model = random_model(32);
  model.views[0].parts[0].encoders[0][0].leaf_values[0] = std::numeric_limits<float>::infinity();
  for (const ModelFormat format : kFormats) EXPECT_THROW(serialize_model(model, format), ModelError);
}

TEST(ModelFile, EveryTruncationIsAnError) {
  ModelShape shape;
  shape.rounds = 1;
  shape.base_margin = true;
  for (const ModelFormat format : kFormats) {
    const std::string bytes = serialize_model(random_model(33, shape), format);
    const std::size_t end = bytes.find_last_not_of('\n') + 1;  // JSON is complete without its last line break
    for (std::size_t size = 0; size < end; ++size) {
      ASSERT_NE(error_of(std::string_view(bytes).substr(0, size)), "no error") << size;
    }
    EXPECT_NE(error_of(bytes.substr(0, end / 2)).find("ends too early"), std::string::npos);
    EXPECT_NE(error_of(bytes + "x"), "no error");
    EXPECT_NE(error_of(bytes + bytes), "no error");
  }
}

TEST(ModelFile, RandomDamageNeverCrashes) {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string markers = "UiIlLdDCSHZTFN[]{}$#\"\\,:-0123456789.eE";
  int survived = 0;
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    ModelShape shape = testing_helpers::ModelMaker(seed).shape();
    shape.rounds = std::min<Index>(shape.rounds, 2);
    const Model model = random_model(seed, shape);
    for (const ModelFormat format : kFormats) {
      // With a checksum damage would be found, but not by the checks that are tried here.
      const std::string bytes = without_checksum(serialize_model(model, format), format);
      for (int edit = 0; edit < 1000; ++edit) {
        std::string damaged = bytes;
        for (std::size_t times = 1 + below(3); times > 0; --times) {
          const std::size_t at = below(damaged.size());
          switch (below(6)) {
            case 0:
              damaged[at] = static_cast<char>(below(256));
              break;
            case 1:
              damaged[at] = static_cast<char>(damaged[at] ^ (1 << below(8)));
              break;
            case 2:
              damaged[at] = markers[below(markers.size())];
              break;
            case 3:
              damaged.erase(at, 1 + below(8));
              break;
            case 4:
              damaged.insert(at, 1 + below(8), static_cast<char>(below(256)));
              break;
            default:
              damaged.insert(at, damaged.substr(below(damaged.size()), below(64)));
              break;
          }
          if (damaged.empty()) damaged = "{";
        }
        ++tried;
        expect_model_or_error(damaged, survived);
      }
    }
  }
  EXPECT_GT(tried - survived, tried / 2);
  EXPECT_GT(survived, 0);  // a changed digit of a leaf is still a model
}

TEST(ModelFile, RandomBytesNeverCrash) {
  std::mt19937_64 random(2);
  int survived = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = i % 2 == 0 ? "{"
                                   : "{U\x06"
                                     "format";
    for (std::size_t n = random() % 64; n > 0; --n) bytes.push_back(static_cast<char>(random()));
    expect_model_or_error(bytes, survived);
  }
  EXPECT_EQ(survived, 0);
}

TEST(ModelFile, NewerFormatsAreNamedEvenWhenTheyHoldUnknownThings) {
  const std::string newer = "it was written by a newer TreeCCA (format 4, this one reads up to 3).";
  EXPECT_EQ(error_of("{\"format\":\"treecca-model\",\"format_version\":4,\"new\":[[true]]}"), newer);
  EXPECT_EQ(error_of("{\"format\":\"treecca-model\",\"format_version\":4}"), newer);
  EXPECT_EQ(error_of("{U\x06"
                     "formatSU\x0D"
                     "treecca-modelU\x0E"
                     "format_versionU\x04U\x03"
                     "new[[T]]}"),
            newer);
}

class ModelFileOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::temp_directory_path() / ("treecca-" + test + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(ModelFileOnDisk, TheEndingChoosesTheEncodingAndContentIsRecognised) {
  const Model model = random_model(41);
  for (const char* name : {"m.json", "m.ubj", "m.ubjson"}) {
    save_model(model, path(name));
    EXPECT_EQ(load_model(path(name)), model) << name;
  }
  EXPECT_EQ(fs::file_size(path("m.ubj")), fs::file_size(path("m.ubjson")));
  EXPECT_LT(fs::file_size(path("m.ubj")), fs::file_size(path("m.json")));
  ModelOrigin origin;
  EXPECT_EQ(load_model(path("m.ubj"), origin), model);
  EXPECT_EQ(origin.producer.rfind("treecca ", 0), 0U) << origin.producer;
  EXPECT_EQ(origin.format_version, 2);
  EXPECT_EQ(origin.format, ModelFormat::ubjson);
  load_model(path("m.json"), origin);
  EXPECT_EQ(origin.format, ModelFormat::json);
  fs::rename(path("m.ubj"), path("other.json"));
  EXPECT_EQ(load_model(path("other.json")), model);
  EXPECT_THROW(save_model(model, path("m.txt")), FileError);
  EXPECT_THROW(save_model(model, path("json")), FileError);
  EXPECT_THROW(save_model(model, path("absent/m.json")), FileError);
}

TEST_F(ModelFileOnDisk, ABrokenModelLeavesTheOldFile) {
  const Model model = random_model(42);
  save_model(model, path("m.json"));
  Model broken = model;
  broken.views[0].parts[0].mean.clear();
  try {
    save_model(broken, path("m.json"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("m.json\": views[0].parts[0].mean has 0 numbers"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(load_model(path("m.json")), model);
}

TEST_F(ModelFileOnDisk, ErrorsNameTheFile) {
  const auto error = [](const std::string& file) -> std::string {
    try {
      load_model(file);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error(path("absent.json")),
            "Cannot read the model file \"" + path("absent.json") + "\": No such file or directory.");
  EXPECT_EQ(error(folder_.string()), "Cannot read the model file \"" + folder_.string() + "\": Is a directory.");
  std::ofstream(path("empty.json")).close();
  EXPECT_EQ(error(path("empty.json")), "The model file \"" + path("empty.json") + "\" cannot be used: it is empty.");
  std::ofstream(path("text.json")) << "id,x\n1,2\n";
  EXPECT_EQ(error(path("text.json")),
            "The model file \"" + path("text.json") +
                "\" cannot be used: it is not a TreeCCA model: it is neither JSON nor UBJSON.");
  // A device without an end is not read to its end.
  EXPECT_NE(error("/dev/zero").find("neither JSON nor UBJSON"), std::string::npos);
}

}  // namespace
}  // namespace treecca
