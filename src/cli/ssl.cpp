// treecca ssl: learns components from one table that stay the same when its rows are augmented.
#include "treecca/ssl.hpp"

#include <fmt/format.h>

#include "cli/data_options.hpp"
#include "cli/fit.hpp"
#include "cli/repeat_command.hpp"
#include "report/file_names.hpp"

namespace treecca::cli {
namespace {

Augmentation augmentation_of(const Arguments& arguments) {
  return {.swap = arguments.number("swap").value_or(0),
          .mask = arguments.number("mask").value_or(0),
          .sign_flip = arguments.has("sign_flip"),
          .noise = arguments.number("noise").value_or(0)};
}

SslRows rows_of(const Arguments& arguments, Preset preset) {
  const std::string given = arguments.text("rows");
  if (given.empty()) return ssl_rows(preset);
  return given == "stacked" ? SslRows::stacked : SslRows::symmetrised;
}

std::string augmentation_words(const Augmentation& augmentation, const std::string& rows) {
  std::string words;
  if (augmentation.swap > 0) words += fmt::format(" --swap {}", augmentation.swap);
  if (augmentation.mask > 0) words += fmt::format(" --mask {}", augmentation.mask);
  if (augmentation.sign_flip) words += " --sign_flip";
  if (augmentation.noise > 0) words += fmt::format(" --noise {}", augmentation.noise);
  if (!rows.empty()) words += " --rows " + rows;
  return words;
}

void run_ssl(const Arguments& arguments) {
  const std::vector<ViewFile> files = single_file(arguments);
  const DataOptions data = data_options_of(arguments);
  const Augmentation augmentation = augmentation_of(arguments);
  FitRun fit;
  fit.parameters = parse_parameters(arguments.parameters(), 1, ssl_parameters);
  if (arguments.text("preset") == "auto") {
    print_warnings({"One table has no parts to fit and no linear CCA to blend with: preset auto means plain here."});
  }
  const SslRows rows = rows_of(arguments, fit.parameters.preset);
  prepare(fit, arguments, files, data);
  fit.command = repeat_command("ssl", files, data, fit.parameters, ssl_parameters) +
                augmentation_words(augmentation, arguments.text("rows"));
  fit.learn = [&](const std::vector<View>& views, const FitOptions& options) {
    return fit_ssl(views[0], fit.parameters, {options, augmentation, {}, rows});
  };
  run_fit(fit);
}

/// One table has no report, and no partners in other views.
std::vector<WrittenFile> ssl_written_files() {
  std::vector<WrittenFile> files = fit_written_files();
  const auto absent = [](const WrittenFile& file) {
    return file.name == kReportFile || file.name.starts_with(kPartners) || file.name.starts_with(kScreening);
  };
  std::erase_if(files, absent);
  return files;
}

std::vector<Option> augmentation_options() {
  const std::string group = "Augmentation (give at least one)";
  const auto number = [&](std::string name, std::string help) {
    return Option{
        .name = std::move(name), .kind = Option::Kind::number, .value = "NUM", .help = std::move(help), .group = group};
  };
  return {number("swap", "Fraction of cells that take the value of another row, as in SCARF."),
          number("mask", "Fraction of cells that become missing."),
          {.name = "sign_flip",
           .kind = Option::Kind::flag,
           .help = "Flip the sign of every cell with probability 1/2.",
           .group = group},
          number("noise", "Standard deviation of Gaussian noise, relative to the standard deviation of the feature."),
          {.name = "rows",
           .choices = {"stacked", "symmetrised"},
           .help = "Rows to train trees on. stacked: both augmented copies; symmetrised: the first copy, with the mean "
                   "of both gradients. [stacked; with --preset paper symmetrised]",
           .group = group}};
}

}  // namespace

Verb ssl_verb() {
  return {
      .name = "ssl",
      .help = "Learn features from one table, without labels",
      .options = combined({single_data_options(),
                           augmentation_options(),
                           output_options("Folder for the model and the results (CSV). All files are written or none."),
                           ssl_parameter_options(),
                           {engine_param_option()}}),
      .files = ssl_written_files(),
      .footer =
          "Example:\n  treecca ssl --view table.csv --swap 0.3 -k 5 --out run/\n"
          "  treecca transform run/model.json --view table=new.csv --out z.csv",
      .run = run_ssl,
  };
}

}  // namespace treecca::cli
