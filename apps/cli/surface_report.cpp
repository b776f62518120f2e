#include "surface_report.h"
#include "talk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/proximity/smooth/surface_pair.h"

namespace carom::cli {
namespace {

const SurfaceSpec& spec_of(const Model& model, std::uint32_t collider) {
  const int surface = model.contact.colliders[collider].surface;
  return model.scene.surfaces[static_cast<std::size_t>(surface)];
}

const PairLaw& law_of(const Model& model, const ConnectedPair& c) {
  return model.contact.laws[static_cast<std::size_t>(c.law)];
}

std::string size_of(const IdealSurface& s) {
  switch (s.form) {
    case SurfaceForm::cylinder:
      return fmt::format("radius {:.5g}, length {:.5g}", s.radius, 2.0 * s.half_length);
    case SurfaceForm::rectangle:
      return fmt::format("{:.5g} x {:.5g}", 2.0 * s.half_length, 2.0 * s.half_width);
    case SurfaceForm::convex: return fmt::format("within {:.5g}", surface_radius(s));
    default: return fmt::format("radius {:.5g}", s.radius);
  }
}

std::string parameters(std::span<const ParamField> fields, std::span<const double> values) {
  std::string out;
  for (std::size_t i = 0; i < fields.size() && i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    out += fmt::format("{}{} {:.5g}", out.empty() ? "" : ", ", fields[i].name, values[i]);
  }
  return out;
}

/// The shape of the area where two surfaces are connected, otherwise a dot.
std::string cell(const Model& model, std::size_t i, std::size_t j) {
  for (const ConnectedPair& c : model.contact.connected.pairs) {
    const auto a = static_cast<std::size_t>(model.contact.colliders[c.a].surface);
    const auto b = static_cast<std::size_t>(model.contact.colliders[c.b].surface);
    if (std::minmax(a, b) == std::minmax(i, j)) return area_name(c.area);
  }
  return i == j ? "" : ".";
}

void print_matrix(const Model& model) {
  const auto& surfaces = model.scene.surfaces;
  std::size_t widest = 5;
  for (const SurfaceSpec& s : surfaces) widest = std::max(widest, s.name.size());
  say("{:<{}}", "pairs", widest + 2);
  for (const SurfaceSpec& s : surfaces) say("{:<{}}", s.name, widest + 2);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    say("\n{:<{}}", surfaces[i].name, widest + 2);
    for (std::size_t j = 0; j < surfaces.size(); ++j) {
      say("{:<{}}", cell(model, i, j), widest + 2);
    }
  }
  say("\n\n");
}

}  // namespace

void print_surfaces(const Model& model) {
  const ContactModel& contact = model.contact;
  if (contact.connected.pairs.empty()) return;
  say("\n{:<16} {:<12} {:<28} {}\n", "surface", "kind", "size [m]", "body");
  for (std::size_t i = 0; i < contact.connected.surfaces.size(); ++i) {
    const IdealSurface& s = contact.connected.surfaces[i];
    say("{:<16} {:<12} {:<28} {}\n", model.scene.surfaces[i].name, surface_form_name(s.form),
        size_of(s), model.scene.surfaces[i].body);
  }
  say("\n");
  print_matrix(model);
  for (const ConnectedPair& c : contact.connected.pairs) {
    const PairLaw& law = law_of(model, c);
    say("{} on {}: {}, layer {:.5g} m, beyond it {}\n  {} {}\n  {} {}\n", spec_of(model, c.a).name,
        spec_of(model, c.b).name, area_name(c.area), c.layer, c.lets_go ? "release" : "push",
        law.normal->name, parameters(law.normal->fields, law.normal_params), law.friction->name,
        parameters(law.friction->fields, law.friction_params));
  }
}

JsonObject surfaces_json(const Model& model) {
  JsonObject surfaces;
  for (std::size_t i = 0; i < model.contact.connected.surfaces.size(); ++i) {
    const SurfaceSpec& spec = model.scene.surfaces[i];
    const char* kind = surface_form_name(model.contact.connected.surfaces[i].form);
    surfaces.put(spec.name, JsonObject().text("kind", kind).text("body", spec.body).str());
  }
  const auto contact = [&](const ConnectedPair& c) {
    const PairLaw& law = law_of(model, c);
    JsonObject fields;
    for (std::size_t k = 0; k < law.normal->fields.size(); ++k) {
      fields.number(law.normal->fields[k].name, law.normal_params[k]);
    }
    JsonObject out;
    out.put("between", json_texts(std::array{spec_of(model, c.a).name, spec_of(model, c.b).name}));
    out.text("area", area_name(c.area)).number("layer", c.layer);
    out.put("law", JsonObject().put(law.normal->name, fields.str()).str());
    return out.text("friction", law.friction->name).str();
  };
  JsonObject out;
  out.put("surfaces", surfaces.str());
  return out.put("contacts", json_list(model.contact.connected.pairs, contact));
}

}  // namespace carom::cli
