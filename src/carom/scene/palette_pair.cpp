#include "carom/scene/palette_pair.h"

#include "carom/base/text.h"

namespace carom {

MaterialPair palette_pair(const std::string& a, const std::string& b, std::string& how) {
  if (const MaterialPair* pair = find_material_pair(a, b)) return *pair;
  const MaterialPair* own_a = find_material_pair(a, a);
  const MaterialPair* own_b = find_material_pair(b, b);
  const PairMaterial otherwise;
  if (own_a && own_b) {
    how = "the means of each with itself";
    const auto mean = [&](double MaterialPair::*field) {
      return 0.5 * (own_a->*field + own_b->*field);
    };
    return {nullptr,
            nullptr,
            mean(&MaterialPair::restitution),
            mean(&MaterialPair::mu_k),
            mean(&MaterialPair::mu_s),
            mean(&MaterialPair::mu_r),
            nullptr};
  }
  if (own_a || own_b) {
    how = "those of " + (own_a ? a : b) + " with itself";
    return own_a ? *own_a : *own_b;
  }
  how = "general ones";
  return {nullptr,        nullptr, otherwise.restitution.value, otherwise.mu_k, otherwise.mu_s,
          otherwise.mu_r, nullptr};
}

std::string palette_note(const std::string& a, const std::string& b, const std::string& how,
                         const PairMaterial& m, const ContactChoice& choice) {
  std::string taken;
  const auto say = [&](const char* name, double value) {
    taken += (taken.empty() ? "" : ", ") + std::string(name) + " " + rounded_text(value);
  };
  if (!choice.restitution) say("restitution", m.restitution.value);
  if (!choice.mu_k) say("mu_k", m.mu_k);
  if (!choice.mu_r) say("mu_r", m.mu_r);
  if (taken.empty()) return {};
  const auto named = [](const std::string& material) {
    return material.empty() ? std::string("a body without material") : material;
  };
  return "no data for " + named(a) + " on " + named(b) + ": " + how + " are taken (" + taken +
         "); give them under contact.material_pairs";
}

}  // namespace carom
