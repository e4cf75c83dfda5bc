// Text, numbers and tables as HTML. Texts are escaped only here.
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

/// At most `most` characters (not bytes), with an ellipsis in the middle if there are more: names often differ at their
/// ends.
std::string cut_middle(std::string_view text, std::size_t most);

/// One row of a table; cells are HTML.
struct TableRow {
  std::vector<std::string> cells;
  std::string style = {};  // CSS class, or none
};

/// A table with a header row, whose cells are HTML too. Columns from `first_number` on are aligned as numbers.
std::string table(const std::vector<std::string>& header, const std::vector<TableRow>& rows,
                  std::size_t first_number = 1);

/// "<p class="soft">...</p>": a caption or remark, given as HTML.
std::string remark(const std::string& html);

}  // namespace treecca::report
