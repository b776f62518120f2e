// A law of the user's own: the friction coefficient as a formula in the slip speed s and the
// normal force fn. It should vanish with s, or the force has no direction at rest.
#include "carom/contact/law_formula.h"
#include "carom/contact/slip.h"

namespace carom {
namespace {

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  const double speed = norm(slip_of(in));
  const double x[] = {speed, in.normal_force};
  slide(in, speed > 0.0 ? evaluate_law_formula(p, x) / speed : 0.0, out);
}

}  // namespace

extern const FrictionLaw friction_law_formula{
    .name = "formula",
    .doc = "the friction coefficient as a formula in the slip speed s and the normal force fn",
    .fields = {},
    .evaluate = evaluate};

}  // namespace carom
