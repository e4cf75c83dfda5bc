#include "cli/scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "cli/text.hpp"

namespace treecca::cli {
namespace {

constexpr int kColumns = 64;
constexpr int kRows = 15;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  int cell(double value, int cells) const {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    return std::min(cells - 1, static_cast<int>(share * cells));
  }
};

}  // namespace

std::string scatter(const std::vector<double>& x, const std::vector<double>& y, const std::string& x_name,
                    const std::string& y_name) {
  const auto usable = [&](std::size_t i) { return std::isfinite(x[i]) && std::isfinite(y[i]); };
  Range across;
  Range up;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!usable(i)) continue;
    across.include(x[i]);
    up.include(y[i]);
  }
  std::vector<int> counts(kColumns * kRows, 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (usable(i)) ++counts[static_cast<std::size_t>(up.cell(y[i], kRows) * kColumns + across.cell(x[i], kColumns))];
  }
  constexpr std::string_view kDensity = " .:*#@";
  std::string text = fmt::format("  {}\n", printable(y_name));
  for (int row = kRows - 1; row >= 0; --row) {
    std::string line = row == kRows - 1 ? fmt::format("{:>8.4g} |", up.high)
                       : row == 0       ? fmt::format("{:>8.4g} |", up.low)
                                        : std::string(9, ' ') + "|";
    for (int column = 0; column < kColumns; ++column) {
      const int count = counts[static_cast<std::size_t>(row * kColumns + column)];
      line += kDensity[std::min<std::size_t>(static_cast<std::size_t>(count), kDensity.size() - 1)];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += std::string(9, ' ') + "+" + std::string(kColumns, '-') + "\n";
  const std::string low = fmt::format("{:.4g}", across.low);
  const std::string high = fmt::format("{:.4g}", across.high);
  text += fmt::format("{}{}{:^{}}{}\n", std::string(10, ' '), low, shortened(x_name, 40),
                      kColumns - static_cast<int>(low.size() + high.size()), high);
  return text;
}

}  // namespace treecca::cli
