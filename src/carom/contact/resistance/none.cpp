// No resistance against rolling and spinning.
#include "carom/contact/resistance_law.h"

namespace carom {
namespace {

Vec3 evaluate(const ResistanceInput&, std::span<const double>) { return {}; }

}  // namespace

extern const ResistanceLaw resistance_law_none{
    .name = "none", .doc = "no resistance", .fields = {}, .evaluate = evaluate};

}  // namespace carom
