#include "read/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "read/cell.hpp"
#include "read/npy_header.hpp"
#include "read/table_layout.hpp"
#include "support/names.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMaxHeaderBytes = 65'536;  // a dtype and a shape take about a hundred
constexpr std::size_t kBlockElements = 8192;
constexpr std::uint64_t kMaxElements = static_cast<std::uint64_t>(std::numeric_limits<Index>::max()) / 8;

/// One element in the byte order of this machine.
using Decode = double (*)(const char* bytes);

template <class T>
double decode(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double decode_bool(const char* bytes) { return *bytes != 0 ? 1.0 : 0.0; }

double decode_half(const char* bytes) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  const int exponent = (bits >> 10) & 0x1F;
  const double fraction = bits & 0x3FF;
  double size = 0.0;
  if (exponent == 0x1F) {
    size = fraction == 0.0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(1024.0 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

struct ElementType {
  std::string_view name;
  std::size_t bytes;
  Decode decode;
};

static_assert(sizeof(float) == 4 && sizeof(double) == 8 && std::numeric_limits<double>::is_iec559);
constexpr std::array<ElementType, 12> kElementTypes = {{
    {"b1", 1, decode_bool},
    {"i1", 1, decode<std::int8_t>},
    {"i2", 2, decode<std::int16_t>},
    {"i4", 4, decode<std::int32_t>},
    {"i8", 8, decode<std::int64_t>},
    {"u1", 1, decode<std::uint8_t>},
    {"u2", 2, decode<std::uint16_t>},
    {"u4", 4, decode<std::uint32_t>},
    {"u8", 8, decode<std::uint64_t>},
    {"f2", 2, decode_half},
    {"f4", 4, decode<float>},
    {"f8", 8, decode<double>},
}};

/// The layout of the elements in the file.
struct Layout {
  ElementType element;
  bool swap = false;  // the other byte order than this machine's
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
};

std::uint64_t read_little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

class Reader {
 public:
  explicit Reader(ByteSource& source) : source_(source) {}

  Layout read_layout();
  std::vector<double> read_elements(const Layout& layout);

 private:
  std::string take(std::size_t size) {
    std::string bytes(size, '\0');
    if (source_.read(bytes.data(), size) != size) fail_cut_off();
    header_bytes_ += size;
    return bytes;
  }
  [[noreturn]] void fail_cut_off() const {
    throw DataError(fmt::format("{} is a damaged NPY file: it is cut off before its end.", source_.path()));
  }
  [[noreturn]] void fail_surplus() const {
    throw DataError(fmt::format("{} is a damaged NPY file: it continues after the end of its array.", source_.path()));
  }
  void check_size(const Layout& layout) const;

  ByteSource& source_;
  std::uint64_t header_bytes_ = 0;
};

Layout Reader::read_layout() {
  const std::string& path = source_.path();
  const std::string start = take(kNpyMagic.size() + 2);
  const int version = static_cast<unsigned char>(start[kNpyMagic.size()]);
  if (version < 1 || version > 3) {
    throw DataError(fmt::format("{} is in version {} of NPY; versions 1 to 3 can be read.", path, version));
  }
  const std::uint64_t header_size = read_little_endian(take(version == 1 ? 2 : 4));
  if (header_size > kMaxHeaderBytes) {
    throw DataError(fmt::format("{} is a damaged NPY file: a header of {} bytes.", path, header_size));
  }
  const NpyHeader header = parse_npy_header(take(static_cast<std::size_t>(header_size)), path);

  Layout layout;
  const std::string_view descr = header.descr;
  const auto* const element = std::find_if(kElementTypes.begin(), kElementTypes.end(), [&](const ElementType& type) {
    return descr.size() == 3 && std::string_view("<>|").find(descr[0]) != std::string_view::npos &&
           descr.substr(1) == type.name && (descr[0] != '|' || type.bytes == 1);
  });
  if (element == kElementTypes.end()) {
    throw DataError(
        fmt::format("{} has elements of dtype {}. Real numbers, integers and booleans of up to 64 "
                    "bits can be read.",
                    path, in_quotes(descr)));
  }
  layout.element = *element;
  layout.swap = descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
  layout.fortran_order = header.fortran_order;
  if (header.shape.empty() || header.shape.size() > 2) {
    throw DataError(fmt::format("{} has an array of {} dimensions; a table has two (samples, features).", path,
                                header.shape.size()));
  }
  layout.rows = header.shape[0];
  layout.cols = header.shape.size() == 2 ? header.shape[1] : 1;
  if (layout.rows == 0 || layout.cols == 0) {
    throw DataError(fmt::format("{} has {} rows and {} columns: no data.", path, layout.rows, layout.cols));
  }
  if (layout.rows > kMaxElements / layout.cols) {
    throw DataError(fmt::format("{} is a damaged NPY file: its shape is too large.", path));
  }
  check_size(layout);
  return layout;
}

void Reader::check_size(const Layout& layout) const {
  const std::optional<std::uint64_t> size = source_.known_size();
  if (!size) return;  // checked during reading, which allocates memory only as data arrive
  const std::uint64_t expected = header_bytes_ + layout.rows * layout.cols * layout.element.bytes;
  if (*size < expected) fail_cut_off();
  if (*size > expected) fail_surplus();
}

std::vector<double> Reader::read_elements(const Layout& layout) {
  const auto count = static_cast<std::size_t>(layout.rows * layout.cols);
  const std::size_t width = layout.element.bytes;
  std::vector<double> values;
  if (source_.known_size()) values.reserve(count);
  std::vector<char> block(kBlockElements * width);
  std::array<char, 8> bytes{};
  while (values.size() < count) {
    const std::size_t wanted = std::min(kBlockElements, count - values.size());
    if (source_.read(block.data(), wanted * width) != wanted * width) fail_cut_off();
    for (std::size_t i = 0; i < wanted; ++i) {
      const char* const element = block.data() + i * width;
      if (layout.swap) {
        std::reverse_copy(element, element + width, bytes.begin());
      } else {
        std::copy_n(element, width, bytes.begin());
      }
      const double value = layout.element.decode(bytes.data());
      if (beyond_single_precision(value)) {
        const std::uint64_t at = values.size();
        const std::uint64_t row = layout.fortran_order ? at % layout.rows : at / layout.cols;
        const std::uint64_t col = layout.fortran_order ? at / layout.rows : at % layout.cols;
        throw DataError(
            fmt::format("{}, row {}, column {} (counted from 0): {} is infinite or too large for "
                        "single precision.",
                        source_.path(), row, col, value));
      }
      values.push_back(value);
    }
  }
  char surplus = 0;
  if (source_.read(&surplus, 1) != 0) fail_surplus();
  return values;
}

}  // namespace

Table read_npy_table(ByteSource& source, const ReadOptions& options) {
  if (!options.id_column.empty()) {
    throw DataError(fmt::format("{} is an NPY file, which has no column {} for the sample ids. Use CSV for ids.",
                                source.path(), in_quotes(options.id_column)));
  }
  if (options.header == Header::yes) {
    throw DataError(
        fmt::format("{} is an NPY file, which has no header. Use --header for the text files alone "
                    "(--header NAME=yes).",
                    source.path()));
  }
  Reader reader(source);
  const Layout layout = reader.read_layout();
  const std::vector<double> in_file_order = reader.read_elements(layout);

  Table table;
  const auto rows = static_cast<Index>(layout.rows);
  const auto cols = static_cast<Index>(layout.cols);
  table.values = Matrix<double>(rows, cols);
  if (layout.fortran_order) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) {
        table.values(i, j) = in_file_order[static_cast<std::size_t>(j * rows + i)];
      }
    }
  } else {
    std::copy(in_file_order.begin(), in_file_order.end(), table.values.data());
  }
  table.feature_names = generated_names(static_cast<std::size_t>(cols));
  return table;
}

}  // namespace treecca
