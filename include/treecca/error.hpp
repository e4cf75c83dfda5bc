// The family of exceptions thrown by TreeCCA.
//
// Every message is a complete sentence for the user: it names the file, view, row, column or option at fault and, if
// there is one, the remedy. The command line turns the errors into exit codes (UsageError 2, all others 1), Python into
// its own exceptions.
#pragma once

#include <stdexcept>
#include <string>

namespace treecca {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A parameter or option cannot be used: it is out of range, unknown or contradictory.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The data cannot be used: ragged rows, text instead of numbers, no common samples, a constant view.
class DataError : public Error {
 public:
  using Error::Error;
};

/// A file or folder cannot be read or written.
class FileError : public Error {
 public:
  using Error::Error;
};

/// A model file is damaged, of a newer version, or does not match the given data.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// Another process of the same fit cannot be reached or has ended.
class PeerError : public Error {
 public:
  using Error::Error;
};

/// The caller asked to stop (Ctrl-C). Nothing was written.
class Interrupted : public Error {
 public:
  Interrupted() : Error("Stopped on request; nothing was written.") {}
};

}  // namespace treecca
