// The catalogues as lists of dicts.
#include <cmath>
#include <functional>

#include "bindings.h"
#include "carom/base/text.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/materials.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/geometry/shape.h"
#include "carom/integrate/integrator.h"
#include "carom/multibody/force_kind.h"
#include "carom/multibody/joint_kind.h"
#include "carom/proximity/smooth/surface.h"

namespace carom::python {
namespace {

py::object finite_or_none(double value) {
  return std::isfinite(value) ? py::object(py::float_(value)) : py::none();
}

const char* type_name(ParamType type) {
  switch (type) {
    case ParamType::vector3: return "vector3";
    case ParamType::boolean: return "boolean";
    case ParamType::integer: return "integer";
    default: return "number";
  }
}

py::dict row(const char* name, const char* doc) {
  py::dict out;
  out["name"] = name;
  out["doc"] = doc;
  return out;
}

py::dict row(const char* name, const char* doc, std::span<const ParamField> fields) {
  py::list list;
  for (const ParamField& f : fields) {
    py::dict field = row(f.name, f.doc);
    field["unit"] = f.unit;
    field["type"] = type_name(f.type);
    field["default"] = finite_or_none(f.default_value);
    field["required"] = std::isnan(f.default_value);
    field["min"] = finite_or_none(f.min);
    field["max"] = finite_or_none(f.max);
    list.append(field);
  }
  py::dict out = row(name, doc);
  out["fields"] = list;
  return out;
}

py::list joints() {
  py::list out;
  for (const JointKind* k : joint_catalogue()) {
    py::dict joint = row(k->name, k->doc, k->fields);
    py::list coordinates;
    for (const JointCoordinate& c : k->coordinates) coordinates.append(c.name);
    joint["positions"] = k->nq;
    joint["velocities"] = k->nv;
    joint["coordinates"] = coordinates;
    out.append(joint);
  }
  return out;
}

py::list shapes() {
  py::list out;
  for (const ShapeKind* k : shape_catalogue()) out.append(row(k->name, k->doc, k->fields));
  return out;
}

py::list forces() {
  py::list out;
  for (const ForceKind* k : force_catalogue()) out.append(row(k->name, k->doc, k->fields));
  return out;
}

/// Laws complete what is not given from the pair of materials: no field is required.
template <class Row>
py::list laws(std::span<const Row* const> rows) {
  py::list out;
  for (const Row* law : rows) {
    py::dict entry = row(law->name, law->doc, law->fields);
    for (py::handle field : entry["fields"]) field["required"] = false;
    out.append(entry);
  }
  return out;
}

py::list integrators() {
  py::list out;
  for (const Method* m : method_catalogue()) {
    py::dict method = row(m->name, m->doc, {});
    method["order"] = m->order;
    method["error_controlled"] = m->error_controlled;
    method["implicit"] = m->implicit;
    method["loops"] = m->handles_projection;
    out.append(method);
  }
  return out;
}

py::list materials() {
  py::list out;
  for (const Material& m : material_palette()) {
    py::dict material;
    material["name"] = m.name;
    material["density"] = m.density;
    material["youngs_modulus"] = m.youngs_modulus;
    material["poissons_ratio"] = m.poissons_ratio;
    material["yield_strength"] =
        m.yield_strength < 0.0 ? py::none() : py::object(py::float_(m.yield_strength));
    material["source"] = m.source;
    out.append(material);
  }
  return out;
}

constexpr struct {
  const char* name;
  py::list (*rows)();
} kCatalogues[] = {{"joints", joints},
                   {"shapes", shapes},
                   {"forces", forces},
                   {"normal", [] { return laws(normal_law_catalogue()); }},
                   {"friction", [] { return laws(friction_law_catalogue()); }},
                   {"resistance", [] { return laws(resistance_law_catalogue()); }},
                   {"surfaces", [] { return laws(surface_catalogue()); }},
                   {"integrators", integrators},
                   {"materials", materials}};

py::list catalogue(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& entry : kCatalogues) {
    if (name == entry.name) return entry.rows();
    known.push_back(entry.name);
  }
  throw py::value_error("there is no catalogue '" + name + "'; " + suggest(name, known));
}

}  // namespace

void bind_catalogue(py::module_& m) {
  m.def("catalogue", catalogue, py::arg("name"),
        "What scenes may use: joints, shapes, forces, normal, friction, resistance, surfaces, "
        "integrators "
        "or materials.");
}

}  // namespace carom::python
