#include "support/threads.hpp"

#include <algorithm>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace treecca {

int startable_threads(int wanted) {
  static std::atomic<int> known{1};
  if (wanted <= known) return wanted;
  std::latch release(1);
  std::vector<std::thread> started;
  started.reserve(static_cast<std::size_t>(wanted));
  try {
    while (static_cast<int>(started.size()) + 1 < wanted) started.emplace_back([&] { release.wait(); });
  } catch (const std::system_error&) {  // no memory for another stack, or a system limit
  }
  release.count_down();
  for (std::thread& thread : started) thread.join();
  const int count = static_cast<int>(started.size()) + 1;
  if (count == wanted) known = std::max(known.load(), wanted);
  return count;
}

}  // namespace treecca
