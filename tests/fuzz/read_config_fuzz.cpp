// Any bytes as the config file of fit: its options, or an error of the family; nothing else.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/config_file.hpp"
#include "cli/options.hpp"
#include "cli/verbs.hpp"
#include "scratch_file.hpp"
#include "treecca/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFile file;
  static const treecca::cli::Verb verb = treecca::cli::fit_verb();
  const std::string& path = file.write(data, size);
  try {
    treecca::cli::Arguments arguments(verb.name, verb.options);
    treecca::cli::apply_config_file(arguments, path);
    treecca::cli::parse_parameters(arguments.parameters());
  } catch (const treecca::Error&) {
  }
  return 0;
}
