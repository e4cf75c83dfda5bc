// The layout of --help: two columns, nothing wider than kTextWidth, one spelling per option.
#pragma once

#include <CLI/CLI.hpp>

namespace treecca::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
};

}  // namespace treecca::cli
