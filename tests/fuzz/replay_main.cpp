// Runs a fuzz target without libFuzzer: every file of the folders given, and deterministic
// mutations of each.
//
//     csv_fuzz [--mutations=N] FILE_OR_FOLDER...
//
// Each input is copied into a heap block of exactly its size, so that AddressSanitizer sees a read
// beyond its end. A folder that does not exist counts as empty; the empty input always runs. Exit 0
// when all inputs were survived, 2 for wrong usage; a finding, and an input that takes longer than 10 s, ends the
// program, after the file and mutation at fault were named on stderr. The slowest input is told.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

char current_input[512] = "";  // what a crash message names; plain memory, as a signal handler reads it

void name_input(const std::string& file, int mutation) {
  std::snprintf(current_input, sizeof current_input, "\nWhile running %s, mutation %d.\n", file.c_str(), mutation);
}

extern "C" void report_crash(int signal) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, current_input, std::strlen(current_input));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::size_t inputs = 0;
double slowest = 0;  // seconds

void run(const Bytes& bytes) {
  constexpr unsigned kHang = 10;  // seconds
  const auto block = std::make_unique<std::uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), block.get());
  alarm(kHang);
  const auto begin = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(block.get(), bytes.size());
  slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  ++inputs;
}

/// A few random edits: truncation, flipped bits, special bytes, a doubled or removed piece.
Bytes mutate(Bytes bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::string_view kSpecial{"\0\xFF\x7F\x80\n\r,\t\"{}[]-+.eE09", 20};
  for (std::size_t edits = 1 + below(4); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = below(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto piece = static_cast<std::ptrdiff_t>(1 + below(std::min<std::size_t>(64, bytes.size() - at)));
    switch (below(5)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        *place = static_cast<std::uint8_t>(*place ^ (1U << below(8)));
        break;
      case 2:
        *place = static_cast<std::uint8_t>(kSpecial[below(kSpecial.size())]);
        break;
      case 3:
        bytes.erase(place, place + piece);
        break;
      default: {
        const Bytes copy(place, place + piece);
        bytes.insert(place, copy.begin(), copy.end());
      }
    }
  }
  return bytes;
}

void replay(const std::string& name, const Bytes& bytes, int mutations) {
  name_input(name, 0);
  run(bytes);
  std::mt19937 random(static_cast<std::uint32_t>(bytes.size()));
  for (int mutation = 1; mutation <= mutations; ++mutation) {
    name_input(name, mutation);
    run(mutate(bytes, random));
  }
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    return std::filesystem::exists(path) ? std::vector{path} : std::vector<std::filesystem::path>{};
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  int mutations = 0;
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view kMutations = "--mutations=";
    if (argument.starts_with(kMutations)) {
      const std::string_view number = argument.substr(kMutations.size());
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), mutations);
      if (error != std::errc{} || end != number.data() + number.size() || mutations < 0) {
        std::fprintf(stderr, "--mutations takes an integer of 0 or more.\n");
        return 2;
      }
    } else {
      const auto found = files_in(argument);
      files.insert(files.end(), found.begin(), found.end());
    }
  }
  for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, report_crash);

  replay("the empty input", {}, 0);
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    replay(file.string(), bytes, mutations);
  }
  alarm(0);
  std::printf("%zu files, %d mutations each: all %zu inputs survived, the slowest in %.2f s.\n", files.size(),
              mutations, inputs, slowest);
  return 0;
}
