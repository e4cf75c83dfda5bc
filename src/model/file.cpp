#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "model/checksum.hpp"
#include "model/schema.hpp"
#include "support/atomic_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 30;

ModelFormat format_of_path(const std::string& path) {
  const auto ends_with = [&](std::string_view ending) {
    return path.size() > ending.size() && std::string_view(path).substr(path.size() - ending.size()) == ending;
  };
  if (ends_with(".json")) return ModelFormat::json;
  if (ends_with(".ubj") || ends_with(".ubjson")) return ModelFormat::ubjson;
  throw FileError(fmt::format("Cannot save a model as \"{}\": its name must end in .json, .ubj or .ubjson.", path));
}

[[noreturn]] void fail_to_read(const std::string& path, int system_error) {
  throw FileError(
      fmt::format("Cannot read the model file \"{}\": {}.", path, std::generic_category().message(system_error)));
}

std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) fail_to_read(path, errno);
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::string bytes;
  while (true) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kBlock);
    errno = 0;
    const std::size_t got = std::fread(bytes.data() + before, 1, kBlock, file.get());
    bytes.resize(before + got);
    if (std::ferror(file.get()) != 0) fail_to_read(path, errno);
    if (got < kBlock) return bytes;
    // Input that cannot be a model is not read to its end; a device may have no end.
    if (!may_be_document(std::string_view(bytes).substr(0, kBlock))) return bytes;
    if (bytes.size() > kMaxFileBytes) throw ModelError("it is larger than 4 GiB, the limit for a model file.");
  }
}

Model parse_with_origin(std::string_view bytes, ModelOrigin& origin) {
  Document document;
  try {
    read_document(bytes, document);
  } catch (const ModelError&) {
    refuse_newer_format(document);  // the version is the best explanation for unknown contents
    throw;
  }
  Model model = model_from_document(document);
  origin.producer = document.find("producer")->text;
  origin.format_version = static_cast<int>(document.find("format_version")->number);
  origin.format = is_ubjson(bytes) ? ModelFormat::ubjson : ModelFormat::json;
  // Checked last, because a specific error is more helpful.
  verify_checksum(std::move(document));
  return model;
}

}  // namespace

std::string serialize_model(const Model& model, ModelFormat format) {
  check_model(model);  // never writes a model that cannot be read
  Document document = model_to_document(model);
  add_checksum(document);
  return format == ModelFormat::json ? write_json(document) : write_ubjson(document);
}

Model parse_model(std::string_view bytes) {
  ModelOrigin ignored;
  return parse_with_origin(bytes, ignored);
}

void save_model(const Model& model, const std::string& path) {
  const ModelFormat format = format_of_path(path);
  std::string bytes;
  try {
    bytes = serialize_model(model, format);
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("The model cannot be saved as \"{}\": {}", path, error.what()));
  }
  write_file_atomically(path, bytes);
}

Model load_model(const std::string& path) {
  ModelOrigin ignored;
  return load_model(path, ignored);
}

Model load_model(const std::string& path, ModelOrigin& origin) {
  try {
    return parse_with_origin(read_file(path), origin);
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("The model file \"{}\" cannot be used: {}", path, error.what()));
  }
}

}  // namespace treecca
