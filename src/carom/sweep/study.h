// A study: many runs of one scene, as its file states it.
//
//   carom_study: 1
//   scene: cube.yaml
//   vary: {values.mu: {uniform: [0.1, 0.3]}, contact.law: [exact, hertz]}
//   design: {sobol: 4096}
//   record: {rest: "cube.position@end"}
//   per_run: {max_cpu: 60}
//
// Plain values, as the Scene is. read_study.h makes it, Plan (plan.h) does something with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/sweep/distribution.h"

namespace carom::sweep {

inline constexpr int kStudyFormat = 1;

/// A place of the scene and what it may be.
struct Factor {
  std::string path;  ///< "values.mu"
  Distribution distribution;
  SourcePos where;
};

struct DesignSpec {
  enum class Kind { grid, list, random, lhs, sobol, morris };
  Kind kind = Kind::random;
  std::uint64_t count = 0;                 ///< points; of morris: trajectories; of grid: per range
  std::vector<std::uint64_t> grid_counts;  ///< per factor, where the grid names them
  std::uint64_t seed = 0;
  bool scramble = false;  ///< sobol: shifted by random bits of the seed
  bool indices = false;   ///< random, sobol: blocks for Sobol' indices, count·(factors + 2) runs
  std::uint64_t levels = 4;               ///< morris
  std::vector<std::vector<double>> rows;  ///< list: values (or indices of choices) per point
  SourcePos where;
};

/// A recorded quantity: its name in the table and its text (quantity.h).
struct RecordSpec {
  std::string name, text;
  SourcePos where;
};

/// An override that holds for every run, as `path` and YAML.
struct Setting {
  std::string path, value;
  SourcePos where;
};

struct Study {
  std::string file;    ///< as given
  std::string folder;  ///< that relative paths start from
  std::string text;    ///< of the file
  std::string name;
  std::string scene;  ///< path of the scene file, from `folder`
  std::vector<Factor> factors;
  DesignSpec design;
  std::vector<RecordSpec> records;
  std::vector<Setting> settings;  ///< of per_run
  double max_cpu = 0.0;           ///< [s] per run; 0: no limit
  bool allow_outside = false;
  SourcePos scene_where;
};

std::string_view to_string(DesignSpec::Kind kind);

}  // namespace carom::sweep
