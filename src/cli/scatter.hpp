// A picture of points in plain characters.
#pragma once

#include <string>
#include <vector>

namespace treecca::cli {

/// x to the right, y upwards, denser characters where more points fall together. Points that are
/// not finite are left out. Axes are labelled with the given names and the range shown.
std::string scatter(const std::vector<double>& x, const std::vector<double>& y, const std::string& x_name,
                    const std::string& y_name);

}  // namespace treecca::cli
