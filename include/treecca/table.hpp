// Tables read from files, and their join by sample id.
//
// A Table is one view as it is stored in a file: names of the samples (rows), names of the features (columns), numbers,
// NaN for missing values.
// Failure: FileError if a file cannot be opened or read, DataError for its contents; the message names file, line and
// column. Thread-safe: no shared state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/samples.hpp"
#include "treecca/view.hpp"

namespace treecca {

struct Table {
  std::string name;                        // the view's name, e.g. "rna"
  std::vector<std::string> sample_ids;     // one per row, or empty: rows are identified by their order
  std::vector<std::string> feature_names;  // one per column, never empty, unique
  Matrix<double> values;                   // rows x features
  std::vector<std::string> notes = {};     // decisions of the reader that may surprise; sentences that name the file
  bool ids_recognised = false;             // the id column was not named by the user
  std::vector<std::string> dropped = {};   // columns that the user left out
  Levels levels = {};                      // of the columns that are categories
};

enum class Header { recognise, yes, no };

struct ReadOptions {
  std::string id_column = {};             // name of the sample-id column; "" = recognise it (see read_table)
  bool has_ids = true;                    // false: no column holds ids
  Header header = Header::recognise;      // whether the first row has the names of the features
  char decimal = '.';                     // or ','
  char thousands = '\0';                  // between groups of three digits: ',', '.', ' ', '\'' or '_'; '\0': none
  std::vector<std::string> missing = {};  // more ways to write a missing value: texts, or numbers such as -999
  std::vector<std::string> drop = {};  // names of columns to leave out; names that the file does not have are ignored
  std::vector<std::string> categorical = {};  // names of categorical columns, whatever their cells look like
  bool text_is_categorical = false;           // treat every other column of text as categorical
};

/// Reads CSV or TSV (plain or gzip; the delimiter is recognised) or NPY (2-D, any real dtype).
///
/// Header: a first row with a cell that is neither a number nor missing is the header; without a header, features are
/// called "f0", "f1", ... Exceptions: if all rows, the first included, begin with text and continue with numbers, the
/// table has ids and no header. A first row of numbers is a header if it is unlikely to be data. It may have column
/// numbers (0, 1, 2, ...), or keys (2010, 7157, ...) next to row names or above fractions. Or its numbers ascend or
/// descend (wavelengths, m/z) while the next rows do not, or they lie far outside the values below. The table's notes
/// report such decisions.
///
/// The id column is `options.id_column` if given; else the first column when its header is empty or
/// says "id", when the header has one cell fewer than the rows, or when most of its cells (in the
/// first 1,000 rows) are text that is not numeric. Headers that say "id" are id, ids, eid, sample,
/// sampleid, patient, patientid, subject, subjectid, participant, participantid, barcode, index,
/// rowname, rownames, unnamed: 0 (any case); names that end in "id" (any case) after one of _ . - and blank
/// (subject_id, Case ID); and names that end in "Id" or "ID" after a small letter (donorId). When
/// `options.id_column` is another column, a first column without a name is left out.
///
/// Numbers have a decimal point unless options say otherwise; TRUE and FALSE are 1 and 0. Missing: empty cell, NA, N/A,
/// #N/A, NaN, null, None, ND, N.D., ?, ., -, --, errors of spreadsheets such as #DIV/0! (any case). Infinities and
/// numbers that are infinite in single precision are errors. One error lists all cells that are not numbers, by column.
/// Quoted cells are supported; lines may end with LF, CRLF or CR. Names and ids are UTF-8.
/// NPY files have no ids and no names.
///
/// The levels of a category are the texts of its cells, without blanks at the ends; numbers are levels by value (1, 1.0
/// and 01 are the level "1"). Missing values are as above.
Table read_table(const std::string& path, const std::string& view_name, const ReadOptions& options = {});

enum class Join {
  inner,  // samples that are in all tables
  outer   // samples that are in any table
};

/// The result of a join.
struct JoinReport {
  bool by_id = false;                // false: no table has ids, rows are matched by order
  std::size_t matched = 0;           // samples in every view
  std::vector<std::size_t> rows;     // rows of each view before the join
  std::vector<std::size_t> dropped;  // rows of each view that the join left out
  std::vector<std::string> warnings;
};

/// Brings the rows of all tables into the order of the first table, keeping the samples that all tables have.
/// Join::outer keeps all samples: samples that only later tables have follow at the end, and a sample that a table
/// lacks becomes a row of NaN. If no table has ids, the tables must have equal row counts and are matched by order.
/// Failure (DataError): fewer than two tables and `allow_one` false, a duplicate id, no common id (outer: no two tables
/// with one), ids in some tables only, unequal row counts.
JoinReport join_by_sample(std::vector<Table>& tables, bool allow_one = false, Join join = Join::inner);

/// Reorders and selects columns of `table` to match `feature_names`; drops extra columns. Levels stay with their
/// columns. Failure (DataError): absent features are named (the first ten, and how many more).
/// If no name matches and the table or the model has generated names (f0, f1, ...), columns match by position.
void match_features(Table& table, const std::vector<std::string>& feature_names);

/// Brings the levels of a table with the features of a model into the model's order (ViewModel::levels). A level that
/// the fit did not have counts as missing, and the table gets a note. Failure (DataError): a number for a categorical
/// feature, or the reverse.
void match_levels(Table& table, const Levels& levels);

/// One label per sample (the texts of --labels): a text table with a sample-id column and one label column, in the
/// order of `sample_ids`; or, if `sample_ids` is empty, one label per row in row order (`n_samples` of them).
/// Failure (DataError): a sample without a label (named), more than one label column, a wrong number of rows, ids
/// although the samples have none.
std::vector<std::string> read_labels(const std::string& path, const std::vector<std::string>& sample_ids,
                                     std::size_t n_samples);

/// The same as numbers (the groups of --groups): equal texts are equal groups, numbered by first appearance.
std::vector<std::int64_t> read_groups(const std::string& path, const std::vector<std::string>& sample_ids,
                                      std::size_t n_samples);

/// One weight per sample (the numbers of --weights), laid out as groups are. Failure (DataError): as above; a weight
/// that is not a number of at least 0, with its line.
std::vector<double> read_weights(const std::string& path, const std::vector<std::string>& sample_ids,
                                 std::size_t n_samples);

/// Columns of a text table with a header as covariates, in the order of `sample_ids`, which are matched with its id
/// column (the column in the options, else the first with a usual name, else the first column); or in the order of the
/// rows if `sample_ids` is empty. `columns`: the names to read; empty: all except the ids and the dropped ones. A
/// column of numbers is a number, any other a class. Failure (DataError): a missing column, a sample without a row or
/// value, a wrong number of rows.
std::vector<Covariate> read_covariates(const std::string& path, const std::vector<std::string>& sample_ids,
                                       std::size_t n_samples, const std::vector<std::string>& columns = {},
                                       const ReadOptions& options = {});

}  // namespace treecca
