// MuJoCo: the stages of mj_forward that a mechanism without contacts, limits,
// tendons, actuators and sensors needs, called one by one; and mj_forward itself.
//
// A free joint has qpos = (position, quaternion) and qvel = (velocity in world axes,
// angular velocity in body axes).
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "carom/math/pose.h"
#include "engine.h"

namespace carom::bench {
namespace {

template <class Numbers>
void write_attribute(const char* name, const Numbers& numbers, std::ostream& xml) {
  xml << ' ' << name << "='";
  for (const double x : numbers) xml << x << ' ';
  xml << "'";
}

std::array<double, 4> quaternion_of(const Mat3& R) {
  const Quat r = to_quat(R);
  return {r.w, r.x, r.y, r.z};
}

/// Principal moments and their axes. MuJoCo would diagonalise `fullinertia` itself, but less
/// accurately: accelerations of the humanoid then differ by 2e-7 instead of 3e-13.
void write_inertia(const BodySpec& b, std::ostream& xml) {
  const auto& [xx, yy, zz, xy, xz, yz] = b.I_com;
  Eigen::Matrix3d I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
  const Eigen::Vector3d moments = principal.eigenvalues();
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  Mat3 R;
  for (int k = 0; k < 9; ++k) R.m[k] = axes(k / 3, k % 3);
  xml << "<inertial mass='" << b.mass << "'";
  write_attribute("pos", b.com, xml);
  write_attribute("quat", quaternion_of(R), xml);
  write_attribute("diaginertia", moments, xml);
  xml << "/>";
}

/// The model as a main file and included ones: the XML reader refuses elements nested
/// deeper than 100, so every 40 levels go into a file of their own.
class ModelFiles {
 public:
  explicit ModelFiles(const ModelSpec& model) : model_(model) {
    std::ostringstream xml;
    xml.precision(17);
    xml << "<mujoco><compiler angle='radian'/><option gravity='0 0 " << -kGravity
        << "'><flag contact='disable' constraint='disable'/></option><worldbody>";
    write_children(-1, 0, xml);
    xml << "</worldbody></mujoco>";
    add_file("main.xml", xml.str());
  }

  mjModel* compile() const {
    auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    for (const auto& [name, text] : files_) {
      mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(text.size()));
      std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], text.data(), text.size());
    }
    char message[1000] = "";
    mjModel* compiled = mj_loadXML("main.xml", vfs.get(), message, sizeof message);
    mj_deleteVFS(vfs.get());
    if (compiled == nullptr) throw std::runtime_error(message);
    return compiled;
  }

 private:
  void add_file(const std::string& name, const std::string& text) {
    files_.emplace_back(name, text);
  }

  void write_children(int parent, int level, std::ostream& xml) {
    if (level > 0 && level % 40 == 0) {
      std::ostringstream included;
      included.precision(17);
      included << "<mujocoinclude>";
      write_bodies(parent, level, included);
      included << "</mujocoinclude>";
      const std::string name = "below_" + std::to_string(parent) + ".xml";
      add_file(name, included.str());
      xml << "<include file='" << name << "'/>";
    } else {
      write_bodies(parent, level, xml);
    }
  }

  void write_bodies(int parent, int level, std::ostream& xml) {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const BodySpec& b = model_.bodies[i];
      if (b.parent != parent) continue;
      Mat3 R_PF;
      for (std::size_t k = 0; k < 9; ++k) R_PF.m[k] = b.R_PF[k];
      xml << "<body";
      write_attribute("pos", b.p_PF, xml);
      write_attribute("quat", quaternion_of(R_PF), xml);
      xml << (b.free ? "><freejoint/>" : "><joint type='hinge' axis='0 0 1'/>");
      write_inertia(b, xml);
      write_children(static_cast<int>(i), level + 1, xml);
      xml << "</body>";
    }
  }

  const ModelSpec& model_;
  std::vector<std::pair<std::string, std::string>> files_;
};

class MujocoEngine final : public Engine {
 public:
  MujocoEngine(const ModelSpec& model, bool whole)
      : model_(model), whole_(whole), m_(ModelFiles(model).compile()), d_(mj_makeData(m_)) {}
  ~MujocoEngine() override {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }
  MujocoEngine(const MujocoEngine&) = delete;
  MujocoEngine& operator=(const MujocoEngine&) = delete;

  std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::string timed() const override {
    return whole_ ? "mj_forward with contact and constraint disabled"
                  : "mj_kinematics + comPos + crb + factorM + comVel + rne + solveM";
  }

  void prepare(const std::vector<State>& states) override {
    states_.assign(states.begin(), states.end());
    for (State& s : states_) {
      if (!model_.bodies[0].free) continue;
      const Mat3 R = to_matrix({s.q[0], s.q[1], s.q[2], s.q[3]});
      const double q[7] = {s.q[4], s.q[5], s.q[6], s.q[0], s.q[1], s.q[2], s.q[3]};
      std::copy(q, q + 7, s.q.begin());
      for (std::vector<double>* x : {&s.v, &s.tau}) {
        const Vec3 turning = transpose_times(R, {(*x)[0], (*x)[1], (*x)[2]});
        for (std::size_t i = 0; i < 3; ++i) (*x)[i] = (*x)[3 + i], (*x)[3 + i] = turning[i];
      }
    }
  }

  void evaluate(std::size_t k) override {
    const State& s = states_[k];
    mju_copy(d_->qpos, s.q.data(), m_->nq);
    mju_copy(d_->qvel, s.v.data(), m_->nv);
    if (whole_) {
      mju_copy(d_->qfrc_applied, s.tau.data(), m_->nv);
      mj_forward(m_, d_);
      return;
    }
    mj_kinematics(m_, d_);
    mj_comPos(m_, d_);
    mj_crb(m_, d_);
    mj_factorM(m_, d_);
    mj_comVel(m_, d_);
    mj_rne(m_, d_, 0, d_->qfrc_bias);
    mju_sub(d_->qfrc_smooth, s.tau.data(), d_->qfrc_bias, m_->nv);
    mj_solveM(m_, d_, d_->qacc, d_->qfrc_smooth, 1);
  }

  void read(std::size_t k, std::vector<double>& vdot) const override {
    std::copy(d_->qacc, d_->qacc + m_->nv, vdot.begin());
    if (!model_.bodies[0].free) return;
    const std::vector<double>& q = states_[k].q;
    const Vec3 turning = to_matrix({q[3], q[4], q[5], q[6]}) * Vec3{vdot[3], vdot[4], vdot[5]};
    for (std::size_t i = 0; i < 3; ++i) vdot[3 + i] = vdot[i], vdot[i] = turning[i];
  }

 private:
  ModelSpec model_;
  bool whole_;
  mjModel* m_;
  mjData* d_;
  std::vector<State> states_;
};

}  // namespace

void add_mujoco(const ModelSpec& model, Engines& engines) {
  engines.push_back(std::make_unique<MujocoEngine>(model, false));
  engines.push_back(std::make_unique<MujocoEngine>(model, true));
}

}  // namespace carom::bench
