// What a table says: distributions of the recorded columns, and what they depend on.
//
// Sobol' indices, of a design with `indices` (blocks A, B, A with place j of B; y less its mean):
//
//   S_j  = mean(y_B (y_ABj - y_A)) / V              [Saltelli2010]                       (1)
//   ST_j = mean((y_A - y_ABj)^2) / 2 V              [Jansen1999]                         (2)
//
// Morris' effects, of trajectories with steps d of u_j:
//
//   EE = (y(u + d e_j) - y(u)) / d;  mu = mean EE, mu* = mean |EE|, sigma = sd EE        (3)
//
// Any other design: the share of the variance that the means over parts of one place explain
// (the correlation ratio of Pearson, less its bias for parts of finite size), which is S_j   (4)
// A smooth function of Sobol' points has less of that bias, so that S_j then comes out low, by at
// most 1/sqrt(N).
//
// Confidence intervals are 2.5 and 97.5 per cent of 200 bootstrap samples of blocks, trajectories
// or points, less their bias, with a seed of their own. Failures are left out, with the whole block
// they are in.
#pragma once

#include <string>
#include <vector>

#include "carom/record/table_file.h"
#include "carom/sweep/plan.h"

namespace carom::sweep {

/// Of one column of numbers, without NaN.
struct ColumnStatistics {
  std::size_t count = 0;
  double mean = 0, sd = 0, standard_error = 0, min = 0, max = 0;
  double q05 = 0, q25 = 0, median = 0, q75 = 0, q95 = 0;
  std::vector<std::size_t> histogram;  ///< equal parts from min to max
};

struct Interval {
  double value = 0, low = 0, high = 0;
};

/// Of one column and one factor; which members are given depends on Sensitivity::method.
struct Effect {
  Interval first, total;        ///< Sobol' indices
  Interval mu, mu_star, sigma;  ///< Morris, in units of the column
};

struct Sensitivity {
  enum class Method { blocks, morris, parts };
  Method method = Method::parts;
  std::size_t used = 0;                      ///< blocks, trajectories or points
  std::vector<std::vector<Effect>> effects;  ///< per column, per factor
};

struct Analysis {
  std::vector<ColumnStatistics> statistics;  ///< per recorded column
  Sensitivity sensitivity;
};

ColumnStatistics describe_column(const std::vector<double>& values);

/// Columns are those of the plan, in its order; NaN where a run has none.
Analysis analyse(const Plan& plan, const Table& table);

std::string_view to_string(Sensitivity::Method method);

}  // namespace carom::sweep
