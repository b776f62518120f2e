// Named channels: what a run records, in which unit, in which columns.
//
// A channel is a quantity of one or more doubles ("ball.position", m, x y z).
// A recorded row is all channels side by side; each double of it is a column
// with a name of its own ("ball.position.z"). The same names appear in HDF5,
// CSV, Python and on the command line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace carom {

struct Channel {
  std::string name;                     ///< "ball.position"
  std::string unit;                     ///< "m"; "-" for a pure number
  std::string doc;                      ///< one phrase
  int width = 1;                        ///< doubles in a row
  std::vector<std::string> components;  ///< one name per double; empty for a scalar
  std::string group{};                  ///< "bodies"; may be empty, as the next two
  std::string object{};                 ///< "ball"
  std::string quantity{};               ///< "position"
};

Channel scalar_channel(std::string name, std::string unit, std::string doc = {});
Channel vector_channel(std::string name, std::string unit, std::string doc = {});  ///< x, y, z
Channel quaternion_channel(std::string name, std::string doc = {});                ///< w, x, y, z

/// Doubles in one row of all channels.
std::size_t total_width(std::span<const Channel> channels);

/// "ball.position.z"; a scalar channel's only column has the channel's name.
std::string column_name(const Channel& channel, int component);

/// "ball.position.z [m]"; without a unit, the name alone.
std::string column_header(std::string_view name, std::string_view unit);

/// Names of all columns in the order of a row.
std::vector<std::string> column_names(std::span<const Channel> channels);

/// Throws std::runtime_error unless names are given and unique, widths positive,
/// and components one per double and free of commas.
void check_channels(std::span<const Channel> channels);

/// Finds columns and channels by name.
class ColumnIndex {
 public:
  explicit ColumnIndex(std::span<const Channel> channels);

  /// Position of column "ball.position.z" in a row; throws std::runtime_error
  /// with a suggestion if there is none.
  std::size_t column(std::string_view name) const;

  struct Range {
    std::size_t first = 0;
    std::size_t width = 0;
  };
  /// The columns of channel "ball.position"; a column's name is taken as well.
  Range channel(std::string_view name) const;

 private:
  std::unordered_map<std::string, std::size_t> columns_;
  std::unordered_map<std::string, Range> channels_;
};

}  // namespace carom
