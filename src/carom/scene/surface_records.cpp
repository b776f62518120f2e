// Springs of two surfaces act in series, and everything else is a mean of both [Otter 2005, 4.5]:
//
//   c = cA cB / (cA + cB),   d, d_w, mu, v_min, w_min: (xA + xB) / 2                       (1)
//
// The laws `otter` and the resistance `otter` keep the constants of both surfaces and combine
// them themselves; for mu, v_min and w_min the means are taken here.
#include "carom/scene/surface_records.h"

#include <cmath>
#include <string_view>

#include "carom/contact/contact_method.h"
#include "carom/contact/normal_law.h"

namespace carom {
namespace {

const SurfaceRecord* record_of(const Scene& scene, const std::string& material) {
  for (const MaterialSpec& m : scene.materials) {
    if (m.name == material) return m.surface ? &*m.surface : nullptr;
  }
  return nullptr;
}

/// The law of this kind with these constants where nothing was said; where the kind itself was
/// said, the constants that were not.
void complete(std::optional<LawSpec>& law, std::initializer_list<std::string_view> kinds,
              std::vector<double> constants) {
  if (!law) {
    law.emplace();
    law->kind = *kinds.begin();
    law->params = std::move(constants);
    return;
  }
  for (const std::string_view kind : kinds) {
    if (law->kind != kind) continue;
    law->params.resize(constants.size(), NAN);
    for (std::size_t i = 0; i < constants.size(); ++i) {
      if (std::isnan(law->params[i])) law->params[i] = constants[i];
    }
  }
}

double mean(double a, double b) { return 0.5 * (a + b); }

}  // namespace

void take_surface_records(const Scene& scene, const std::string& a, const std::string& b,
                          ContactChoice& choice) {
  const SurfaceRecord *A = record_of(scene, a), *B = record_of(scene, b);
  if (!A || !B) return;
  // Areas and triangles press by the moduli of the materials, and rigid bodies by none.
  const bool by_points = (!choice.method || *choice.method == kDefaultContactMethod) &&
                         !(choice.area && choice.area->enabled);
  if (by_points || choice.normal) {
    // A stiffness that was said for one surface is also that of the other, as without records.
    const bool is_said = choice.normal && !choice.normal->params.empty() &&
                         !std::isnan(choice.normal->params.front());
    if (!is_said) complete(choice.normal, {"otter", "otter_series"}, {A->c, A->d, B->c, B->d});
  }
  complete(choice.friction, {"coulomb_otter"}, {mean(A->mu, B->mu), mean(A->v_min, B->v_min)});
  if (by_points || choice.resistance) {
    complete(choice.resistance, {"otter"}, {A->d_w, mean(A->w_min, B->w_min), B->d_w});
  }
  if (!choice.mu_k) choice.mu_k = mean(A->mu, B->mu);
}

void mend_record_note(const Scene& scene, const std::string& a, const std::string& b,
                      const NormalLaw& law, std::string& note) {
  const bool has_a = record_of(scene, a), has_b = record_of(scene, b);
  if (has_a && has_b && law.own_stiffness) note.clear();
  if (has_a == has_b) return;
  if (!note.empty()) note += "; ";
  note += "'" + (has_a ? a : b) + "' has the record of a surface and '" + (has_a ? b : a) +
          "' has none: their contact goes by moduli and palette";
}

}  // namespace carom
