#include "carom/contact/cones/energetic_impact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

/// What has come of the impact so far.
struct Course {
  double s = 0.0, angle = 0.0;         ///< slip: speed and direction
  double u_n = 0.0;                    ///< [m/s]
  double p = 0.0, p1 = 0.0, p2 = 0.0;  ///< impulses
  double work = 0.0;                   ///< int u_n dp [J]
};

Course operator+(const Course& a, const Course& b) {
  return {a.s + b.s,   a.angle + b.angle, a.u_n + b.u_n,  a.p + b.p,
          a.p1 + b.p1, a.p2 + b.p2,       a.work + b.work};
}
Course operator*(double h, const Course& a) {
  return {h * a.s, h * a.angle, h * a.u_n, h * a.p, h * a.p1, h * a.p2, h * a.work};
}

class Energetic {
 public:
  Energetic(std::span<const double> W, double mu, double e) : W_(W), mu_(mu), e2_(e * e) {}

  bool run(std::span<const double> u, std::span<double> P) {
    now_.s = std::hypot(u[1], u[2]), now_.angle = std::atan2(u[2], u[1]), now_.u_n = u[0];
    still_ = kStill * std::hypot(u[0], now_.s);
    const bool ended = slide() && (is_over_ || follow_line());
    P[0] = now_.p, P[1] = now_.p1, P[2] = now_.p2;
    return ended;
  }

 private:
  static constexpr double kStill = 1e-15;

  /// The rates of (1) of a point that slides, over tau with dp = s dtau: slip that ends does so as
  /// tau grows without end, and its direction stays smooth on the way.
  Course rate(const Course& c) const {
    const double x = std::cos(c.angle), y = std::sin(c.angle), r1 = -mu_ * x, r2 = -mu_ * y;
    const auto along = [&](std::size_t i) {
      return W_[3 * i] + W_[3 * i + 1] * r1 + W_[3 * i + 2] * r2;
    };
    const double g1 = along(1), g2 = along(2);
    return {c.s * (x * g1 + y * g2),
            x * g2 - y * g1,
            c.s * along(0),
            c.s,
            c.s * r1,
            c.s * r2,
            c.s * c.u_n};
  }

  Course stepped(const Course& c, double h) const {
    const Course a = rate(c), b = rate(c + 0.5 * h * a), d = rate(c + 0.5 * h * b);
    const Course e = rate(c + h * d);
    return c + (h / 6.0) * (a + 2.0 * b + 2.0 * d + e);
  }

  /// Falls through zero where compression and then restitution end.
  double left(const Course& c) const {
    return is_compressed_ ? e2_ * taken_ - (c.work + taken_) : -c.u_n;
  }

  /// Slides until the impact is over or slip has ended. False: neither happens.
  bool slide() {
    if (!(mu_ > 0.0)) return true;  // nothing turns: a straight line
    double size = 0.0;
    for (const double w : W_) size = std::max(size, std::abs(w));
    const double h = kStepSize / ((1.0 + mu_) * size);
    for (long i = 0; i < kMostSteps && now_.s > still_; ++i) {
      Course next = stepped(now_, h);
      if (!(left(next) <= 0.0)) {
        now_ = next;
        continue;
      }
      double low = 0.0, high = h;
      for (int k = 0; k < 60; ++k) {
        const double mid = 0.5 * (low + high);
        (left(stepped(now_, mid)) > 0.0 ? low : high) = mid;
      }
      now_ = stepped(now_, high);
      if (!next_phase()) return is_over_ = true;
    }
    return !(now_.s > still_);
  }

  /// False where the impact is over.
  bool next_phase() {
    if (is_compressed_) return false;
    is_compressed_ = true;
    taken_ = std::max(0.0, -now_.work);
    return e2_ > 0.0;
  }

  /// Slip has ended: it sticks, or begins anew along the direction that keeps itself; from there on
  /// all rates are constant.
  bool follow_line() {
    std::array<double, 2> r = sticking();
    if (!(mu_ > 0.0)) r = {0.0, 0.0};
    if (std::hypot(r[0], r[1]) > mu_) r = lasting();
    const double c = W_[0] + W_[1] * r[0] + W_[2] * r[1];
    if (!(c > 0.0)) return false;
    const auto go = [&](double p) {
      now_.work += now_.u_n * p + 0.5 * c * p * p, now_.u_n += c * p;
      now_.p += p, now_.p1 += r[0] * p, now_.p2 += r[1] * p;
    };
    if (!is_compressed_) {
      go(-now_.u_n / c);
      if (!next_phase()) return true;
    }
    // Work still to be given back: u_n p + c p² / 2.
    const double rest = std::max(0.0, e2_ * taken_ - (now_.work + taken_));
    go((std::sqrt(now_.u_n * now_.u_n + 2.0 * c * rest) - now_.u_n) / c);
    return true;
  }

  /// r_t with which slip stays zero.
  std::array<double, 2> sticking() const {
    const double det = W_[4] * W_[8] - W_[5] * W_[7];
    return {-(W_[8] * W_[3] - W_[5] * W_[6]) / det, -(W_[4] * W_[6] - W_[7] * W_[3]) / det};
  }

  /// r_t of slip that begins and keeps its direction: d g = |g|, found on the circle.
  std::array<double, 2> lasting() const {
    const auto sideways = [&](double angle) {
      Course c;
      c.s = 1.0, c.angle = angle;
      return rate(c);
    };
    constexpr int kParts = 360;
    for (int k = 0; k < kParts; ++k) {
      double low = 2.0 * std::numbers::pi * k / kParts;
      double high = 2.0 * std::numbers::pi * (k + 1) / kParts;
      const double first = sideways(low).angle;
      if (!(first * sideways(high).angle <= 0.0) || !(sideways(low).s > 0.0)) continue;
      for (int i = 0; i < 60; ++i) {
        const double mid = 0.5 * (low + high);
        (sideways(mid).angle * first > 0.0 ? low : high) = mid;
      }
      return {-mu_ * std::cos(low), -mu_ * std::sin(low)};
    }
    return {0.0, 0.0};
  }

  /// Of the fastest rate; RK4 then errs by 1e-11.
  static constexpr double kStepSize = 4e-3;
  static constexpr long kMostSteps = 400000;

  std::span<const double> W_;
  double mu_, e2_;
  Course now_;
  double still_ = 0.0, taken_ = 0.0;
  bool is_compressed_ = false, is_over_ = false;
};

}  // namespace

bool solve_energetic(std::span<const double> W, std::span<const double> u, double mu,
                     double restitution, std::span<double> P) {
  return Energetic(W, mu, restitution).run(u, P);
}

}  // namespace carom
