// The generated data of `treecca demo`: a motor and the plant that it drives, measured by two separate systems.
//
// Three variables are shared. Linear CCA finds only one of them, and only in part:
//   vibration ~ square of the speed's distance from its nominal value: no linear correlation
//   pressure  ~ third Hermite polynomial of the torque: no linear correlation either
//   flow      ~ exponential of the valve's opening
// Everything else is noise. A few values are missing, each view lacks a few runs, and the rows of the plant are in
// another order: rows are matched by sample id. Always the same data.
#pragma once

#include <string>
#include <vector>

#include "treecca/table.hpp"

namespace treecca::cli {

/// The views "motor" and "plant", not yet joined.
std::vector<Table> demo_tables();

/// A table as CSV that read_table reads back unchanged: sample, then the features.
std::string table_csv(const Table& table);

}  // namespace treecca::cli
