// Geometry alone: shapes and exact distances, without a scene.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "bindings.h"
#include "carom/base/text.h"
#include "carom/geometry/mesh_file.h"
#include "carom/geometry/shape.h"
#include "carom/proximity/piece_contacts.h"

namespace carom::python {
namespace {

using Triple = std::array<double, 3>;

Vec3 vec(const Triple& v) { return {v[0], v[1], v[2]}; }
py::array_t<double> array(const Vec3& v) { return copy_array(&v.x, 3); }

/// A shape, and the Python function behind it where there is one.
struct ShapeHandle {
  Shape shape;
  std::shared_ptr<py::function> function;
};

/// Support mapping that asks a Python function: direction in, point out.
Vec3 call_support(const void* data, const Vec3& direction) {
  const auto& function = *static_cast<const py::function*>(data);
  return vec(function(py::make_tuple(direction.x, direction.y, direction.z)).cast<Triple>());
}

[[noreturn]] void refuse(std::string message, std::string remedy) {
  Diagnostics diagnostics;
  diagnostics.error({}, std::move(message), std::move(remedy));
  throw InputError(std::move(diagnostics));
}

void read_field(const ParamField& field, const py::handle& value, double* slot) {
  if (field.type == ParamType::vector3 && !py::isinstance<py::float_>(value) &&
      !py::isinstance<py::int_>(value)) {
    const Vec3 v = vec(value.cast<Triple>());
    slot[0] = v.x, slot[1] = v.y, slot[2] = v.z;
    return;
  }
  for (std::size_t k = 0; k < width(field); ++k) slot[k] = value.cast<double>();
}

void read_fields(const py::dict& given, ShapeInput& input) {
  input.params = default_params(*input.kind);
  std::vector<std::string> names;
  for (const ParamField& field : input.kind->fields) names.push_back(field.name);
  for (const auto& [key, value] : given) {
    const std::string name = key.cast<std::string>();
    const ParamField* field = nullptr;
    for (const ParamField& f : input.kind->fields) {
      if (name == f.name) field = &f;
    }
    if (!field) {
      refuse(std::string(input.kind->name) + " has no field '" + name + "'", suggest(name, names));
    }
    read_field(*field, value, input.params.data() + offset_of(input.kind->fields, name));
  }
}

ShapeHandle make(const std::string& kind, const std::optional<std::vector<Triple>>& points,
                 const std::string& file, const py::object& support, const py::object& scale,
                 const std::optional<double>& edge_radius, const py::kwargs& fields) {
  ShapeInput input;
  input.kind = find_shape_kind(kind);
  if (!input.kind) {
    std::vector<std::string> names;
    for (const ShapeKind* k : shape_catalogue()) names.push_back(k->name);
    refuse("'" + kind + "' is not a kind of shape", suggest(kind, names));
  }
  read_fields(fields, input);
  if (edge_radius) input.edge_radius = *edge_radius;
  if (py::isinstance<py::float_>(scale) || py::isinstance<py::int_>(scale)) {
    const double s = scale.cast<double>();
    input.scale = {s, s, s};
  } else {
    input.scale = vec(scale.cast<Triple>());
  }
  Diagnostics diagnostics;
  if (points) {
    for (const Triple& p : *points) input.mesh.vertices.push_back(vec(p));
  }
  if (!file.empty()) {
    std::optional<TriangleMesh> mesh = read_mesh(file, diagnostics, {file, 0, 0});
    if (!mesh) throw InputError(std::move(diagnostics));
    input.mesh = std::move(*mesh);
  }
  ShapeHandle handle;
  if (!support.is_none()) {
    handle.function = std::make_shared<py::function>(support.cast<py::function>());
    input.custom = {call_support, nullptr, handle.function.get()};
  }
  std::optional<Shape> shape = make_shape(std::move(input), diagnostics);
  if (!shape) throw InputError(std::move(diagnostics));
  handle.shape = std::move(*shape);
  return handle;
}

Pose pose(const Triple& position, const std::array<double, 4>& q) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(position.begin(), position.end(), finite) ||
      !std::all_of(q.begin(), q.end(), finite)) {
    refuse("a pose is not finite", "give finite positions and a quaternion");
  }
  return {to_matrix({q[0], q[1], q[2], q[3]}), vec(position)};
}

py::dict contact_dict(const Contact& c) {
  py::dict out;
  out["distance"] = c.phi;
  out["normal"] = array(c.n_AB_W);
  out["point_a"] = array(c.p_WCa);
  out["point_b"] = array(c.p_WCb);
  out["curvatures"] = py::make_tuple(c.k1, c.k2);
  out["curvature_direction"] = array(c.k1_direction_W);
  return out;
}

py::dict measure(const ShapeHandle& a, const ShapeHandle& b, const Triple& position_a,
                 const std::array<double, 4>& orientation_a, const Triple& position_b,
                 const std::array<double, 4>& orientation_b) {
  const Contact c = nearest_contact(a.shape, pose(position_a, orientation_a), b.shape,
                                    pose(position_b, orientation_b))
                        .contact;
  if (c.status == Status::fatal) {
    refuse("two half spaces have no distance", "give at least one bounded shape");
  }
  if (c.status != Status::ok)
    refuse("a pose is not finite", "give finite positions and a quaternion");
  return contact_dict(c);
}

py::list all_contacts(const ShapeHandle& a, const ShapeHandle& b, const Triple& position_a,
                      const std::array<double, 4>& orientation_a, const Triple& position_b,
                      const std::array<double, 4>& orientation_b, double margin) {
  std::vector<PieceContact> found;
  find_contacts(a.shape, pose(position_a, orientation_a), b.shape, pose(position_b, orientation_b),
                margin, found);
  py::list out;
  for (const PieceContact& c : found) {
    py::dict row = contact_dict(c.contact);
    row["pieces"] = py::make_tuple(c.piece_a, c.piece_b);
    out.append(row);
  }
  return out;
}

py::dict masses(const ShapeHandle& s, double density) {
  const MassProperties m = mass_properties(s.shape, density);
  const Sym3& I = m.inertia;
  const double inertia[9] = {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz};
  py::dict out;
  out["volume"] = m.volume;
  out["mass"] = m.mass;
  out["com"] = array(m.com);
  out["inertia"] = py::array_t<double>({3, 3}, inertia);
  return out;
}

py::tuple box_of(const ShapeHandle& s) {
  const BoundingBox box = bounding_box(s.shape);
  return py::make_tuple(array(box.lower), array(box.upper));
}

}  // namespace

void bind_geometry(py::module_& m) {
  py::class_<ShapeHandle>(m, "Shape", "A shape for distance queries.")
      .def_property_readonly("kind", [](const ShapeHandle& s) { return s.shape.kind->name; })
      .def_property_readonly("contact_as",
                             [](const ShapeHandle& s) { return s.shape.kind->contact_as; })
      .def_property_readonly("edge_radius",
                             [](const ShapeHandle& s) { return s.shape.edge_radius; })
      .def_property_readonly("bounding_box", box_of)
      .def("mass_properties", masses, py::arg("density") = 1.0)
      .def(
          "support",
          [](const ShapeHandle& s, const Triple& d) {
            return array(surface_point(s.shape.core, normalized(vec(d))));
          },
          py::arg("direction"))
      .def("__repr__", [](const ShapeHandle& s) {
        return "<carom.Shape " + std::string(s.shape.kind->name) + ">";
      });
  m.def("shape", make, py::arg("kind"), py::kw_only(), py::arg("points") = py::none(),
        py::arg("file") = "", py::arg("support") = py::none(), py::arg("scale") = 1.0,
        py::arg("edge_radius") = py::none(),
        "A shape of the catalogue: fields by name, or points, a mesh file, or a support function.");
  const std::array<double, 4> upright{1, 0, 0, 0};
  m.def("distance", measure, py::arg("a"), py::arg("b"), py::kw_only(),
        py::arg("position_a") = Triple{}, py::arg("orientation_a") = upright,
        py::arg("position_b") = Triple{}, py::arg("orientation_b") = upright,
        "Signed distance, normal from a to b, closest points and curvature.");
  m.def("contacts", all_contacts, py::arg("a"), py::arg("b"), py::kw_only(),
        py::arg("position_a") = Triple{}, py::arg("orientation_a") = upright,
        py::arg("position_b") = Triple{}, py::arg("orientation_b") = upright,
        py::arg("margin") = 0.0,
        "The contacts of all pieces nearer than the margin, as distance() describes them.");
}

}  // namespace carom::python
