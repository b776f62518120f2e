// The slope of a normal law: its own, or central differences. Laws are powers of the depth, so that
// a step of 1e-5 of it errs by 1e-10 in truncation and by 1e-11 in rounding.
#include "carom/contact/normal_law.h"

namespace carom {

double elastic_slope(const NormalLaw& law, const NormalInput& in, const PairMaterial& material,
                     std::span<const double> p,
                     std::span<const double, kNormalConstants> constants) {
  double slope = 0.0;
  if (law.tangent) {
    law.tangent({&in, 1}, material, p, {&slope, 1});
    return slope;
  }
  constexpr double kApart = 1e-5;
  const double step = kApart * in.depth;
  NormalInput ends[] = {in, in};
  NormalOutput out[2];
  ends[0].depth -= step, ends[1].depth += step;
  law.evaluate({ends, 2}, material, p, constants, {out, 2});
  return (out[1].elastic - out[0].elastic) / (2.0 * step);
}

}  // namespace carom
