// No friction.
#include "carom/contact/friction_law.h"

namespace carom {
namespace {

void evaluate(const FrictionInput&, std::span<const double>, FrictionOutput& out) { out = {}; }

}  // namespace

extern const FrictionLaw friction_law_none{
    .name = "none", .doc = "no friction", .fields = {}, .evaluate = evaluate};

}  // namespace carom
