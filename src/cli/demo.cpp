// treecca demo: fits embedded data, which takes seconds.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/demo_data.hpp"
#include "cli/fit.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "report/file_names.hpp"
#include "report/text.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

constexpr Index kComponents = 3;

/// Whether a fit of TreeCCA wrote this file.
bool is_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(4096, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find("name=\"generator\" content=\"TreeCCA") != std::string::npos;
}

/// Writes report.html into the current folder, unless another program's file is in its place.
void write_report(const RunSummary& summary) {
  const std::string name(kReportFile);
  if (std::filesystem::exists(name) && !is_report(name)) {
    print("{} already exists and is not from TreeCCA, so it was not replaced.\n\n", name);
    return;
  }
  try {
    write_output(name, report_html(summary));
    print("Wrote {}: open it in a browser.\n\n", name);
  } catch (const FileError& error) {  // the demo also works in a read-only folder
    print("No report: {}\n\n", error.what());
  }
}

void run_demo(const Arguments& arguments) {
  print("{}\n", wrapped("Two systems recorded the same test runs: one the motor, one the plant it drives. What do they "
                        "have in common? (Generated data: vibration follows the square of the speed, pressure a cubic "
                        "of the torque, flow the exponential of the valve; all else is noise.)",
                        0));
  FitRun fit;
  fit.command = "treecca demo";
  if (arguments.has("out")) fit.out.emplace(arguments.text("out"));
  fit.tables = demo_tables();
  for (const Table& table : fit.tables) {
    fit.sources.emplace_back();
    const std::string file = fmt::format("view{}.csv", fit.sources.size());
    if (fit.out) fit.more_files.push_back({file, [table] { return table_csv(table); }});
  }
  ParameterTexts texts = arguments.parameters();
  texts.emplace_back("n_components", std::to_string(kComponents));
  fit.parameters = parse_parameters(texts);
  const RunSummary summary = run_fit(fit);
  print("\n");
  if (!fit.out) write_report(summary);
  if (fit.out) {
    const std::string& dir = fit.out->path();
    print(
        "Next:\n  treecca importance {0}/model.json\n"
        "  treecca fit --view motor={0}/view1.csv --view plant={0}/view2.csv -k {1} --out mine/\n",
        printable(dir), kComponents);
  } else {
    print(
        "Next:\n  treecca demo --out demo/    writes the data, the model and all results as files\n"
        "  treecca fit --help          your own tables\n");
  }
}

/// The data, and the files of a fit.
std::vector<WrittenFile> demo_written_files() {
  std::vector<WrittenFile> files{{"view1.csv, view2.csv", "The data."}};
  for (WrittenFile& file : fit_written_files()) files.push_back(std::move(file));
  return files;
}

}  // namespace

Verb demo_verb() {
  return {
      .name = "demo",
      .help = "Fit embedded data and show the result",
      .options = {{.name = "out",
                   .value = "DIR",
                   .help = "Folder for the data (CSV) and the results. [report.html alone, in the current folder]"},
                  threads_option()},
      .files = demo_written_files(),
      .run = run_demo,
  };
}

}  // namespace treecca::cli
