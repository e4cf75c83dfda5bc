#include "cli/demo_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "report/files.hpp"
#include "support/random.hpp"

namespace treecca::cli {
namespace {

constexpr std::uint64_t kSeed = 2024;
constexpr std::uint64_t kSamples = 600;
constexpr double kMissing = 0.01;

/// Independent streams of random numbers, identified by a number.
RandomKey stream(std::uint64_t number) { return {kSeed, Draw::start, {number}}; }

/// The shared variables of both systems in run i: three independent standard normal numbers, without extremes.
double shared(std::uint64_t factor, std::uint64_t i) { return std::clamp(stream(factor).normal(i), -2.3, 2.3); }

struct Feature {
  std::string name;
  double mean;
  double scale;
  std::function<double(std::uint64_t)> signal;  // a function of the run's number; null: only noise
};

Table make_table(const std::string& name, const std::vector<Feature>& features, std::uint64_t first_stream,
                 const std::vector<std::uint64_t>& runs) {
  Table table;
  table.name = name;
  table.values = Matrix<double>(static_cast<Index>(runs.size()), static_cast<Index>(features.size()));
  for (const std::uint64_t run : runs) table.sample_ids.push_back(fmt::format("run-{:03}", run + 1));
  for (std::size_t j = 0; j < features.size(); ++j) {
    const Feature& feature = features[j];
    const RandomKey noise = stream(first_stream + 2 * j);
    const RandomKey missing = stream(first_stream + 2 * j + 1);
    table.feature_names.push_back(feature.name);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double value =
          feature.signal ? feature.signal(runs[i]) + 0.25 * noise.normal(runs[i]) : noise.normal(runs[i]);
      // Instruments show a few digits only.
      const double shown = std::round(1000 * (feature.mean + feature.scale * value)) / 1000;
      table.values(static_cast<Index>(i), static_cast<Index>(j)) =
          missing.uniform(runs[i]) < kMissing ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(shown);
    }
  }
  return table;
}

/// The numbers of the runs that a system recorded: all except every `gap`-th.
std::vector<std::uint64_t> recorded_runs(std::uint64_t gap) {
  std::vector<std::uint64_t> runs;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    if (i % gap != gap / 2) runs.push_back(i);
  }
  return runs;
}

}  // namespace

std::vector<Table> demo_tables() {
  const auto speed = [](std::uint64_t i) { return shared(0, i); };
  const auto torque = [](std::uint64_t i) { return shared(1, i); };
  const auto valve = [](std::uint64_t i) { return shared(2, i); };
  const std::vector<Feature> motor{{"speed", 1500, 200, speed},      {"torque", 40, 8, torque},
                                   {"valve", 50, 12, valve},         {"supply_voltage", 400, 4, nullptr},
                                   {"oil_level", 3, 0.4, nullptr},   {"belt_tension", 250, 20, nullptr},
                                   {"bearing_age", 90, 15, nullptr}, {"humidity", 45, 8, nullptr}};
  const auto vibration = [=](std::uint64_t i) { return (speed(i) * speed(i) - 1) / 1.4; };
  const auto pressure = [=](std::uint64_t i) { return (std::pow(torque(i), 3) - 3 * torque(i)) / 2.4; };
  const auto flow = [=](std::uint64_t i) { return (std::exp(valve(i)) - 1.6) / 1.8; };
  const std::vector<Feature> plant{{"vibration", 4, 1.5, vibration}, {"pressure", 6, 0.8, pressure},
                                   {"flow", 120, 30, flow},          {"air_temperature", 21, 3, nullptr},
                                   {"noise_level", 70, 5, nullptr},  {"tank_level", 2, 0.3, nullptr},
                                   {"ph_value", 7, 0.2, nullptr}};
  std::vector<std::uint64_t> plant_runs = recorded_runs(75);
  const RandomKey order = stream(999);
  std::stable_sort(plant_runs.begin(), plant_runs.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return order.bits(a) < order.bits(b); });
  return {make_table("motor", motor, 100, recorded_runs(100)), make_table("plant", plant, 200, plant_runs)};
}

std::string table_csv(const Table& table) {
  std::string csv = "sample";
  for (const std::string& name : table.feature_names) csv += "," + csv_cell(name);
  csv += "\n";
  for (Index i = 0; i < table.values.rows(); ++i) {
    csv += csv_cell(table.sample_ids[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < table.values.cols(); ++j) {
      const float value = table.values(i, j);
      csv += std::isnan(value) ? "," : fmt::format(",{}", value);
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace treecca::cli
