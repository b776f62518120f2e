#include "carom/engine/implicit/frozen.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/implicit/implicit_step.h"

namespace carom {
namespace {

/// How long a body must have been still, in time and in steps.
constexpr double kLong = 0.1, kSteps = 10.0;
/// Of what acts on a body, what contacts may leave: large islands are solved to half of it.
constexpr double kBalance = 2e-4;
/// Of the speed below which it rests, by how much it may have become faster in that time.
constexpr double kFaster = 0.01;
/// Of what acts on a frozen body, a change that wakes it.
constexpr double kChange = 1e-6;

/// How fast its fastest point is.
double speed_of(const Vec3& v, const Vec3& w, double size) { return norm(v) + norm(w) * size; }

}  // namespace

bool is_all_frozen(const Modes& modes) {
  if (modes.rests.size() < 2) return false;
  return std::all_of(modes.rests.begin() + 1, modes.rests.end(),
                     [](const RestRecord& r) { return r.island > 0; });
}

FrozenCount count_frozen(const Modes& modes) {
  FrozenCount count;
  for (std::size_t i = 0; i < modes.rests.size(); ++i) {
    const std::int32_t island = modes.rests[i].island;
    count.bodies += island > 0;
    count.islands += island > 0 && at(island) == i;  // the number is that of its first link
  }
  return count;
}

void wake_all(Modes& modes) {
  for (RestRecord& r : modes.rests) r.island = 0, r.still = 0.0;
}

void ImplicitStep::take_frozen() {
  frozen_.assign(w_.tree.links.size(), 0);
  if (!(freeze_ > 0.0)) return;
  for (const FreeBody& b : bodies_) frozen_[at(b.link)] = is_frozen(w_.modes, b.link);
}

/// Whether it is not as it was when it was frozen.
bool ImplicitStep::is_disturbed(const FreeBody& b) const {
  const RestRecord& rest = w_.modes.rests[at(b.link)];
  const Link& link = w_.model->tree.links[at(b.link)];
  if (!std::equal(rest.q.begin(), rest.q.end(), x_.begin() + link.q0)) return true;
  const double* u = &x_[w_.model->nq() + at(link.v0)];
  if (std::any_of(u, u + 6, [](double rate) { return rate != 0.0; })) return true;
  const double size = w_.model->link_size[at(b.link)];
  const double most = kChange * std::max(norm(b.force), norm(rest.force));
  return norm(b.force - rest.force) > most || norm(b.torque - rest.torque) > most * size;
}

bool ImplicitStep::wake(std::int32_t island) {
  bool woken = false;
  for (FreeBody& b : bodies_) {
    if (!frozen_[at(b.link)] || w_.modes.rests[at(b.link)].island != island) continue;
    frozen_[at(b.link)] = 0;
    begin_free_motion(w_, h_, b);
    woken = true;
  }
  return woken;
}

/// Before rows are laid: leaves as frozen what nothing disturbs.
void ImplicitStep::wake_disturbed() {
  if (!has_frozen()) return;
  for (const FreeBody& b : bodies_) {
    if (frozen_[at(b.link)] && is_disturbed(b)) wake(w_.modes.rests[at(b.link)].island);
  }
  const std::vector<Collider>& colliders = w_.model->contact.colliders;
  for (bool again = has_frozen(); again;) {
    again = false;
    find_speeds();
    for (const ContactPair& pair : w_.modes.contacts.pairs) {
      const int a = colliders[pair.a].link, b = colliders[pair.b].link;
      const bool frozen_a = frozen_[at(a)], frozen_b = frozen_[at(b)];
      if (frozen_a == frozen_b || !mover_of(frozen_a ? b : a).is_moved()) continue;
      const double reach = reach_of(pair);
      if (surely_apart(w_, pair, reach)) continue;
      const Contact contact = find_contact(w_, pair);
      if (contact.status == Status::ok && contact.phi > reach) continue;
      again |= wake(w_.modes.rests[at(frozen_a ? a : b)].island);
    }
  }
}

bool ImplicitStep::has_frozen() const {
  return std::ranges::any_of(frozen_, [](std::uint8_t f) { return f != 0; });
}

/// Whether nothing in the island, or beside it, could move it but contacts of free bodies.
bool ImplicitStep::may_freeze(std::size_t island) const {
  const IslandState& state = islands_[island];
  if (!state.converged || state.share < 1.0) return false;
  const auto is_still = [&](int g) {
    return is_touch(g) && touches_[at(g)].a.tree < 0 && touches_[at(g)].b.tree < 0;
  };
  const auto is_body = [&](int b) { return owner_[at(b)].body >= 0 && pushed_[at(b)]; };
  return std::ranges::all_of(problem_.islands[island].groups, is_still) &&
         std::ranges::all_of(problem_.islands[island].blocks, is_body);
}

/// What the record of the body becomes with this step, as far as it is still.
RestRecord ImplicitStep::rest_after(int block) const {
  const FreeBody& b = bodies_[at(owner_[at(block)].body)];
  const double* v = &problem_.v[problem_.blocks[at(block)].start];
  const double s = 1.0 / block_theta_[at(block)], size = w_.model->link_size[at(b.link)];
  const Vec3 dw = s * (Vec3{v[0], v[1], v[2]} - b.w), dv = s * (Vec3{v[3], v[4], v[5]} - b.v);
  const double speed = speed_of(b.v + dv, b.w + dw, size);
  const double brought = std::max(norm(b.v_free - b.v), size * norm(b.w_free - b.w));
  RestRecord rest;
  if (!(speed < freeze_) || !(speed_of(dv, dw, size) <= kBalance * brought)) return rest;
  rest.speed = speed;
  if (w_.modes.rests.empty()) return rest;
  const RestRecord& before = w_.modes.rests[at(b.link)];
  if (before.still > 0.0 && speed > before.speed + kFaster * freeze_) return rest;
  rest.still = before.still + h_;
  if (before.still > 0.0) rest.speed = before.speed;
  return rest;
}

/// Stops an island that has been still for long; its energy is lost.
void ImplicitStep::freeze(std::size_t island, std::span<double> x_new) {
  const std::vector<int>& blocks = problem_.islands[island].blocks;
  std::int32_t number = 0;
  for (const int block : blocks) {
    const int link = bodies_[at(owner_[at(block)].body)].link;
    if (number == 0 || link < number) number = link;
  }
  for (const int block : blocks) {
    const int body = owner_[at(block)].body;
    const FreeBody& b = bodies_[at(body)];
    const Link& link = w_.model->tree.links[at(b.link)];
    RestRecord& rest = next_rests_[at(body)];
    rest.island = number, rest.still = 0.0;
    std::copy_n(x_new.begin() + link.q0, rest.q.size(), rest.q.begin());
    rest.force = b.force, rest.torque = b.torque;
    const double* v = &problem_.v[problem_.blocks[at(block)].start];
    const double s = 1.0 / block_theta_[at(block)];
    const Vec3 w_end = b.w + s * (Vec3{v[0], v[1], v[2]} - b.w);
    const Vec3 v_end = b.v + s * (Vec3{v[3], v[4], v[5]} - b.v);
    const Vec3 turn = transpose_times(b.R, w_end);
    lost_ += 0.5 * (b.mass * norm2(v_end) + dot(turn, b.inertia * turn));
    std::fill_n(x_new.begin() + static_cast<std::ptrdiff_t>(w_.model->nq()) + link.v0, 6, 0.0);
  }
}

/// What is frozen goes on pressing; what has come to rest is frozen.
void ImplicitStep::settle(std::span<double> x_new) {
  if (!(freeze_ > 0.0)) return;
  for (const ContactPair& pair : w_.modes.contacts.pairs) {
    if (pair.slot < 0 || pair.mode == ContactMode::apart || !stays_frozen(pair)) continue;
    x_new[slot_place(*w_.model, pair.slot) + SlotLayout::kImpulse] += h_ * pair.load;
  }
  next_rests_.assign(bodies_.size(), {});
  for (std::size_t i = 0; i < problem_.islands.size(); ++i) {
    if (!may_freeze(i)) continue;
    bool is_ready = true;
    for (const int block : problem_.islands[i].blocks) {
      RestRecord& rest = next_rests_[at(owner_[at(block)].body)];
      rest = rest_after(block);
      is_ready &= rest.still >= std::max(kLong, kSteps * h_);
    }
    if (is_ready) freeze(i, x_new);
  }
}

/// In the step, which may have woken what was.
bool ImplicitStep::stays_frozen(const ContactPair& pair) const {
  const std::vector<Collider>& colliders = w_.model->contact.colliders;
  const int a = colliders[pair.a].link, b = colliders[pair.b].link;
  return (a == 0 || frozen_[at(a)]) && (b == 0 || frozen_[at(b)]) && (a != 0 || b != 0);
}

void ImplicitStep::commit_rests(std::vector<EngineEvent>& events) {
  std::vector<RestRecord>& rests = w_.modes.rests;
  if (!(freeze_ > 0.0)) return rests.clear();
  if (rests.empty()) rests.resize(w_.tree.links.size());
  const auto tell = [&](const char* kind, double time, std::int32_t island, auto&& is_of) {
    const auto is_first = [&](const BodyInfo& b) { return b.link == island; };
    const auto body = std::ranges::find_if(w_.model->bodies, is_first);
    const auto count = std::ranges::count_if(bodies_, is_of);
    const std::string name = body == w_.model->bodies.end() ? std::string() : body->name;
    events.push_back({time, kind, name, static_cast<double>(count)});
  };
  for (const FreeBody& b : bodies_) {
    const std::int32_t island = rests[at(b.link)].island;
    if (island != b.link || frozen_[at(b.link)]) continue;
    tell("wake", t_, island, [&](const FreeBody& c) { return rests[at(c.link)].island == island; });
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    RestRecord& rest = rests[at(bodies_[i].link)];
    if (frozen_[at(bodies_[i].link)]) {
      rest.still += h_;
    } else {
      rest = next_rests_[i];
    }
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::int32_t island = next_rests_[i].island;
    if (island != bodies_[i].link) continue;
    tell("freeze", t_ + h_, island,
         [&](const FreeBody& c) { return rests[at(c.link)].island == island; });
  }
}

}  // namespace carom
