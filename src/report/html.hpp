// Text, numbers and tables as HTML. Texts are escaped here and nowhere else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace treecca::report {

/// For element content and quoted attributes.
std::string escaped(std::string_view text);

/// At most `digits` decimals, without zeros at the end; "–" for what is not a number.
std::string number(double value, int digits = 3);

/// Always `digits` decimals, for columns of numbers; "–" for what is not a number.
std::string fixed(double value, int digits = 3);

/// 12345 as 12,345.
std::string count(std::uint64_t value);

/// At most `most` characters (not bytes), followed by an ellipsis if there are more.
std::string cut(std::string_view text, std::size_t most);

/// The same with the ellipsis in the middle: both ends are kept.
std::string cut_middle(std::string_view text, std::size_t most);

/// A table with a header row; cells are HTML. Columns from `first_number` on are aligned as numbers.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                  std::size_t first_number = 1);

}  // namespace treecca::report
