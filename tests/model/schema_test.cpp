// model_to_document.cpp and model_from_document.cpp: two mirrors, tested as a pair.
#include "model/schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <set>

#include "helpers/random_model.hpp"
#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;
using Kind = Document::Kind;

std::string error_of(const Document& document) {
  try {
    model_from_document(document);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

Document sample(bool categories = true) {
  ModelShape shape;
  shape.base_margin = true;
  shape.screened = true;
  shape.parts = 2;
  shape.linear = 0.5;
  shape.described = true;
  shape.categories = categories;
  return model_to_document(random_model(21, shape));
}

/// Calls visit(object, index of member, path) for every member of every object.
void for_each_member(Document& object, const std::string& path,
                     const std::function<void(Document&, std::size_t, const std::string&)>& visit) {
  for (std::size_t i = 0; i < object.items.size(); ++i) {
    const std::string here = path.empty() ? object.keys[i] : path + "." + object.keys[i];
    Document& value = object.items[i];
    if (value.kind == Kind::object) for_each_member(value, here, visit);
    if (value.kind == Kind::items) {
      for (std::size_t j = 0; j < value.items.size(); ++j) {
        for_each_member(value.items[j], here + "[" + std::to_string(j) + "]", visit);
      }
    }
    visit(object, i, here);
  }
}

/// The member at the end of a path of keys and positions.
Document& member(Document& document, std::initializer_list<std::string> path) {
  Document* at = &document;
  for (const std::string& step : path) {
    if (at->kind == Kind::items) {
      at = &at->items.at(std::stoul(step));
    } else {
      at = const_cast<Document*>(at->find(step));
    }
  }
  return *at;
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST(ModelDocument, RoundTrip) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Model model = testing_helpers::random_model_of_random_shape(seed);
    EXPECT_EQ(model_from_document(model_to_document(model)), model) << seed;
  }
}

/// A number with three knots and a class with two levels: three columns.
Model with_covariates() {
  Model model = random_model(3);
  model.covariates = {{"age", {20, 40.5, 60}, {}}, {"batch", {}, {"A", "B"}}};
  for (ViewModel& view : model.views) {
    view.covariate_effect = {{1, 2, 0.5}, Matrix<double>(3, model.n_components(), 0.25)};
  }
  model.correlations.linear_unadjusted.assign(static_cast<std::size_t>(model.n_components()), 0.5);
  return model;
}

TEST(ModelDocument, CovariatesComeBack) {
  const Model model = with_covariates();
  check_model(model);
  EXPECT_EQ(model_from_document(model_to_document(model)), model);
}

TEST(ModelDocument, ProductsOfCovariatesComeBack) {
  Model model = with_covariates();
  model.covariates.push_back({"age*batch", {}, {}});
  for (ViewModel& view : model.views) {
    view.covariate_effect = {{1, 2, 0.5, 3}, Matrix<double>(4, model.n_components(), 0.25)};
  }
  EXPECT_EQ(parse_model(serialize_model(model, ModelFormat::json)), model);
  model.covariates[2].name = "age*plate";
  expect_error<ModelError>([&] { check_model(model); }, {"covariates[2]", "product of unknown covariates"});
  model.covariates[2].name = "sum";
  expect_error<ModelError>([&] { check_model(model); }, {"covariates[2]", "knots or levels"});
}

TEST(ModelDocument, DamagedCovariatesAreRefused) {
  const auto error_after = [](auto change) {
    Model model = with_covariates();
    change(model);
    return error_of(model_to_document(model));
  };
  expect_part(error_after([](Model& m) { m.covariates[0].knots = {3, 2, 1}; }), "covariates[0].knots is not ascending");
  expect_part(error_after([](Model& m) { m.covariates[0].knots = {1}; }), "views[0].covariate_effect");
  expect_part(error_after([](Model& m) { m.covariates[1].levels = {"A", "A"}; }), "covariates[1].levels");
  expect_part(error_after([](Model& m) { m.covariates[1].name = "age"; }), "covariates (their names)");
  expect_part(error_after([](Model& m) { m.covariates.pop_back(); }), "views[0].covariate_effect");
  expect_part(error_after([](Model& m) { m.covariates.clear(); }), "covariate_effect");
  expect_part(error_after([](Model& m) { m.views[1].covariate_effect = {}; }), "views[1]");
  expect_part(error_after([](Model& m) { m.views[0].covariate_effect.weights(0, 0) = 1e300; }), "beyond 1e+30");
  expect_part(error_after([](Model& m) { m.correlations.linear_unadjusted[0] = 2; }), "linear_unadjusted");
}

TEST(ModelDocument, DamagedCategoriesAreRefused) {
  const auto error_after = [](auto change) {
    Document document = sample();
    Document& category = member(document, {"views", "0", "categories", "0"});
    change(document, category);
    return error_of(document);
  };
  const auto number = [](Document& document, std::initializer_list<std::string> path) -> std::vector<double>& {
    return member(document, path).numbers;
  };
  const std::string categories = "views[0].categories";
  expect_part(error_after([](Document&, Document& c) { c.items[0].number = 7; }), categories + "[0].feature");
  expect_part(error_after([](Document&, Document& c) { c.items[1].texts[0] = ""; }), categories);
  expect_part(error_after([](Document&, Document& c) { c.items[1].texts.clear(); }), categories + "[0].levels");
  expect_part(error_after([](Document&, Document& c) { c.items[1].texts.resize(256, "x"); }),
              categories + "[0].levels");
  expect_part(error_after([](Document&, Document& c) { c.items[2].numbers[0] = -1; }), categories);
  expect_part(error_after([](Document& d, Document&) {
                auto& items = member(d, {"views", "0", "categories"}).items;
                items.push_back(items[0]);
              }),
              "is not ascending");
  // Of the first encoder that splits a category.
  const auto in_encoder = [&](auto change) {
    return error_after([&](Document& d, Document&) {
      for (Document& encoder : member(d, {"views", "0", "parts", "0", "encoders"}).items) {
        std::vector<double>& sizes = number(encoder, {"left_level_sizes"});
        if (std::find_if(sizes.begin(), sizes.end(), [](double size) { return size > 1; }) == sizes.end()) continue;
        change(sizes, number(encoder, {"left_levels"}), encoder);
        return;
      }
      FAIL() << "no split";
    });
  };
  using Numbers = std::vector<double>;
  expect_part(in_encoder([](Numbers& sizes, Numbers&, Document&) { sizes[0] += 1; }), "left_levels");
  expect_part(in_encoder([](Numbers& sizes, Numbers&, Document&) { sizes[0] = 300; }), "left_level_sizes");
  expect_part(in_encoder([](Numbers&, Numbers& levels, Document&) { levels[0] = 255; }), "left_levels");
  expect_part(in_encoder([](Numbers&, Numbers& levels, Document&) { levels[0] = 0.5; }), "left_levels");
  expect_part(in_encoder([](Numbers&, Numbers& levels, Document&) { levels.back() = 200; }), "does not exist");
  expect_part(in_encoder([](Numbers& sizes, Numbers& levels, Document&) {
                const auto two = std::find_if(sizes.begin(), sizes.end(), [](double size) { return size > 1; });
                const auto at = static_cast<std::size_t>(std::accumulate(sizes.begin(), two, 0.0));
                std::swap(levels[at], levels[at + 1]);
              }),
              "not ascending");
}

TEST(ModelDocument, ThreadsAreNotPartOfAModel) {
  Model model = random_model(22);
  const std::string one = write_json(model_to_document(model));
  model.parameters.n_jobs = 7;
  EXPECT_EQ(write_json(model_to_document(model)), one);
  EXPECT_EQ(one.find("n_jobs"), std::string::npos);
}

/// Keys that are younger than the first files, or absent where there is nothing to say.
bool may_be_absent(const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot != std::string::npos && (path.starts_with("parameters.") || path.starts_with("asked."))) {
    bool absent = false;
    for_each_parameter([&](const Declaration& declaration, auto) {
      if (path.substr(dot + 1) == declaration.name) absent = declaration.may_be_absent;
    });
    return absent;
  }
  return path == "effective_samples" || path == "engine_params" || path == "row_hashes" || path == "shared_samples" ||
         path.ends_with(".screening") || path.ends_with(".loadings") || path.ends_with(".loadings.cross") ||
         path.ends_with("].parts") || path.ends_with("].offset") ||
         (path.ends_with("].mean") && path.find(".parts[") == std::string::npos);
}

TEST(ModelDocument, EveryMissingKeyIsNamed) {
  Document document = sample();
  std::set<std::string> paths;
  for_each_member(document, "", [&](Document& object, std::size_t i, const std::string& path) {
    if (path.starts_with("engine_params.")) return;  // names of another library
    const std::string key = object.keys[i];
    object.keys[i] = "renamed";
    const std::string error = error_of(document);
    object.keys[i] = key;
    paths.insert(path);
    if (path == "format") {
      expect_part(error, "it is not a TreeCCA model");
    } else if (may_be_absent(path)) {
      expect_part(error, "unknown key \"renamed\"");
    } else {
      EXPECT_EQ(error, path + " is missing.");
    }
  });
  EXPECT_TRUE(paths.count("views[1].parts[1].encoders[1].leaf_values") == 1);
  EXPECT_GT(paths.size(), 80U);
  EXPECT_EQ(error_of(document), "no error");
}

TEST(ModelDocument, EveryValueOfTheWrongKindIsNamed) {
  Document document = sample();
  for_each_member(document, "", [&](Document& object, std::size_t i, const std::string& path) {
    const Document right = object.items[i];
    for (const Document& wrong : {Document(), Document(true), Document(0.5), Document(std::string("text")),
                                  Document(std::vector<double>{0.5}), Document(std::vector<std::string>{"text"}),
                                  Document(std::vector<Document>{Document::object()}), Document::object()}) {
      const bool optional =
          path.ends_with("].base_margin") || path.ends_with("].linear") || path.ends_with("].categories");
      if (wrong.kind == right.kind || (wrong.kind == Kind::null && optional)) continue;
      // A parameter may be one number for all views or a list of one per view.
      const bool numeric = wrong.kind == Kind::number || wrong.kind == Kind::numbers;
      const bool parameter = path.starts_with("parameters.") || path.starts_with("asked.");
      if (numeric && parameter) continue;
      object.items[i] = wrong;
      const std::string error = error_of(document);
      EXPECT_NE(error, "no error") << path << " as kind " << static_cast<int>(wrong.kind);
      // Empty objects and arrays are refused for what they lack, numbers of the wrong kind for
      // their value.
      const std::string last = path.substr(path.rfind('.') + 1);
      if (path != "format") expect_part(error, last);
    }
    object.items[i] = right;
  });
}

TEST(ModelDocument, UnknownKeysAreRefused) {
  Document document = sample();
  std::vector<Document*> objects{&document};
  for_each_member(document, "", [&](Document& object, std::size_t i, const std::string& path) {
    if (path == "engine_params") return;  // any name of another library
    if (object.items[i].kind == Kind::object) objects.push_back(&object.items[i]);
    if (object.items[i].kind == Kind::items) {
      for (Document& item : object.items[i].items) objects.push_back(&item);
    }
  });
  for (Document* object : objects) {
    object->add("extra", Document(1.0));
    expect_part(error_of(document), "has the unknown key \"extra\"");
    object->keys.pop_back();
    object->items.pop_back();
  }
}

/// One number more or one less in any array is noticed.
TEST(ModelDocument, EveryArrayOfTheWrongLengthIsRefused) {
  Document document = sample();
  int arrays = 0;
  for_each_member(document, "", [&](Document& object, std::size_t i, const std::string& path) {
    std::vector<double>& numbers = object.items[i].numbers;
    if (object.items[i].kind != Kind::numbers) return;
    if (path.ends_with(".learning_rate")) return;  // has two, and may have one
    if (path == "row_hashes") return;              // of any number of rows
    ++arrays;
    numbers.push_back(numbers.empty() ? 1 : numbers.back());
    EXPECT_NE(error_of(document), "no error") << path << " too long";
    numbers.pop_back();
    if (numbers.empty()) return;
    const double last = numbers.back();
    numbers.pop_back();
    EXPECT_NE(error_of(document), "no error") << path << " too short";
    numbers.push_back(last);
  });
  EXPECT_GT(arrays, 50);
}

TEST(ModelDocument, NumbersOutOfRangeAreNamed) {
  const auto error_with = [](std::initializer_list<std::string> path, double value) {
    Document document = sample();
    Document& target = member(document, path);
    if (target.kind == Kind::number) {
      target.number = value;
    } else {
      target.numbers.at(0) = value;
    }
    return error_of(document);
  };
  const std::string encoder = "views[1].parts[1].encoders[0].";
  const auto in_encoder = [&](const std::string& key, double value) {
    const std::string error = error_with({"views", "1", "parts", "1", "encoders", "0", key}, value);
    expect_part(error, "views[1].parts[1].encoders[0]");
    return error;
  };
  for (const double bad : {-1.0, 0.0, 0.5, 3e9, 1e300})
    expect_part(in_encoder("tree_sizes", bad), encoder + "tree_sizes");
  for (const double bad : {-2.0, 2.0, 0.5, 1e300}) expect_part(in_encoder("component", bad), encoder + "component");
  for (const double bad : {-2.0, 0.5, 3e9}) expect_part(in_encoder("feature", bad), encoder + "feature");
  for (const double bad : {-1.0, 0.0, 1.5, 3e9}) expect_part(in_encoder("left", bad), encoder + "left");
  for (const double bad : {-1.0, 0.0, 1.5, 3e9}) expect_part(in_encoder("right", bad), encoder + "right");
  for (const double bad : {-1.0, 2.0, 0.5}) expect_part(in_encoder("default_left", bad), encoder + "default_left");
  for (const double bad : {-1.0, 0.5, 3e9}) expect_part(in_encoder("leaf", bad), encoder + "leaf");
  for (const char* key : {"threshold", "cover", "leaf_values"}) expect_part(in_encoder(key, 1e39), encoder + key);
  for (const double bad : {-1.0, 0.5, 1e16}) expect_part(error_with({"n_samples"}, bad), "n_samples must be");
  for (const double bad : {-1.0, 0.5, 1e16}) expect_part(error_with({"rounds"}, bad), "rounds must be");
  for (const double bad : {0.0, 0.5, 5000.0, 1e300, -1e300}) {
    expect_part(error_with({"parameters", "n_components"}, bad), "n_components must be");
  }
  for (const double bad : {0.5, 1e300, -1e300}) {
    expect_part(error_with({"parameters", "max_depth"}, bad), "parameters.max_depth must be an integer");
  }
  expect_part(error_with({"parameters", "max_depth"}, 17), "max_depth must be an integer, 1 to 16");
}

TEST(ModelDocument, ManyComponentsCannotBeClaimedWithoutTheirNumbers) {
  Document document = sample(false);
  member(document, {"parameters", "n_components"}).number = 1024;
  expect_part(error_of(document),
              "but must have 3072");  // the base margin of the first view, 3 x 1024
}

TEST(ModelDocument, VersionsAndOtherFormats) {
  const auto with_version = [](double version, bool categories = true) {
    Document document = sample(categories);
    member(document, {"format_version"}).number = version;
    return error_of(document);
  };
  EXPECT_EQ(with_version(4), "it was written by a newer TreeCCA (format 4, this one reads up to 3).");
  EXPECT_EQ(with_version(17), "it was written by a newer TreeCCA (format 17, this one reads up to 3).");
  EXPECT_EQ(with_version(0), "format_version must be an integer from 1 to 3.");
  expect_part(with_version(0.5), "format_version must be");
  EXPECT_EQ(with_version(3), "no error");
  expect_part(with_version(2), "views[0]");  // which knows no categories
  EXPECT_EQ(with_version(2, false), "no error");
  EXPECT_EQ(member(*std::make_unique<Document>(sample(false)), {"format_version"}).number, 2);
  EXPECT_NE(with_version(1), "no error");  // it has keys that version 1 did not know

  Document other = Document::object();
  other.add("learner", Document(std::string("xgboost")));
  expect_part(error_of(other), "it is not a TreeCCA model");
  other.add("format", Document(std::string("something")));
  expect_part(error_of(other), "it is not a TreeCCA model");
  EXPECT_NO_THROW(refuse_newer_format(other));
  EXPECT_NO_THROW(refuse_newer_format(Document()));
}

}  // namespace
}  // namespace treecca
