// carom materials: the palettes of solids and pairs, and what to expect when two bodies meet.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/contact/contact_radius.h"
#include "carom/contact/impact_estimate.h"
#include "carom/contact/law_impact.h"
#include "carom/contact/materials.h"
#include "carom/contact/pair_palette.h"
#include "carom/scene/body_mass.h"
#include "carom/scene/pair_laws.h"
#include "exit_code.h"
#include "scene_source.h"
#include "talk.h"

namespace carom::cli {
namespace {

struct MaterialsOptions {
  std::vector<std::string> words;  ///< two materials, or a scene and two bodies
  SceneOptions scene;
  double speed = 1.0, radius = 0.05, mass = 0.0;
  bool json = false;
};

/// Samples within a contact from which its force can be drawn.
constexpr double kSamples = 20.0;

std::string solid_json(const Material& m) {
  JsonObject out;
  out.text("name", m.name).number("density", m.density).number("youngs_modulus", m.youngs_modulus);
  out.number("poissons_ratio", m.poissons_ratio);
  out.number("yield_strength", m.yield_strength < 0.0 ? NAN : m.yield_strength);
  return out.text("source", m.source).str();
}

std::string pair_json(const MaterialPair& p) {
  JsonObject out;
  out.put("between", json_texts(std::array<std::string, 2>{p.first, p.second}));
  out.number("restitution", p.restitution).number("mu_k", p.mu_k).number("mu_s", p.mu_s);
  return out.number("mu_r", p.mu_r).text("source", p.source).str();
}

int list_palettes(bool json) {
  if (json) {
    JsonObject out;
    out.put("solids", json_list(material_palette(), solid_json, ",\n  "));
    say("{}\n", out.line(1).put("pairs", json_list(pair_palette(), pair_json, ",\n  ")).str());
    return kDone;
  }
  for (const Material& m : material_palette()) {
    say("{:<18} density {:>8.6g} kg/m3   E {:>10.4g} Pa   nu {:<6.4g} {}\n", m.name, m.density,
        m.youngs_modulus, m.poissons_ratio, m.source);
  }
  say("\npairs (a pair that is missing takes the mean of each with itself)\n");
  for (const MaterialPair& p : pair_palette()) {
    say("{:<16} {:<18} restitution {:<5.3g} mu_k {:<5.3g} mu_s {:<5.3g} mu_r {:<6.4g} {}\n",
        p.first, p.second, p.restitution, p.mu_k, p.mu_s, p.mu_r, p.source);
  }
  return kDone;
}

struct Meeting {
  std::string first, second;
  PairLaw law;
  double radius = 0.0, mass = 0.0;
  std::string note;
};

std::string impact_json(const PairLaw& law, const LawImpact& i) {
  JsonObject out;
  out.text("law", law.normal->name).flag("separates", i.separates).number("duration", i.duration);
  out.number("depth", i.depth).number("force", i.force);
  return out.number("speed_out", i.speed_out).str();
}

void print_impact(const PairLaw& law, const LawImpact& i) {
  say("by the law of the pair, {}, losses included:\n", law.normal->name);
  if (i.separates) {
    say("  contact time          {:.6g} s, then apart at {:.6g} m/s\n", i.duration, i.speed_out);
  } else {
    say("  contact time          none: the bodies stay together\n");
  }
  say("  depth                 {:.6g} m\n", i.depth);
  say("  force                 {:.6g} N\n", i.force);
}

void print_meeting(const Meeting& m, double speed, bool json) {
  const ImpactEstimate e = estimate_impact(m.law.material.modulus, m.radius, m.mass, speed);
  const LawImpact by_law = law_impact(m.law, m.radius, m.mass, speed);
  const double step = e.duration / kSamples;
  const double largest = largest_explicit_step(m.law, m.radius, m.mass, speed, by_law);
  const double restitution = restitution_at(m.law.material, speed);
  // A mean pressure of 1.6 times the yield strength is where plastic flow is complete.
  const double yield = m.law.material.yield_strength;
  const bool plastic = yield > 0.0 && e.pressure > 1.6 * yield;
  if (json) {
    const PairMaterial& material = m.law.material;
    JsonObject out;
    out.put("between", json_texts(std::array{m.first, m.second}));
    out.number("modulus", material.modulus).number("radius", m.radius).number("mass", m.mass);
    out.number("speed", speed).number("restitution", restitution).number("mu_k", material.mu_k);
    out.number("mu_s", material.mu_s).number("mu_r", material.mu_r).number("duration", e.duration);
    out.number("depth", e.depth).number("force", e.force).number("contact_radius", e.radius);
    out.number("pressure", e.pressure).number("output_step", step).flag("plastic", plastic);
    out.number("frequency", 0.5 / e.duration).number("largest_explicit_step", largest);
    out.put("by_law", impact_json(m.law, by_law)).text("note", m.note);
    say("{}\n", out.str());
    return;
  }
  if (!m.note.empty()) tell("note: {}\n", m.note);
  say("{} on {} at {} m/s\n", m.first, m.second, speed);
  say("  combined modulus E*   {:.6g} Pa\n", m.law.material.modulus);
  say("  combined radius       {:.6g} m\n", m.radius);
  say("  effective mass        {:.6g} kg\n", m.mass);
  say("  restitution           {:.4g}\n", restitution);
  say("  friction              mu_k {:.4g}, mu_s {:.4g}, mu_r {:.4g}\n", m.law.material.mu_k,
      m.law.material.mu_s, m.law.material.mu_r);
  say("after Hertz, without loss:\n");
  say("  contact time          {:.6g} s\n", e.duration);
  say("  depth                 {:.6g} m\n", e.depth);
  say("  force                 {:.6g} N\n", e.force);
  say("  mean pressure         {:.6g} Pa on a circle of radius {:.6g} m{}\n", e.pressure, e.radius,
      plastic ? ": beyond 1.6 times the yield strength, metals flow" : "");
  print_impact(m.law, by_law);
  say("  largest explicit step {:.2g} s: rk4 keeps the restitution to 0.02\n", largest);
  say("contact frequency: {:.4g} Hz\n", 0.5 / e.duration);
  say("output step that shows the force: {:.2g} s\n", step);
}

int meet_materials(const MaterialsOptions& o) {
  Meeting m;
  m.first = o.words[0], m.second = o.words[1];
  std::vector<std::string> known;
  for (const Material& material : material_palette()) known.push_back(material.name);
  for (const std::string& name : {m.first, m.second}) {
    if (find_material(name)) continue;
    tell("carom: there is no material '{}'\n  {}\n", name, suggest(name, known));
    return kWrongUsage;
  }
  // A scene of the two: a ball of the first on a flat of the second.
  Scene scene;
  scene.bodies.resize(2);
  scene.bodies[0].name = "ball", scene.bodies[0].material = m.first;
  scene.bodies[1].name = "flat", scene.bodies[1].material = m.second;
  for (BodySpec& body : scene.bodies) body.shapes.resize(1);
  m.law = resolve_pair_law(scene, {0, 0}, {1, 0}, m.note);
  m.radius = o.radius;
  const double volume = 4.0 / 3.0 * std::numbers::pi * o.radius * o.radius * o.radius;
  m.mass = o.mass > 0.0 ? o.mass : volume * find_material(m.first)->density;
  print_meeting(m, o.speed, o.json);
  return kDone;
}

int find_body(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].name == name) return static_cast<int>(i);
    names.push_back(scene.bodies[i].name);
  }
  tell("carom: there is no body '{}'\n  {}\n", name, suggest(name, names));
  return -1;
}

/// The pairs of shapes of two bodies of a scene, central impact.
int meet_bodies(const MaterialsOptions& o) {
  SceneOptions source = o.scene;
  source.file = o.words[0];
  const Scene scene = load_scene(source);
  const int a = find_body(scene, o.words[1]), b = find_body(scene, o.words[2]);
  if (a < 0 || b < 0) return kWrongUsage;
  const BodySpec &A = scene.bodies[static_cast<std::size_t>(a)],
                 &B = scene.bodies[static_cast<std::size_t>(b)];
  const auto inverse_mass = [&](const BodySpec& body) {
    const double mass = body.fixed ? 0.0 : body_mass_properties(scene, body).mass;
    return mass > 0.0 ? 1.0 / mass : 0.0;
  };
  const double inverse = inverse_mass(A) + inverse_mass(B);
  int shown = 0;
  for (std::size_t i = 0; i < A.shapes.size(); ++i) {
    for (std::size_t k = 0; k < B.shapes.size(); ++k) {
      const ShapeRef ra{a, static_cast<int>(i)}, rb{b, static_cast<int>(k)};
      if (!may_touch(scene, ra, rb)) continue;
      Meeting m;
      m.first = A.name + " (" + A.shapes[i].shape.kind->name + ")";
      m.second = B.name + " (" + B.shapes[k].shape.kind->name + ")";
      m.law = resolve_pair_law(scene, ra, rb, m.note);
      m.radius =
          combined_radius(contact_radius(A.shapes[i].shape), contact_radius(B.shapes[k].shape));
      m.mass = o.mass > 0.0 ? o.mass : (inverse > 0.0 ? 1.0 / inverse : 1.0);
      print_meeting(m, o.speed, o.json);
      ++shown;
      if (o.json) return kDone;  // one document: the first pair of shapes
    }
  }
  if (shown > 0) return kDone;
  tell("carom: '{}' and '{}' do not touch: a material is missing, or contact is off\n", A.name,
       B.name);
  return kFailed;
}

int run_materials(const MaterialsOptions& o) {
  if (o.words.empty()) return list_palettes(o.json);
  if (o.words.size() == 2) return meet_materials(o);
  if (o.words.size() == 3) return meet_bodies(o);
  tell("carom: give two materials, or a scene and two bodies\n");
  return kWrongUsage;
}

}  // namespace

void add_materials(Program& program) {
  auto options = std::make_shared<MaterialsOptions>();
  CLI::App* command =
      program.add("materials", "palettes of solids and pairs; what to expect of an impact",
                  [options] { return run_materials(*options); });
  command->add_option("what", options->words,
                      "nothing: the palettes; two materials; or a scene and two of its bodies");
  command->add_option("--speed", options->speed, "approach speed [m/s]")
      ->check(CLI::PositiveNumber);
  command->add_option("--radius", options->radius, "combined radius of curvature [m]")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--mass", options->mass,
                   "effective mass [kg]; default: of a ball of the first material, or of the "
                   "two bodies")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "print one JSON document");
  add_scene_options(*command, options->scene);
}

}  // namespace carom::cli
