// Prints Sobol' points as doubles in binary: sobol_points DIMENSIONS FIRST COUNT
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "carom/sweep/sobol.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::size_t dimensions = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t first = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  const carom::sweep::Sobol sobol(dimensions);
  std::vector<double> point(dimensions);
  for (std::uint64_t i = first; i < first + count; ++i) {
    for (std::size_t d = 0; d < dimensions; ++d) point[d] = sobol(i, d);
    std::fwrite(point.data(), sizeof(double), dimensions, stdout);
  }
}
