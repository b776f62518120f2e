// Mindlin's elastic friction: a patch that sticks is a spring, one that slips carries mu fn.
//
// Stick (Mindlin 1949): the stiffness of the patch for a small slip is a constant share of its
// stiffness for a small change of depth, whatever its size,
//
//   k = c dN/dd,   c = 4 G*/E*,   1/G* = sum (2 - nu)/G,   1/E* = sum (1 - nu²)/E        (1)
//
// which is 8 G* a for a circle of radius a, of Hertz (a² = R d) and of a flat punch alike. The
// memory is the force itself, so that a load that changes leaves it as it is, and only what slips
// from then on meets the new stiffness (incremental rule, no slip inside the patch):
//
//   F' = k s                                                                             (2)
//
// With `passive` a shrinking patch takes its share of the force along (Thornton, Cummins and
// Cleary 2013): F' = k s + F min(0, k'/k). What the load does to the energy E(F) = |F|²/2k under
// (2) is lost where the load grows and given where it falls, and a closed cycle can gain (Elata
// and Berryman 1996); passive, both are losses.
//
// Slip: the force that acts is F cut to the length mu fn, exactly. A memory beyond that by x no
// longer grows, fully from the band w on, and follows a cap that falls:
//
//   F' = (2) - (x/w) (n.(2) - mu N')+ n - b (x - w)+ n,   n = F/|F|                      (3)
//   E  = |f| (|F| - |f|/2) / k                                                           (4)
//
// with N' the elastic part of the change of load; b returns what damping of the load does beside
// it. A slip that turns back is felt late by at most w/k. (4) has the slope f/k, so stick loses
// nothing, and slip never gives.
//
// A contact that has lasted longer than impacts do rests, and gets a damper beside the spring,
// inside mu fn like it. Explicit steps of fixed length map the memory back onto the cap.
#include <algorithm>
#include <array>

#include "carom/contact/slip.h"

namespace carom {
namespace {

enum { kMu, kRatio, kDamping, kPassive };
constexpr ParamField kFields[] = {
    {"mu", "-", "friction coefficient; without it mu_k of the pair", kRequired, 0.0},
    {"ratio", "-", "c, tangential over normal stiffness; without it from the materials", kRequired,
     0.0, kInf, ParamType::number, true},
    {"damping", "-", "share of critical damping in contacts that last longer than impacts", 0.1,
     0.0},
    {"passive", "-", "the force falls with a shrinking patch, so friction never gives energy", 0.0,
     0.0, 1.0, ParamType::boolean},
};

/// w of (3) over mu fn, or over what it is expected to become: moves the spin after an oblique
/// impact by less than a two hundredth.
constexpr double kBand = 0.01;
/// b of (3), in frequencies of the tangential spring: an impact takes about three.
constexpr double kReturn = 50.0;
/// An impact lasts three to four times 1/frequency; damping comes between these.
constexpr double kImpactEnds = 10.0, kRestBegins = 20.0;

void bind(const PairMaterial& material, std::span<double> p) {
  if (std::isnan(p[kMu])) p[kMu] = material.mu_k;
  if (std::isnan(p[kRatio])) p[kRatio] = material.shear_ratio;
}

/// f of length `most` at most.
Slip cut(const Slip& f, double most) {
  const double length = norm(f);
  return length > most ? (most / length) * f : f;
}

/// The part of (2) that the load alone causes.
Slip load_rate(const FrictionInput& in, std::span<const double> p) {
  if (p[kPassive] == 0.0 || !(in.stiffness > 0.0)) return {};
  return std::min(0.0, in.stiffness_rate / in.stiffness) * bristle_of(in);
}

/// Of the body on the spring k; the world has none [rad/s].
double frequency(const FrictionInput& in, double k) {
  return in.mass > 0.0 ? std::sqrt(k / in.mass) : 0.0;
}

/// What (3) takes from the growth of the memory F.
Slip yielding(const FrictionInput& in, const Slip& F, const Slip& growth, double mu, double k) {
  const double length = norm(F), cap = mu * in.normal_force;
  if (!(length > cap)) return {};
  const Slip n = (1.0 / length) * F;
  const double band = kBand * std::max(cap, mu * in.expected_load);
  const double share = std::min(1.0, (length - cap) / band);
  const double excess = std::max(0.0, dot(n, growth) - mu * in.load_rate);
  const double beyond = std::max(0.0, length - cap - band);
  return (share * excess + kReturn * frequency(in, k) * beyond) * n;
}

/// The damper [N.s/m].
double damper(const FrictionInput& in, std::span<const double> p, double k) {
  const double age = in.age * frequency(in, k);
  const double u = std::clamp((age - kImpactEnds) / (kRestBegins - kImpactEnds), 0.0, 1.0);
  const double c = u * u * (3.0 - 2.0 * u) * p[kDamping] * 2.0 * std::sqrt(k * in.mass);
  return std::min(c, in.damping_most * in.normal_force);
}

void evaluate(const FrictionInput& in, std::span<const double> p, FrictionOutput& out) {
  out = {};
  const Slip F = bristle_of(in), s = slip_of(in);
  const double k = p[kRatio] * in.stiffness, cap = p[kMu] * in.normal_force;
  if (!(k > 0.0 && p[kMu] > 0.0)) return;
  const Slip by_load = load_rate(in, p), growth = k * s + by_load;
  Slip rate, f = cut(F, cap);
  if (in.step > 0.0) {
    const Slip next = cut(F + in.step * growth, cap);
    rate = (1.0 / in.step) * (next - F);
    if (in.kicks) f = next;  // as a position in (1) of semi-implicit Euler
  } else {
    rate = growth - yielding(in, F, growth, p[kMu], k);  // (3)
  }
  const double carried = norm(f);
  out.energy = carried * (norm(F) - 0.5 * carried) / k;  // (4)
  out.stored_power = dot(f, rate - by_load) / k;
  const Slip damped = with_part(f, damper(in, p, k) * s, cap);
  oppose(in, damped, out);
  out.bristle_rate = rate.slide;
  out.spin_bristle_rate = rate.spin;
}

}  // namespace

extern const FrictionLaw friction_law_mindlin{
    .name = "mindlin",
    .doc = "elastic friction of the materials: a spring of the patch that slips at mu fn",
    .fields = kFields,
    .has_bristle = true,
    .remembers_force = true,
    .bind = bind,
    .evaluate = evaluate};

}  // namespace carom
