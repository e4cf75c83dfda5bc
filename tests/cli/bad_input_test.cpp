// Bad input: an error that names the culprit, the right exit code, and nothing left behind.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "cli/run_cli.hpp"

namespace treecca {
namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

class CliBadInput : public ::testing::Test {
 protected:
  void SetUp() override { write_two_views(space_); }

  /// fit --out run with a.csv replaced by `bytes`.
  void expect_a_refused(const std::string& bytes, int code, std::initializer_list<std::string> parts,
                        std::initializer_list<std::string> more = {}) {
    space_.write("a.csv", bytes);
    expect_fit_refused(code, parts, more);
  }
  void expect_fit_refused(int code, std::initializer_list<std::string> parts,
                          std::initializer_list<std::string> more = {}) {
    const std::set<std::string> before = space_.contents();
    std::vector<std::string> words = fit_arguments(space_, {"--quiet", "--out", space_.file("run")});
    words.insert(words.end(), more);
    expect_failure(run_cli(words), code, parts);
    EXPECT_EQ(space_.contents(), before);
  }
  /// One of the views as text, row by row.
  static std::string view(int rows, const std::function<std::string(int)>& cells) {
    std::string text = "sample,x,noise\n";
    for (int i = 0; i < rows; ++i) text += "s" + std::to_string(i + 1) + "," + cells(i) + "\n";
    return text;
  }
  const Workspace space_;
};

TEST_F(CliBadInput, FileMissing) {
  fs::remove(space_.file("a.csv"));
  expect_fit_refused(kFailed, {"a.csv", "No such file"});
}

TEST_F(CliBadInput, FileIsAFolder) {
  fs::remove(space_.file("a.csv"));
  fs::create_directory(space_.file("a.csv"));
  expect_fit_refused(kFailed, {"a.csv", "directory"});
}

TEST_F(CliBadInput, FileEmpty) { expect_a_refused("", kFailed, {"a.csv", "empty"}); }

TEST_F(CliBadInput, HeaderOnly) { expect_a_refused("sample,x\n", kFailed, {"a.csv", "no rows"}); }

TEST_F(CliBadInput, FileBinary) {
  expect_a_refused(std::string("\x7f"
                               "ELF\x02\x01\x00\x00\x00\x00\xff\xfe\n\x00,\x01\n",
                               17),
                   kFailed, {"a.csv", "NUL"});
}

TEST_F(CliBadInput, RaggedRows) {
  expect_a_refused("sample,x,y\ns1,1,2\ns2,1\n", kFailed, {"a.csv, line 3", "2 cells"});
}

TEST_F(CliBadInput, TextInANumericColumn) {
  expect_a_refused(view(80, [](int i) { return i == 7 ? "much,1" : std::to_string(i) + ",1"; }), kFailed,
                   {"a.csv, line 9", "\"much\"", "\"x\""});
}

TEST_F(CliBadInput, DuplicateIds) {
  expect_a_refused("sample,x\ns1,1\ns2,2\ns1,3\n", kFailed, {"\"a\"", "\"s1\" appears in rows 1 and 3"});
}

TEST_F(CliBadInput, NoCommonIds) {
  expect_a_refused(view(80, [](int i) { return std::to_string(i) + ",1"; }), kFailed,
                   {"a.csv", "no column \"nothing\""}, {"--id", "nothing"});
  std::string other = "sample,x\n";
  for (int i = 0; i < 80; ++i) other += "t" + std::to_string(i) + "," + std::to_string(i) + "\n";
  expect_a_refused(other, kFailed, {"No sample id", "t0", "s200"});
}

TEST_F(CliBadInput, IdColumnAbsent) {
  expect_fit_refused(kFailed, {"no column \"patient\"", "a.csv"}, {"--id", "patient"});
}

TEST_F(CliBadInput, FewerThanTwoViews) {
  expect_failure(run_cli({"fit"}), kWrongUsage, {"two views", "--view"});
  expect_failure(run_cli({"fit", "--view", space_.file("a.csv")}), kWrongUsage, {"two views"});
}

TEST_F(CliBadInput, ViewNames) {
  const std::string a = space_.file("a.csv");
  const auto fit = [&](const std::string& first, const std::string& second) {
    return run_cli({"fit", "--view", first, "--view", second, "--out", space_.file("run")});
  };
  expect_failure(fit("x=" + a, "x=" + space_.file("b.csv")), kWrongUsage, {"\"x\"", "a.csv and "});
  expect_failure(fit("../x=" + a, space_.file("b.csv")), kWrongUsage, {"../x", "slash"});
  expect_failure(fit("=" + a, space_.file("b.csv")), kWrongUsage, {"empty"});
  expect_failure(fit("x=", space_.file("b.csv")), kWrongUsage, {"x= names no file"});
  expect_failure(fit(std::string(300, 'x') + "=" + a, space_.file("b.csv")), kWrongUsage, {"longer"});
  expect_failure(fit("out_of_fold_b=" + a, space_.file("b.csv")), kWrongUsage, {"out_of_fold_b"});
  expect_failure(fit("caf\xE9=" + a, space_.file("b.csv")), kWrongUsage, {"caf?", "UTF-8"});
  space_.write("caf\xE9.csv", "");
  expect_failure(fit(space_.file("caf\xE9.csv"), a), kWrongUsage, {"caf?", "UTF-8"});
}

TEST_F(CliBadInput, TablesWithoutView) {
  expect_failure(run_cli({"fit", "a.csv", "b.tsv.gz", "-k", "1"}), kWrongUsage,
                 {"\"a.csv\"", "Did you mean --view a.csv --view b.tsv.gz?"});
  expect_failure(run_cli({"fit", "--view", "a.csv", "rna=b.csv"}), kWrongUsage,
                 {"\"rna=b.csv\"", "Did you mean --view rna=b.csv?"});
  expect_failure(run_cli({"transform", "m.json", "new.npy"}), kWrongUsage, {"--view new.npy"});
  const CliResult other = run_cli({"importance", "m.json", "new.npy"});
  expect_failure(other, kWrongUsage, {"new.npy"});
  EXPECT_EQ(other.err.find("Did you mean"), std::string::npos) << other.err;
}

TEST_F(CliBadInput, OutputsThatAreInputs) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& input) {
    const std::string before = read_bytes(input);
    expect_failure(run_cli(words), kWrongUsage, {"overwrite", input});
    EXPECT_EQ(read_bytes(input), before);
  };
  const std::string b = space_.file("b.csv");
  fs::create_directory(space_.file("run"));
  for (const char* name : {"importances_a.csv", "curves.csv", "variates_out_of_fold_a.csv"}) {
    const std::string input = space_.file("run/" + std::string(name));
    fs::copy(space_.file("a.csv"), input);
    refused({"fit", "--view", "a=" + input, "--view", b, "--out", space_.file("run")}, input);
    fs::remove(input);
  }
  // By another name.
  fs::create_symlink(space_.file("a.csv"), space_.file("run/curves.csv"));
  refused({"fit", "--view", space_.file("a.csv"), "--view", b, "--out", space_.file("run/")}, space_.file("a.csv"));
  fs::remove(space_.file("run/curves.csv"));
  // A second fit takes the files of the first away.
  ASSERT_EQ(run_cli(fit_arguments(space_, {"--quiet", "--out", space_.file("run")})).exit_code, 0);
  const std::string variates = space_.file("run/variates_a.csv");
  refused({"fit", "--view", "x=" + variates, "--view", b, "--out", space_.file("run")}, variates);

  const std::string model = space_.file("run/model.json");
  const std::string a = space_.file("a.csv");
  refused({"transform", model, "--view", a, "--out", a}, a);
  refused({"transform", model, "--view", a, "--out", model}, model);
  refused({"transform", model, "--view", "a=" + variates, "--out", space_.file("run/")}, variates);
  refused({"convert", model, model}, model);
}

TEST_F(CliBadInput, ConstantView) {
  expect_a_refused(view(80, [](int) { return "1,2"; }), kFailed, {"\"a\" is constant"});
}

TEST_F(CliBadInput, FewerThanTenRows) {
  expect_a_refused(view(9, [](int i) { return std::to_string(i) + ",1"; }), kFailed, {"9 samples", "at least 10"});
}

TEST_F(CliBadInput, FewerRowsThanFolds) {
  expect_fit_refused(kFailed, {"200 rows", "cross_fit = 300", "cross_fit"}, {"--cross_fit", "300"});
}

TEST_F(CliBadInput, ComponentsBelowOne) { expect_fit_refused(kWrongUsage, {"n_components", "\"0\""}, {"-k", "0"}); }

TEST_F(CliBadInput, Infinities) {
  expect_a_refused(view(80, [](int i) { return i == 3 ? "inf,1" : std::to_string(i) + ",1"; }), kFailed,
                   {"a.csv, line 5", "\"x\"", "infinite"});
}

TEST_F(CliBadInput, ParametersOutOfRange) {
  expect_fit_refused(kWrongUsage, {"learning_rate", "\"0\""}, {"--learning_rate", "0"});
  expect_fit_refused(kWrongUsage, {"max_depth", "\"17\""}, {"--max_depth", "17"});
  expect_fit_refused(kWrongUsage, {"max_depth", "\"-1\""}, {"--max_depth", "-1"});
  expect_fit_refused(kWrongUsage, {"subsample", "\"1.5\""}, {"--subsample", "1.5"});
  expect_fit_refused(kWrongUsage, {"trees", "\"joint\", \"scalar\"", "\"oak\""}, {"--trees", "oak"});
  expect_fit_refused(kWrongUsage, {"max_depth", "3 values", "2 views"}, {"--max_depth", "1,2,3"});
  expect_fit_refused(kWrongUsage, {"learning_rate", "\"nan\""}, {"--learning_rate", "nan"});
}

TEST_F(CliBadInput, OutputIsAFile) {
  space_.write("run", "");
  expect_fit_refused(kFailed, {"run", "not a folder"});
  expect_failure(run_cli(fit_arguments(space_, {"--out", space_.file("a.csv/run")})), kFailed,
                 {"a.csv", "not a folder"});
}

TEST_F(CliBadInput, OutputUnwritable) {
  const std::set<std::string> before = space_.contents();
  expect_failure(run_cli(fit_arguments(space_, {"--out", "/proc/treecca-run"})), kFailed, {"/proc", "Writing"});
  EXPECT_EQ(space_.contents(), before);
}

TEST_F(CliBadInput, OutputNameTooLong) {
  const std::string name(300, 'x');
  for (const std::string& out : {space_.file(name), space_.file(name + "/run")}) {
    expect_failure(run_cli(fit_arguments(space_, {"--out", out})), kFailed,
                   {"Results cannot be written", name, "File name too long"});
  }
}

TEST_F(CliBadInput, OutputIsNameless) {
  const std::set<std::string> before = space_.contents();
  expect_failure(run_cli(fit_arguments(space_, {"--out", ""})), kWrongUsage, {"output folder is empty"});
  EXPECT_EQ(space_.contents(), before);
}

// A file-size limit makes write() fail half-way as a full disk does.
TEST_F(CliBadInput, DiskFull) {
  const std::set<std::string> before = space_.contents();
  CliOptions options;
  options.greatest_file = 2000;
  const CliResult result = run_cli(fit_arguments(space_, {"--quiet", "--out", space_.file("new/run")}), options);
  expect_failure(result, kFailed, {space_.file("new/run/model.json")});
  EXPECT_EQ(space_.contents(), before);
}

TEST_F(CliBadInput, DiskFullKeepsTheEarlierResults) {
  ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
  const std::set<std::string> before = space_.contents();
  const std::string model = read_bytes(space_.file("run/model.json"));
  CliOptions options;
  options.greatest_file = 2000;
  const CliResult result = run_cli(fit_arguments(space_, {"--quiet", "-k", "1", "--out", space_.file("run")}), options);
  expect_failure(result, kFailed, {"model.json"});
  EXPECT_EQ(space_.contents(), before);
  EXPECT_EQ(read_bytes(space_.file("run/model.json")), model);
}

class CliBadModel : public CliBadInput {
 protected:
  void SetUp() override {
    CliBadInput::SetUp();
    ASSERT_EQ(run_cli(fit_arguments(space_, {"--out", space_.file("run")})).exit_code, 0);
    model_ = space_.file("run/model.json");
  }
  void expect_all_verbs_refuse(std::initializer_list<std::string> parts) {
    const std::string view = "a=" + space_.file("a.csv");
    const std::string other = "b=" + space_.file("b.csv");
    expect_failure(run_cli({"transform", model_, "--view", view, "--out", space_.file("z.csv")}), kFailed, parts);
    expect_failure(run_cli({"score", model_, "--view", view, "--view", other}), kFailed, parts);
    expect_failure(run_cli({"importance", model_}), kFailed, parts);
    expect_failure(run_cli({"inspect", model_}), kFailed, parts);
    expect_failure(run_cli({"convert", model_, space_.file("z.ubj")}), kFailed, parts);
    EXPECT_EQ(space_.contents().count("z.csv") + space_.contents().count("z.ubj"), 0U);
  }
  std::string model_;
};

TEST_F(CliBadModel, Missing) {
  fs::remove(model_);
  expect_all_verbs_refuse({"model.json", "No such file"});
}

TEST_F(CliBadModel, CutShort) {
  const std::string whole = read_bytes(model_);
  write_bytes(model_, whole.substr(0, whole.size() / 2));
  expect_all_verbs_refuse({"model.json", "damaged"});
}

TEST_F(CliBadModel, NotAModel) {
  fs::copy(space_.file("a.csv"), model_, fs::copy_options::overwrite_existing);
  expect_all_verbs_refuse({"model.json", "not a TreeCCA model"});
}

TEST_F(CliBadModel, OfANewerVersion) {
  std::string text = read_bytes(model_);
  const std::size_t at = text.find("\"format_version\"");
  ASSERT_NE(at, std::string::npos);
  const std::size_t colon = text.find(':', at);
  text.replace(colon, text.find_first_of(",}", colon) - colon, ": 999");
  write_bytes(model_, text);
  expect_all_verbs_refuse({"model.json", "999"});
}

TEST_F(CliBadModel, TransformWithFeaturesMissing) {
  space_.write("new.csv", "sample,noise\ns1,1\n");
  expect_failure(run_cli({"transform", model_, "--view", "a=" + space_.file("new.csv"), "--out", space_.file("z.csv")}),
                 kFailed, {"\"a\" lacks 1 of the ", "\"x\""});
  EXPECT_EQ(space_.contents().count("z.csv"), 0U);
}

}  // namespace
}  // namespace treecca
