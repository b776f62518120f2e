// Six-axis bushing between two frames K1 and K2.
//
// Translation, in K1 axes, with r the position of K2 in K1 and r' its rate there:
//
//   f on K2 = −(k r + d r')                                                     (1)
//
// Rotation by large angles: Cardan angles a of R_12 = Rx(a1) Ry(a2) Rz(a3), with
// w = J(a) a' the relative angular velocity in K1 axes; the columns of J are the three
// axes about which the angles turn. Singular at a2 = ±pi/2. Two ways to apply the
// torques t = −(k a + d a'):
//
//   torque on K2 = J t      along these axes, as in Modia3D (the default)        (2)
//   torque on K2 = J⁻ᵀ t    conjugate to the angles: conservative                (3)
//
// They agree for small angles. By small angles: a = (R32, R13, R21), a' ≈ w, J = 1.
// What (2) and small angles add to the energy is reported as model power.
#include "carom/multibody/force_law.h"

namespace carom {
namespace {

enum {
  kStiffness = 0,
  kDamping = 3,
  kTurnStiffness = 6,
  kTurnDamping = 9,
  kLargeAngles = 12,
  kConservative = 13
};
constexpr ParamField kFields[] = {
    {"stiffness", "N/m", "along the axes of the first frame", 0.0, 0.0, kInf, ParamType::vector3},
    {"damping", "N.s/m", "along these axes", 0.0, 0.0, kInf, ParamType::vector3},
    {"rotational_stiffness", "N.m/rad", "about them", 0.0, 0.0, kInf, ParamType::vector3},
    {"rotational_damping", "N.m.s/rad", "about them", 0.0, 0.0, kInf, ParamType::vector3},
    {"large_angles", "-", "Cardan angles (exact) instead of small ones", 1.0, 0.0, 1.0,
     ParamType::boolean},
    {"conservative", "-", "large angles: torques that derive from an energy", 0.0, 0.0, 1.0,
     ParamType::boolean},
};
constexpr ForceReading kReadings[] = {{"fx", "N"},   {"fy", "N"},   {"fz", "N"},
                                      {"tx", "N.m"}, {"ty", "N.m"}, {"tz", "N.m"}};

/// Deflections and rates in K1, and what maps rates of angles to angular velocity.
struct Deflection {
  double x[6], v[6];
  Mat3 J, J_inverse;  ///< w = J a' (identity for small angles)
  Vec3 w;             ///< relative angular velocity in K1 axes
  Vec3 exact_rate;    ///< true rate of the angles, also of small ones
};

Deflection deflect(const ForceInput& in) {
  const Mat3& R1 = in.from.R_WK;
  const Vec3 r_W = in.to.p_WK - in.from.p_WK;
  const Vec3 r = transpose_times(R1, r_W);
  const Vec3 rate = transpose_times(R1, in.to.V_WK.v - in.from.V_WK.v - cross(in.from.V_WK.w, r_W));
  const Mat3 R = transpose(R1) * in.to.R_WK;
  const Vec3 w = transpose_times(R1, in.to.V_WK.w - in.from.V_WK.w);
  Deflection d;
  d.w = w;
  Vec3 angle, angle_rate;
  if (in.params[kLargeAngles] != 0.0) {
    angle = to_cardan_xyz(R);
    const double c1 = std::cos(angle.x), s1 = std::sin(angle.x);
    const double c2 = std::cos(angle.y), s2 = std::sin(angle.y), t2 = s2 / c2;
    d.J = {{1, 0, s2, 0, c1, -s1 * c2, 0, s1, c1 * c2}};  // [ex, Rx ey, Rx Ry ez]
    d.J_inverse = {{1, s1 * t2, -c1 * t2, 0, c1, s1, 0, -s1 / c2, c1 / c2}};
    angle_rate = d.J_inverse * w;
    d.exact_rate = angle_rate;
  } else {
    angle = {R(2, 1), R(0, 2), R(1, 0)};
    angle_rate = w;
    d.exact_rate = {w.x * R(1, 1) - w.y * R(0, 1), w.y * R(2, 2) - w.z * R(1, 2),
                    w.z * R(0, 0) - w.x * R(2, 0)};
  }
  for (std::size_t i = 0; i < 3; ++i) {
    d.x[i] = r[i], d.v[i] = rate[i];
    d.x[3 + i] = angle[i], d.v[3 + i] = angle_rate[i];
  }
  return d;
}

void deflections(const ForceInput& in, double* x, double* v) {
  const Deflection d = deflect(in);
  for (int i = 0; i < 6; ++i) x[i] = d.x[i], v[i] = d.v[i];
}

void evaluate(const ForceInput& in, ForceOutput& out) {
  const Deflection d = deflect(in);
  Vec3 f, t;
  double booked = 0.0;  // power that the ledger takes the torques to have
  for (std::size_t i = 0; i < 3; ++i) {
    f[i] = -resist(in.params[kStiffness + i], in.params[kDamping + i], d.x[i], d.v[i], in.laws[i],
                   out);  // (1)
    const LawValue& law = in.laws[3 + i];
    const double rate = d.v[3 + i];
    t[i] = -resist(in.params[kTurnStiffness + i], in.params[kTurnDamping + i], d.x[3 + i], rate,
                   law, out);
    const double linear = in.params[kTurnStiffness + i] * d.x[3 + i];
    const double elastic = law.given ? (law.driven ? 0.0 : law.elastic) : linear;
    booked += (t[i] + elastic) * rate - elastic * d.exact_rate[i];
  }
  const bool conservative = in.params[kConservative] != 0.0;
  const Vec3 torque = conservative ? transpose_times(d.J_inverse, t) : d.J * t;  // (3), (2)
  out.model_power += dot(torque, d.w) - booked;
  out.on_to = {in.from.R_WK * torque, in.from.R_WK * f};
  for (std::size_t i = 0; i < 3; ++i) out.reading[i] = f[i], out.reading[3 + i] = torque[i];
}

}  // namespace

extern const ForceKind force_bushing{.name = "bushing",
                                     .doc = "elastic coupling of two frames in six directions",
                                     .fields = kFields,
                                     .is_load = false,
                                     .signal_count = 6,
                                     .signal_field = "laws",
                                     .readings = kReadings,
                                     .deflections = deflections,
                                     .evaluate = evaluate};

}  // namespace carom
