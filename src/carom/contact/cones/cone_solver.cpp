#include "carom/contact/cones/cone_solver.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/cones/cone_newton.h"
#include "carom/contact/cones/cone_polish.h"
#include "carom/contact/cones/cone_sweeps.h"

namespace carom {
namespace {

/// Where a stage is content; a tenth of what counts as solved, so that rounding of the last sum
/// decides nothing.
constexpr double kContent = 0.1 * kConeTolerance;
constexpr double kNewton = 1e-13;  ///< of |f|, where the largest |q| is 1

/// Newton's solutions with less and less compliance.
struct Rounds {
  double first, factor;  ///< of the compliance
  int iterations;        ///< at the most, in all of them
  double weight;         ///< of speeds against forces (rho in cone_newton.h)
};
constexpr Rounds kQuick{1e-6, 0.1, 80, 1.0}, kSlow{1e-1, 0.3, 300, 1.0};

/// How far the cascade goes.
enum class Effort : std::uint8_t { quick, plain, whole };

class Cascade {
 public:
  Cascade(const ConeProblem& problem, std::span<double> r)
      : problem_(problem), whole_(problem, 1.0), out_(r) {}

  ConeAnswer run(bool is_warm, Effort effort);

 private:
  bool is_content() const { return answer_.residual <= kContent; }
  /// Keeps r if it is better than what there is.
  void offer(const std::vector<double>& r, ConeStage stage);
  bool proximal(const ScaledCones& cones, std::vector<double>& r, ConeStage stage,
                const Rounds& rounds = kQuick);
  void along_friction();
  void along_compliance();
  void after_sweeps();
  void from_elsewhere();
  void polish();
  void try_harder();
  void with_fewer();

  const ConeProblem& problem_;
  const ScaledCones whole_;
  std::span<double> out_;
  std::vector<double> best_, start_;
  ConeAnswer answer_{false, INFINITY, ConeStage::guess, 0, 0};
};

void Cascade::offer(const std::vector<double>& r, ConeStage stage) {
  const ScaledCones::Residual found = whole_.residual(r);
  if (!(found.value < answer_.residual)) return;
  best_ = r;
  answer_.residual = found.value;
  answer_.worst_contact = found.contact;
  answer_.stage = stage;
}

/// Newton around a centre that follows the solution, with less and less compliance. Content also
/// with a share of the friction: `cones` need not be the whole problem.
bool Cascade::proximal(const ScaledCones& cones, std::vector<double>& r, ConeStage stage,
                       const Rounds& rounds) {
  constexpr int kPerRound = 40;
  const int before = answer_.iterations;
  ConeNewton newton(cones, answer_.iterations, rounds.weight);
  for (double eps = rounds.first; eps > 0.5e-12; eps *= rounds.factor) {
    const std::vector<double> centre = r;
    const int left = rounds.iterations - (answer_.iterations - before);
    newton.solve(eps, centre, std::min(left, kPerRound), kNewton, r);
    if (cones.residual(r).value <= kContent) break;
    if (answer_.iterations - before >= rounds.iterations) break;
  }
  if (&cones == &whole_) offer(r, stage);
  return cones.residual(r).value <= kContent;
}

void Cascade::along_friction() {
  constexpr double kFirst = 0.05, kGrowth = 1.5, kLeastGrowth = 1.01;
  double share = kFirst, growth = kGrowth;
  std::vector<double> r(out_.size()), last;
  {
    const ScaledCones cones(problem_, share);
    std::vector<double> scaled = cones.stick();
    cones.project(scaled);
    if (!proximal(cones, scaled, ConeStage::friction)) return;
    cones.unscale(scaled, r);
  }
  while (share < 1.0 && growth > kLeastGrowth) {
    const double next = std::min(1.0, share * growth);
    const bool is_whole = next == 1.0;
    const ScaledCones part(problem_, next);
    const ScaledCones& cones = is_whole ? whole_ : part;
    std::vector<double> scaled = cones.scaled(r);
    if (proximal(cones, scaled, ConeStage::friction)) {
      cones.unscale(scaled, r);
      share = next;
      growth = std::min(kGrowth, growth * growth);
    } else {
      growth = std::sqrt(growth);
    }
  }
}

void Cascade::along_compliance() {
  const std::vector<double> centre(whole_.size(), 0.0);
  std::vector<double> r(centre);
  ConeNewton newton(whole_, answer_.iterations);
  for (double eps = 1.0; eps > 1e-10; eps *= 0.8) {
    if (!newton.solve(eps, centre, 20, 1e-11, r)) break;
  }
  proximal(whole_, r, ConeStage::compliance);
}

void Cascade::after_sweeps() {
  std::vector<double> r = start_;
  int done = 0;
  for (const int sweeps : {10, 50, 200}) {
    sweep_cones(whole_, sweeps - done, r);
    done = sweeps;
    std::vector<double> from = r;
    if (proximal(whole_, from, ConeStage::sweeps, sweeps < 200 ? kQuick : kSlow)) return;
  }
}

void Cascade::polish() {
  std::vector<double> r = best_;
  polish_cones(whole_, r, answer_.iterations);
  offer(r, ConeStage::polish);
}

/// What is left has several valleys: few sweeps from the friction of other shares end in different
/// ones, and so do other weights of the map.
void Cascade::from_elsewhere() {
  for (const double share : {0.5, 0.0, 0.9, 0.2}) {
    for (const double weight : {3.0, 0.3, 30.0, 1.0}) {
      std::vector<double> r(whole_.size(), 0.0);
      for (std::size_t i = 0; i < r.size(); ++i) r[i] = share * best_[i];
      sweep_cones(whole_, 20, r);
      Rounds rounds = kSlow;
      rounds.weight = weight, rounds.factor = 0.5, rounds.first = 1.0;
      proximal(whole_, r, ConeStage::sweeps, rounds);
      polish();
      if (answer_.residual <= kConeTolerance) return;
    }
  }
}

/// Forces of some contacts, none at the others.
class SomeContacts {
 public:
  explicit SomeContacts(const ConeProblem& problem)
      : p_(problem), r_(problem.q.size(), 0.0), u_(problem.q.begin(), problem.q.end()) {
    for (std::size_t i = 0; i < p_.bilateral; ++i) rows_.push_back(i);
    is_in_.assign(p_.mu.size(), false);
  }

  /// The contact left out that approaches fastest, over what its own force does; their number where
  /// none does.
  std::size_t fastest() const {
    double most = 0.0;
    std::size_t found = p_.mu.size();
    for (std::size_t c = 0; c < p_.mu.size(); ++c) {
      const std::size_t i = p_.bilateral + 3 * c;
      const double own = p_.W[i * p_.q.size() + i];
      if (is_in_[c] || !(own > 0.0)) continue;
      const double speed = -u_[i] / std::sqrt(own);
      if (speed > most) most = speed, found = c;
    }
    return found;
  }

  void add(std::size_t c) {
    is_in_[c] = true;
    mu_.push_back(p_.mu[c]);
    for (std::size_t k = 0; k < 3; ++k) rows_.push_back(p_.bilateral + 3 * c + k);
  }

  bool solve(int& iterations) {
    const std::size_t n = p_.q.size(), m = rows_.size();
    std::vector<double> W(m * m), q(m), r(m);
    for (std::size_t i = 0; i < m; ++i) {
      q[i] = p_.q[rows_[i]], r[i] = r_[rows_[i]];
      for (std::size_t j = 0; j < m; ++j) W[i * m + j] = p_.W[rows_[i] * n + rows_[j]];
    }
    const ConeProblem own{W, q, p_.bilateral, mu_};
    const ConeAnswer answer = Cascade(own, r).run(true, Effort::plain);
    iterations += answer.iterations;
    if (!answer.solved) return false;
    u_.assign(p_.q.begin(), p_.q.end());
    for (std::size_t j = 0; j < m; ++j) {
      r_[rows_[j]] = r[j];
      for (std::size_t i = 0; i < n; ++i) u_[i] += p_.W[i * n + rows_[j]] * r[j];
    }
    return true;
  }

  std::span<const double> forces() const { return r_; }

 private:
  const ConeProblem& p_;
  std::vector<double> r_, u_;
  std::vector<bool> is_in_;
  std::vector<std::size_t> rows_;
  std::vector<double> mu_;
};

void Cascade::with_fewer() {
  SomeContacts some(problem_);
  for (std::size_t c = some.fastest(); c < problem_.mu.size(); c = some.fastest()) {
    some.add(c);
    if (!some.solve(answer_.iterations)) break;
    const std::vector<double> r = whole_.scaled(some.forces());
    offer(r, ConeStage::fewer);
    if (is_content()) return;
  }
}

ConeAnswer Cascade::run(bool is_warm, Effort effort) {
  const std::vector<double> stick = whole_.stick();
  offer(stick, ConeStage::guess);
  if (!is_content()) {
    start_ = is_warm ? whole_.scaled(out_) : stick;
    if (is_warm) offer(start_, ConeStage::guess);
  }
  if (!is_content()) {
    whole_.project(start_);
    std::vector<double> r = start_;
    proximal(whole_, r, ConeStage::proximal);
  }
  if (effort != Effort::quick) try_harder();
  if (effort == Effort::whole && answer_.residual > kConeTolerance) with_fewer();
  if (effort == Effort::whole && answer_.residual > kConeTolerance) from_elsewhere();
  whole_.unscale(best_, out_);
  answer_.solved = answer_.residual <= kConeTolerance;
  return answer_;
}

void Cascade::try_harder() {
  // The same map weighted otherwise has other valleys.
  for (const double weight : {1.0, 10.0, 0.1}) {
    if (is_content()) break;
    std::vector<double> r(whole_.size(), 0.0);
    Rounds rounds = kSlow;
    rounds.weight = weight;
    proximal(whole_, r, ConeStage::proximal, rounds);
  }
  if (!is_content()) along_friction();
  if (!is_content()) along_compliance();
  if (!is_content()) after_sweeps();
  if (!is_content()) polish();
}

}  // namespace

const char* name_of(ConeStage stage) {
  switch (stage) {
    case ConeStage::guess: return "guess";
    case ConeStage::proximal: return "proximal";
    case ConeStage::friction: return "friction";
    case ConeStage::compliance: return "compliance";
    case ConeStage::sweeps: return "sweeps";
    case ConeStage::polish: return "polish";
    case ConeStage::fewer: return "fewer";
  }
  return "";
}

std::string cone_problem_error(const ConeProblem& p) {
  const std::size_t n = p.q.size();
  const auto is_bad = [](double x) { return !std::isfinite(x); };
  if (p.W.size() != n * n) return "W must be a square matrix with as many rows as q has numbers";
  if (p.bilateral + 3 * p.mu.size() != n) {
    return "q must have one number per bilateral row and three per friction coefficient";
  }
  if (std::any_of(p.W.begin(), p.W.end(), is_bad) || std::any_of(p.q.begin(), p.q.end(), is_bad)) {
    return "W and q must be finite";
  }
  for (const double mu : p.mu) {
    if (is_bad(mu) || mu < 0.0) return "friction coefficients must be finite and not negative";
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (p.W[i * n + i] < 0.0) return "W must be positive semidefinite";
    for (std::size_t j = 0; j < i; ++j) {
      const double a = p.W[i * n + j], b = p.W[j * n + i];
      const double size = std::sqrt(p.W[i * n + i] * p.W[j * n + j]);
      if (std::abs(a - b) > 1e-9 * size) return "W must be symmetric";
      if (std::abs(a) > (1.0 + 1e-9) * size) return "W must be positive semidefinite";
    }
  }
  return {};
}

ConeAnswer solve_cones(const ConeProblem& problem, std::span<double> r, bool is_warm,
                       bool is_quick) {
  if (problem.q.empty()) return {true, 0.0, ConeStage::guess, 0, 0};
  return Cascade(problem, r).run(is_warm, is_quick ? Effort::quick : Effort::whole);
}

}  // namespace carom
