// One law at one point, with the parameters that a pair completes.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"

namespace carom {

/// Defaults of a row, overridden by name, and completed by the pair.
template <class Row>
std::vector<double> law_params(const Row& row, const PairMaterial& material,
                               const std::vector<std::pair<std::string, double>>& given = {},
                               std::size_t derived = 0) {
  std::vector<double> p;
  for (const ParamField& field : row.fields) p.push_back(field.default_value);
  for (const auto& [name, value] : given) p.at(offset_of(row.fields, name)) = value;
  p.resize(p.size() + derived);
  if (row.bind) row.bind(material, p);
  return p;
}

struct NormalPoint {
  const NormalLaw& law;
  PairMaterial material;
  std::vector<double> params;
  std::array<double, kNormalConstants> constants{};

  NormalPoint(const NormalLaw& row, const PairMaterial& m,
              const std::vector<std::pair<std::string, double>>& given = {})
      : law(row), material(m), params(law_params(row, m, given)) {}

  void start(double speed, bool settling = false) {
    const ContactStart s{speed, restitution_at(material, speed), settling};
    if (law.start) law.start(s, material, params, constants);
  }
  NormalOutput operator()(const NormalInput& in) const {
    NormalOutput out;
    law.evaluate({&in, 1}, material, params, constants, {&out, 1});
    return out;
  }
};

}  // namespace carom
