// carom.solve_contact: contact forces with friction from numbers alone, for problems of others.
#include "bindings.h"
#include "carom/contact/cones/cone_solver.h"

namespace carom::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::span<const double> view(const Numbers& a) {
  return {a.data(), static_cast<std::size_t>(a.size())};
}

py::dict solve_contact(const Numbers& W, const Numbers& q, const Numbers& mu, std::size_t bilateral,
                       const py::object& start) {
  const ConeProblem problem{view(W), view(q), bilateral, view(mu)};
  const std::string error = cone_problem_error(problem);
  if (!error.empty()) throw py::value_error("solve_contact: " + error);
  std::vector<double> r(problem.q.size(), 0.0);
  if (!start.is_none()) {
    const auto from = start.cast<Numbers>();
    if (view(from).size() != r.size()) {
      throw py::value_error("solve_contact: start must have as many numbers as q");
    }
    std::copy_n(from.data(), r.size(), r.begin());
  }
  ConeAnswer answer;
  {
    const py::gil_scoped_release release;
    answer = solve_cones(problem, r, !start.is_none());
  }
  py::dict out;
  out["force"] = copy_array(r.data(), r.size());
  out["status"] = answer.solved ? "solved" : "unsolved";
  out["residual"] = answer.residual;
  out["stage"] = name_of(answer.stage);
  out["iterations"] = answer.iterations;
  out["worst_contact"] = answer.worst_contact;
  return out;
}

}  // namespace

void bind_cones(py::module_& m) {
  m.def("solve_contact", &solve_contact, py::arg("W"), py::arg("q"), py::arg("mu"), py::kw_only(),
        py::arg("bilateral") = 0, py::arg("start") = py::none(),
        "Forces r of contacts with Coulomb friction: u = W r + q, r in the cone, u + mu |u_t| n in "
        "its dual, orthogonal. Rows: the bilateral ones first, then normal and two tangents of "
        "each contact.");
}

}  // namespace carom::python
