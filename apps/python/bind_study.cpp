// A scene at one state: masses and freedoms, equilibrium, linearisation.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "carom/engine/study/linearize.h"
#include "carom/engine/study/study.h"
#include "carom/simulation/run.h"

namespace carom::python {
namespace {

struct LinearizationHandle {
  std::vector<std::string> states, inputs, outputs;
  py::array_t<double> A, B, C, D;
  py::array_t<std::complex<double>> eigenvalues, modes;
  py::array_t<double> frequencies, damping;
};

py::ssize_t count(std::size_t n) { return static_cast<py::ssize_t>(n); }

py::array_t<double> matrix(const std::vector<double>& values, std::size_t rows,
                           std::size_t columns) {
  return py::array_t<double>({count(rows), count(columns)}, values.data());
}

LinearizationHandle make_handle(Linearization l) {
  const std::size_t n = l.states.size(), m = l.inputs.size(), p = l.outputs.size();
  const std::size_t k = l.modes.size();
  LinearizationHandle h;
  h.A = matrix(l.A, n, n);
  h.B = matrix(l.B, n, m);
  h.C = matrix(l.C, p, n);
  h.D = matrix(l.D, p, m);
  h.eigenvalues = py::array_t<std::complex<double>>(count(k));
  h.modes = py::array_t<std::complex<double>>({count(n), count(k)});
  h.frequencies = py::array_t<double>(count(k));
  h.damping = py::array_t<double>(count(k));
  for (std::size_t j = 0; j < k; ++j) {
    const Eigenmode& mode = l.modes[j];
    h.eigenvalues.mutable_at(j) = mode.eigenvalue;
    h.frequencies.mutable_at(j) = mode.frequency;
    h.damping.mutable_at(j) = mode.damping_ratio;
    for (std::size_t i = 0; i < n; ++i) h.modes.mutable_at(i, j) = mode.shape[i];
  }
  h.states = std::move(l.states);
  h.inputs = std::move(l.inputs);
  h.outputs = std::move(l.outputs);
  return h;
}

py::dict body_dict(const BodyInfo& body) {
  const MassProperties& m = body.mass;
  const Sym3& I = m.inertia;
  const double inertia[9] = {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz};
  py::dict out;
  out["mass"] = m.mass;
  out["com"] = copy_array(&m.com.x, 3);
  out["inertia"] = py::array_t<double>({3, 3}, inertia);
  out["volume"] = m.volume;
  out["fixed"] = body.link == 0;
  return out;
}

}  // namespace

py::dict check_scene(SceneHandle& scene) {
  const std::shared_ptr<const Model> model = scene.model();
  std::unique_ptr<Simulation> start;
  try {
    start = check_run(model);
  } catch (const InputError& error) {
    scene.refuse(error.diagnostics());
  }
  const Freedom freedom = count_freedom(start->workspace(), start->state());
  py::dict bodies, joints, out;
  for (const BodyInfo& body : model->bodies) bodies[py::str(body.name)] = body_dict(body);
  for (const JointInfo& joint : model->joints) {
    if (!joint.name.empty()) joints[py::str(joint.name)] = joint.kind->name;
  }
  py::list warnings;
  for (const Diagnostic& d : scene.remarks()) warnings.append(diagnostic_dict(d));
  out["name"] = model->scene.name;
  out["bodies"] = bodies;
  out["joints"] = joints;
  out["degrees_of_freedom"] = freedom.degrees;
  out["constraint_rows"] = freedom.rows;
  out["redundant_rows"] = freedom.redundant;
  out["states"] = model->size();
  out["warnings"] = warnings;
  return out;
}

py::dict find_scene_equilibrium(SceneHandle& scene) {
  const StudyState s(scene.model(), true);
  const EquilibriumResult& e = s.equilibrium;
  py::dict joints, out;
  for (const JointInfo& joint : s.model->joints) {
    const std::string& body = s.model->bodies[static_cast<std::size_t>(joint.body)].name;
    joints[py::str(joint.name.empty() ? body : joint.name)] =
        copy_array(s.x.data() + joint.q0, static_cast<std::size_t>(joint.kind->nq));
  }
  out["status"] = e.found ? "completed" : "failed";
  out["reason"] = e.reason;
  out["residual"] = e.residual;
  out["iterations"] = e.iterations;
  out["joints"] = joints;
  out["state"] = copy_array(s.x.data(), s.x.size());
  return out;
}

py::object make_linearization(Linearization linearization) {
  return py::cast(make_handle(std::move(linearization)));
}

py::object linearize_scene(SceneHandle& scene, const std::vector<std::string>& outputs,
                           bool at_equilibrium) {
  StudyState s(scene.model(), at_equilibrium);
  if (at_equilibrium && !s.equilibrium.found) {
    raise_simulation_error("no equilibrium: " + s.equilibrium.reason);
  }
  Diagnostics findings;
  const std::vector<OutputChannel> channels = select_channels(*s.model, outputs, {}, findings);
  if (findings.has_errors()) throw InputError(std::move(findings));
  return make_linearization(linearize(s.workspace, s.t, s.x, channels));
}

void bind_study(py::module_& m) {
  using Handle = LinearizationHandle;
  py::class_<Handle>(m, "Linearization", "y' = A y + B u, o = C y + D u at one state.")
      .def_readonly("states", &Handle::states)
      .def_readonly("inputs", &Handle::inputs)
      .def_readonly("outputs", &Handle::outputs)
      .def_readonly("A", &Handle::A)
      .def_readonly("B", &Handle::B)
      .def_readonly("C", &Handle::C)
      .def_readonly("D", &Handle::D)
      .def_readonly("eigenvalues", &Handle::eigenvalues, "[1/s], by rising frequency")
      .def_readonly("frequencies", &Handle::frequencies, "undamped [Hz]")
      .def_readonly("damping", &Handle::damping, "damping ratios")
      .def_readonly("modes", &Handle::modes, "eigenvectors as columns, largest entry 1");
}

}  // namespace carom::python
