// Recorded bodies and pairs by name. own_rigid.h says what for.
#include <algorithm>
#include <stdexcept>

#include "carom/base/contact_name.h"
#include "carom/verify/own_rigid.h"

namespace carom::verify {
namespace {

const PairLaw* rigid_law(const Model& model, std::size_t a, std::size_t b) {
  const ContactModel& contact = model.contact;
  for (std::uint32_t i = 0; i < contact.colliders.size(); ++i) {
    for (std::uint32_t k = i + 1; k < contact.colliders.size(); ++k) {
      const auto A = static_cast<std::size_t>(contact.colliders[i].body);
      const auto B = static_cast<std::size_t>(contact.colliders[k].body);
      if (std::minmax(A, B) != std::minmax(a, b)) continue;
      const int law = contact.law_of(i, k);
      if (law < 0) continue;
      const PairLaw& found = contact.laws[static_cast<std::size_t>(law)];
      const bool is_rigid =
          found.method && found.method->name == std::string_view(kRigidContactMethod);
      return is_rigid ? &found : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

RecordedBodies::RecordedBodies(const Model& model, const Recording& rows)
    : model_(model), rows_(rows) {
  const std::vector<std::string> names = column_names(rows.channels);
  for (std::size_t i = 0; i < names.size(); ++i) columns_.emplace(names[i], i);
  tracks_.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (moves(i)) is_whole_ &= read_track(rows, model.bodies[i].name, tracks_[i]);
  }
  for (const WatchedPair& watched : model.contact.watched) {
    RigidPairTrack pair;
    pair.a = static_cast<std::size_t>(watched.body_a);
    pair.b = static_cast<std::size_t>(watched.body_b);
    if (watched.own >= 0) continue;
    pair.law = rigid_law(model, pair.a, pair.b);
    if (!pair.law) continue;
    pair.name = contact_name(model.bodies[pair.a].name, model.bodies[pair.b].name);
    if (!columns_.contains(pair.name + ".state")) continue;
    pairs_.push_back(std::move(pair));
  }
}

std::size_t RecordedBodies::column(const std::string& name) const {
  const auto found = columns_.find(name);
  if (found == columns_.end()) throw std::runtime_error("no column '" + name + "'");
  return found->second;
}

double RecordedBodies::number(const std::string& channel, std::size_t row) const {
  return rows_.values[row * columns_.size() + column(channel)];
}

Vec3 RecordedBodies::vector(const std::string& channel, std::size_t row) const {
  const double* first = &rows_.values[row * columns_.size() + column(channel + ".x")];
  return {first[0], first[1], first[2]};
}

Pose RecordedBodies::pose(std::size_t body, std::size_t row) const {
  return moves(body) ? pose_at(tracks_[body], row) : model_.bodies[body].X_LB;
}

Moment RecordedBodies::moment(std::size_t body, std::size_t row) const {
  return moves(body) ? moment_at(tracks_[body], model_.bodies[body].mass, row) : Moment{};
}

Vec3 RecordedBodies::velocity(std::size_t body, const Vec3& p, std::size_t row) const {
  if (!moves(body)) return {};
  const Moment m = moment(body, row);
  return m.v + cross(m.w, p - m.p);
}

std::optional<OwnTouch> RecordedBodies::touch(const RigidPairTrack& pair, std::size_t row) const {
  const auto has_one = [&](std::size_t body) {
    return model_.scene.bodies[body].shapes.size() == 1;
  };
  if (!has_one(pair.a) || !has_one(pair.b)) return {};
  return own_touch(shape(pair.a), pose(pair.a, row) * X_BS(pair.a), shape(pair.b),
                   pose(pair.b, row) * X_BS(pair.b), 1e-9 * size_of(*this, pair));
}

std::vector<OwnTouch> RecordedBodies::touches(const RigidPairTrack& pair, std::size_t row) const {
  const double near = 1e-9 * size_of(*this, pair);
  std::vector<OwnTouch> out;
  for (const ShapeSpec& a : model_.scene.bodies[pair.a].shapes) {
    for (const ShapeSpec& b : model_.scene.bodies[pair.b].shapes) {
      std::optional<OwnTouch> touch =
          own_touch(a.shape, pose(pair.a, row) * a.X_BS, b.shape, pose(pair.b, row) * b.X_BS, near);
      if (!touch) return {};
      if (touch->gap <= near) out.push_back(std::move(*touch));
    }
  }
  return out;
}

bool RecordedBodies::is_free(std::size_t body) const {
  const Scene& scene = model_.scene;
  if (!scene.forces.empty() || !scene.surface_contacts.empty()) return false;
  if (scene.gravity.kind != GravitySpec::Kind::uniform) return false;
  const std::string& name = model_.bodies[body].name;
  return std::ranges::none_of(scene.joints, [&](const JointSpec& j) {
    return j.parent == name || (j.child == name && j.kind != "free");
  });
}

double size_of(const RecordedBodies& record, const RigidPairTrack& pair) {
  const double a = record.moves(pair.a) ? record.model().bodies[pair.a].size : kInf;
  const double b = record.moves(pair.b) ? record.model().bodies[pair.b].size : kInf;
  return std::min(a, b);
}

}  // namespace carom::verify
