#include "cli/reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "support/names.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

constexpr std::string_view kCovariates = "covariates=";
constexpr std::array<const char*, 8> kOptions{"id", "header", "decimal",     "thousands",
                                              "na", "drop",   "categorical", "text_columns"};

void set_header(ReadOptions& options, const std::string& text) {
  if (text != "yes" && text != "no") throw UsageError(fmt::format("--header {}: use yes or no.", text));
  options.header = text == "yes" ? Header::yes : Header::no;
}

void set_id(ReadOptions& options, const std::string& text) {
  options.has_ids = text != "none";
  options.id_column = options.has_ids ? text : "";
}

void set_decimal(ReadOptions& options, const std::string& text) {
  if (text != "." && text != ",") throw UsageError(fmt::format("--decimal {}: use . or ,", text));
  options.decimal = text[0];
}

void set_thousands(ReadOptions& options, const std::string& text) {
  const std::string mark = text == "space" ? " " : text;
  if (mark.size() != 1 || std::string(",.'_ ").find(mark) == std::string::npos) {
    throw UsageError(fmt::format("--thousands {}: use one of , . ' _ space", text));
  }
  options.thousands = mark[0];
}

void set_text_columns(ReadOptions& options, const std::string& text) {
  if (text != "error" && text != "categorical") {
    throw UsageError(fmt::format("--text_columns {}: use error or categorical.", text));
  }
  options.text_is_categorical = text == "categorical";
}

using Set = std::function<void(ReadOptions&, const std::string&)>;

Set setter_of(const std::string& name) {
  if (name == "id") return set_id;
  if (name == "header") return set_header;
  if (name == "decimal") return set_decimal;
  if (name == "thousands") return set_thousands;
  if (name == "categorical") {
    return [](ReadOptions& options, const std::string& text) {
      for (std::string& column : names_in(text, "--categorical")) options.categorical.push_back(std::move(column));
    };
  }
  if (name == "text_columns") return set_text_columns;
  if (name == "na") return [](ReadOptions& options, const std::string& text) { options.missing.push_back(text); };
  return [](ReadOptions& options, const std::string& text) { options.drop.push_back(text); };
}

}  // namespace

std::vector<std::string> names_in(const std::string& text, const std::string& option) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string name = text.substr(begin, end - begin);
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw UsageError(fmt::format("{} names {} twice.", option, name));
    }
    if (!name.empty()) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

std::vector<Option> reading_options() {
  const auto option = [](const char* name, const char* value, const char* help) {
    return Option{.name = name, .value = value, .help = help, .group = "Reading", .repeats = true};
  };
  return {
      option("id", "[VIEW=]COLUMN",
             "Column with sample ids, by which rows are joined. none: no such column; rows match by their order. [the "
             "first column, if it is called id, sample, patient, subject_id, ... or contains text]"),
      option("header", "[VIEW=]yes|no",
             "Whether the first row has the names of the features. [recognised; the output reports doubtful cases]"),
      option("decimal", "[VIEW=]MARK", "Decimal mark: . or , [.]"),
      option("thousands", "[VIEW=]MARK", "Mark between groups of three digits: , . ' _ or space. [none]"),
      option("na", "[VIEW=]VALUE",
             "Text or number that means missing, such as -999. NA, ND, #N/A, - and similar texts always do. May be "
             "repeated."),
      option("drop", "[VIEW=]COLUMN", "Column to leave out. May be repeated."),
      option(
          "categorical", "[VIEW=]COLUMN,...",
          "Columns that are categories, such as sex or batch: text, or numbers that are only names. May be repeated."),
      option("text_columns", "[VIEW=]error|categorical",
             "How to treat other columns of text: as an error, or as categories. [error]"),
  };
}

std::vector<std::pair<std::string, std::string>> given_reading_options(const Arguments& arguments) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const char* name : kOptions) {
    for (const std::string& text : arguments.texts(name)) given.emplace_back(name, text);
  }
  return given;
}

std::vector<ReadOptions> read_options_of(const Arguments& arguments, const std::vector<ViewFile>& files) {
  const bool with_covariates = arguments.declares("covariates") && arguments.has("covariates");
  std::vector<ReadOptions> options(files.size());
  for (const auto& [name, text] : given_reading_options(arguments)) {
    const Set set = setter_of(name);
    const std::size_t equals = text.find('=');
    const auto named = std::find_if(files.begin(), files.end(), [&](const ViewFile& file) {
      return equals != std::string::npos && text.substr(0, equals) == file.name;
    });
    if (named == files.end() && text.starts_with(kCovariates) && with_covariates) continue;
    if (named != files.end()) {
      set(options[static_cast<std::size_t>(named - files.begin())], text.substr(equals + 1));
      continue;
    }
    const bool names_column = name == "id" || name == "drop" || name == "categorical";  // whose names may have a =
    if (!names_column && equals != std::string::npos) {
      const std::string view = text.substr(0, equals);
      std::vector<std::string_view> known;
      for (const ViewFile& file : files) known.push_back(file.name);
      throw UsageError(fmt::format("--{} {}: no view is called {}; the views are {}.{}", name, text, in_quotes(view),
                                   fmt::join(known, ", "), did_you_mean(view, known)));
    }
    for (ReadOptions& one : options) set(one, text);
  }
  for (const ReadOptions& one : options) {
    if (one.decimal == one.thousands) {
      throw UsageError(fmt::format(
          "--decimal and --thousands are both \"{}\". Set --decimal to the other one of . and ,.", one.decimal));
    }
  }
  return options;
}

ReadOptions read_options_of_covariates(const Arguments& arguments, std::vector<ViewFile> views) {
  const bool taken =
      std::any_of(views.begin(), views.end(), [](const ViewFile& view) { return view.name == "covariates"; });
  if (!taken) views.push_back({"covariates", ""});
  return read_options_of(arguments, views).back();
}

}  // namespace treecca::cli
