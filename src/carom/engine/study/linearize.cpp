#include "carom/engine/study/linearize.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/engine/study/tangent.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The system in the deviations y = (T-coordinates of δ and v, z).
class Deviations {
 public:
  Deviations(Workspace& w, double t, std::span<const double> x,
             std::span<const OutputChannel> channels)
      : w_(w), t_(t), x_(x.begin(), x.end()), channels_(channels), moved_(x_), rate_(x_.size()) {
    const std::vector<double> basis = free_directions(w, t, x);
    const auto nv = static_cast<Index>(w.model->nv());
    T_ = Eigen::Map<const MatrixXd>(basis.data(), nv,
                                    nv > 0 ? static_cast<Index>(basis.size()) / nv : 0);
    nz_ = static_cast<Index>(w.model->nz);
    for (const OutputChannel& c : channels) outputs_ += c.width;
    row_.resize(static_cast<std::size_t>(outputs_));
  }

  Index size() const { return 2 * T_.cols() + nz_; }
  Index outputs() const { return outputs_; }
  const MatrixXd& directions() const { return T_; }

  /// Rates and outputs at the deviation y.
  void evaluate_at(const VectorXd& y, VectorXd& rate, VectorXd& output) {
    const Model& model = *w_.model;
    const Index n = T_.cols();
    const std::size_t nq = model.nq(), nv = model.nv();
    moved_ = x_;
    const VectorXd delta = T_ * y.head(n), dv = T_ * y.segment(n, n);
    move_positions(model.tree, {delta.data(), nv}, {moved_.data(), nq});
    for (std::size_t i = 0; i < nv; ++i) moved_[nq + i] += dv[static_cast<Index>(i)];
    for (Index i = 0; i < nz_; ++i) moved_[nq + nv + static_cast<std::size_t>(i)] += y[2 * n + i];
    project(w_, t_, moved_, 1e-13, 20);
    calc_rates(w_, t_, moved_, rate_);
    const Eigen::Map<const VectorXd> v(moved_.data() + nq, static_cast<Index>(nv));
    const Eigen::Map<const VectorXd> a(rate_.data() + nq, static_cast<Index>(nv));
    rate.resize(size());
    rate.head(n) = T_.transpose() * v;
    rate.segment(n, n) = T_.transpose() * a;
    rate.tail(nz_) = Eigen::Map<const VectorXd>(rate_.data() + nq + nv, nz_);
    calc_outputs(w_, t_, moved_, channels_, 0.0, row_);
    output = Eigen::Map<const VectorXd>(row_.data(), outputs_);
  }

 private:
  Workspace& w_;
  double t_;
  std::vector<double> x_;
  std::span<const OutputChannel> channels_;
  std::vector<double> moved_, rate_, row_;
  MatrixXd T_;
  Index nz_ = 0, outputs_ = 0;
};

std::vector<double> row_major(const MatrixXd& m) {
  std::vector<double> out;
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) out.push_back(m(i, j));
  }
  return out;
}

std::vector<Eigenmode> modes_of(const MatrixXd& A) {
  std::vector<Eigenmode> modes;
  if (A.rows() == 0) return modes;
  const auto n = static_cast<std::size_t>(A.rows());
  const Eigensystem system = calc_eigensystem({A.data(), n * n}, n);
  for (std::size_t k = 0; k < n; ++k) {
    Eigenmode mode;
    mode.eigenvalue = system.values[k];
    const double size = std::abs(mode.eigenvalue);
    mode.frequency = size / (2.0 * std::numbers::pi);
    mode.damping_ratio = size > 0.0 ? -mode.eigenvalue.real() / size : 0.0;
    const std::span v(system.vectors.data() + k * n, n);
    const auto smaller = [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); };
    const std::complex<double> largest = *std::ranges::max_element(v, smaller);
    for (const std::complex<double>& entry : v) mode.shape.push_back(entry / largest);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Eigenmode& a, const Eigenmode& b) {
    return a.frequency < b.frequency;
  });
  return modes;
}

/// Names of velocities where T is the identity, "direction k" otherwise.
void name_states(const Model& model, const MatrixXd& T, Linearization& out) {
  std::vector<std::string> velocity_names(model.nv());
  for (const JointInfo& joint : model.joints) {
    const std::string owner =
        joint.name.empty() ? model.bodies[static_cast<std::size_t>(joint.body)].name : joint.name;
    for (int k = 0; k < joint.kind->nv; ++k) {
      velocity_names[static_cast<std::size_t>(joint.v0 + k)] =
          owner + "." + joint.kind->coordinates[static_cast<std::size_t>(k)].name;
    }
  }
  for (const char* kind : {"position ", "velocity "}) {
    for (Index k = 0; k < T.cols(); ++k) {
      Index largest = 0;
      const double top = T.col(k).cwiseAbs().maxCoeff(&largest);
      out.states.push_back(kind + (top > 1.0 - 1e-9
                                       ? velocity_names[static_cast<std::size_t>(largest)]
                                       : "direction " + std::to_string(k)));
    }
  }
  for (std::size_t i = 0; i < model.nz; ++i) {
    out.states.push_back(i < model.states.size() ? model.states[i].name
                                                 : "drive state " + std::to_string(i));
  }
}

}  // namespace

Linearization linearize(Workspace& w, double t, std::span<const double> x,
                        std::span<const OutputChannel> channels) {
  Linearization out;
  Deviations system(w, t, x, channels);
  name_states(*w.model, system.directions(), out);
  for (const OutputChannel& c : channels) {
    for (int k = 0; k < c.width; ++k) {
      out.outputs.push_back(
          c.components.empty() ? c.name : c.name + "." + c.components[static_cast<std::size_t>(k)]);
    }
  }
  const Index n = system.size();
  MatrixXd A(n, n), C(system.outputs(), n);
  VectorXd y = VectorXd::Zero(n), plus, minus, out_plus, out_minus;
  const double h = 1e-5;
  for (Index k = 0; k < n; ++k) {
    y[k] = h;
    system.evaluate_at(y, plus, out_plus);
    y[k] = -h;
    system.evaluate_at(y, minus, out_minus);
    y[k] = 0.0;
    A.col(k) = (plus - minus) / (2.0 * h);
    C.col(k) = (out_plus - out_minus) / (2.0 * h);
  }
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < w.model->signals.size(); ++i) {
    const SignalInfo& s = w.model->signals[i];
    if (s.name.empty() || s.spec.kind != SignalSpec::Kind::constant) continue;
    inputs.push_back(i);
    out.inputs.push_back(s.name);
  }
  const auto m = static_cast<Index>(inputs.size());
  MatrixXd B(n, m), D(system.outputs(), m);
  for (Index k = 0; k < m; ++k) {
    double& input = w.parameters.constants[inputs[static_cast<std::size_t>(k)]];
    const double value = input, step = h * std::max(1.0, std::abs(value));
    input = value + step;
    system.evaluate_at(y, plus, out_plus);
    input = value - step;
    system.evaluate_at(y, minus, out_minus);
    input = value;
    B.col(k) = (plus - minus) / (2.0 * step);
    D.col(k) = (out_plus - out_minus) / (2.0 * step);
  }
  out.modes = modes_of(A);
  out.A = row_major(A), out.B = row_major(B), out.C = row_major(C), out.D = row_major(D);
  return out;
}

}  // namespace carom
