#include "carom/engine/contact/rigid/rigid_sites.h"

#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/rigid/rigid_features.h"
#include "carom/engine/contact/rigid/rigid_form_search.h"
#include "carom/engine/contact/rigid/rigid_planes.h"
#include "carom/engine/contact/rigid/rigid_touch.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/finder.h"

namespace carom {
namespace {

std::size_t corner_count(const Core& core) {
  if (core.kind == &core_point) return 1;
  if (core.kind == &core_segment) return 2;
  if (core.kind == &core_box) return 8;
  if (core.kind == &core_simplex) return at(core.count);
  if (core.kind == &core_polytope) return PolytopeCore::polytope(core).vertices.size();
  return 0;
}

/// A corner and the radius of the ball around it. Edges of a box that nobody has set are sharp:
/// their rounding serves elastic laws.
struct Corner {
  Vec3 p;
  double radius = 0.0;
};

Corner corner(const Core& core, std::size_t k, bool is_sharp) {
  if (core.kind == &core_simplex || core.kind == &core_point) return {core.v[k], core.rounding};
  if (core.kind == &core_polytope) {
    return {PolytopeCore::polytope(core).vertices[k], core.rounding};
  }
  if (core.kind == &core_segment) {
    return {k == 0 ? core.v[0] - core.v[1] : core.v[0] + core.v[1], core.rounding};
  }
  const double q = is_sharp ? core.rounding : 0.0;
  const Vec3 h = core.v[0] + Vec3{q, q, q};
  return {{k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z},
          is_sharp ? 0.0 : core.rounding};
}

bool has_sharp_edges(const Workspace& w, const Collider& c) {
  return w.model->scene.bodies[at(c.body)].shapes[at(c.shape)].shape.has_default_edges;
}

Vec3 spin_of(const Collider& c, const LinkState& L) { return c.link == 0 ? Vec3{} : L.V.w; }

/// (2) but for the accelerations, from the slides of (1) and n'.
void add_motion(const PairState& s, const Vec3& slide_a, const Vec3& slide_b, const Vec3& n_dot,
                RigidSite& site) {
  site.bias = cross(spin_of(s.B, s.LB), slide_b) - cross(spin_of(s.A, s.LA), slide_a);
  site.n_dot = n_dot, site.turn = dot(n_dot, site.u);
}

/// (1) where the curvatures over e1 and n x e1 are known.
void add_rolling(const PairState& s, const Vec3& e1, const SurfaceCurvature& A,
                 const SurfaceCurvature& B, RigidSite& site) {
  const Vec3 e2 = cross(site.n, e1), w_a = spin_of(s.A, s.LA);
  const auto times = [&](const SurfaceCurvature& K, const Vec3& v) {
    const double x = dot(e1, v), y = dot(e2, v);
    return (K.xx * x + K.xy * y) * e1 + (K.xy * x + K.yy * y) * e2;
  };
  const Vec3 rhs = cross(spin_of(s.B, s.LB) - w_a, site.n) - times(A, site.u);
  const double xx = A.xx + B.xx, xy = A.xy + B.xy, yy = A.yy + B.yy, det = xx * yy - xy * xy;
  const double x = dot(e1, rhs), y = dot(e2, rhs);
  const Vec3 slide_b = ((yy * x - xy * y) / det) * e1 + ((xx * y - xy * x) / det) * e2;
  const Vec3 slide_a = slide_b + site.slip();
  add_motion(s, slide_a, slide_b, cross(w_a, site.n) + times(A, slide_a), site);
}

/// A corner of A or of B over the half space that is the other.
RigidSite corner_site(const Workspace& w, const PairState& s, std::size_t k) {
  const bool a_is_plane = is_half_space(s.PA);
  const Core& core = (a_is_plane ? s.PB : s.PA).core;
  const Corner c = corner(core, k, has_sharp_edges(w, a_is_plane ? s.B : s.A));
  RigidSite site = ball_site(s, (a_is_plane ? s.X_WB : s.X_WA) * c.p, c.radius, {});
  site.feature = k;
  return site;
}

/// The core of a surface by a formula is the box around it: that has no say.
std::size_t corners_of(const PairState& s) {
  if (s.PA.finder != &finder_convex || s.PB.finder != &finder_convex) return 0;
  if (is_half_space(s.PA)) return corner_count(s.PB.core);
  return is_half_space(s.PB) ? corner_count(s.PA.core) : 0;
}

bool smooth_site(const PairState& s, RigidSite& site) {
  const Contact c = find_contact(s);
  if (c.status != Status::ok) return false;
  site.phi = c.phi, site.n = c.n_AB_W;
  site.p_a = c.p_WCa, site.p_b = c.p_WCb;
  site.p = 0.5 * (c.p_WCa + c.p_WCb);
  site.u = relative_velocity(s, site.p);
  add_tangents(site);
  add_rolling(s, c.k1_direction_W, c.own_a, c.own_b, site);
  return true;
}

/// The round body of a pair whose other is a half space; null: there is none.
const RigidRound* round_of(const Workspace& w, const ContactPair& pair, const PairState& s) {
  const auto& rounds = w.model->contact.rounds;
  if (rounds.empty() || is_half_space(s.PA) == is_half_space(s.PB)) return nullptr;
  return rounds[is_half_space(s.PA) ? pair.piece_b : pair.piece_a].get();
}

/// Both bodies of a pair that touches by features.
struct SolidPair {
  const RigidSolid *a = nullptr, *b = nullptr;
  explicit operator bool() const { return a && b; }
};

SolidPair solids_of(const Workspace& w, const ContactPair& pair) {
  const auto& solids = w.model->contact.solids;
  if (solids.empty()) return {};
  const SolidPair found{solids[pair.piece_a].get(), solids[pair.piece_b].get()};
  if (!found) return {};
  const bool are_balls = found.a->vertices.size() == 1 && found.b->vertices.size() == 1;
  return are_balls ? SolidPair{} : found;
}

/// Balls and ellipsoids.
bool is_strict(const ShapePiece& p) {
  return p.finder == &finder_convex &&
         ((p.core.kind == &core_point && p.core.rounding > 0.0) || p.core.kind == &core_ellipsoid);
}

TouchedBody touched_body(const ContactModel& model, PieceId piece) {
  if (const RigidRound* round = model.rounds[piece].get()) return {&round->core, round};
  const RigidSolid* solid = model.solids[piece].get();
  return {solid ? &solid->core : nullptr, nullptr};
}

/// A pair of which one body is strictly convex and the other has faces, edges or rims; both null:
/// it is another one.
struct TouchedPair {
  TouchedBody a, b;
  explicit operator bool() const { return (a.core != nullptr) != (b.core != nullptr); }
};

TouchedPair touched_pair(const ContactModel& model, PieceId piece_a, PieceId piece_b) {
  if (model.rounds.empty()) return {};
  const bool strict_a = is_strict(model.pieces[piece_a]);
  const bool strict_b = is_strict(model.pieces[piece_b]);
  if (strict_a == strict_b) return {};
  return {strict_a ? TouchedBody{} : touched_body(model, piece_a),
          strict_b ? TouchedBody{} : touched_body(model, piece_b)};
}

/// Both bodies of a pair of which one at least is round, and neither a ball nor a plane.
struct FormPair {
  const RigidForm *a = nullptr, *b = nullptr;
  explicit operator bool() const { return a && b; }
};

FormPair form_pair(const ContactModel& model, PieceId piece_a, PieceId piece_b) {
  if (model.forms.empty()) return {};
  const FormPair found{model.forms[piece_a].get(), model.forms[piece_b].get()};
  if (!found || !(found.a->is_round || found.b->is_round)) return {};
  if (is_strict(model.pieces[piece_a]) || is_strict(model.pieces[piece_b])) return {};
  return found;
}

FormPair forms_of(const Workspace& w, const ContactPair& pair) {
  return form_pair(w.model->contact, pair.piece_a, pair.piece_b);
}

Contact solid_distance(const PairState& s, const SolidPair& solids) {
  DistanceCache warm = s.pair.warm;  // the answer must not depend on the order of questions
  Contact c = distance(solids.a->core, s.X_WA, solids.b->core, s.X_WB, &warm);
  const bool are_boxes = solids.a->core.kind == &core_box && solids.b->core.kind == &core_box;
  if (are_boxes || !has_separation(*solids.a, *solids.b)) return c;
  const double gap = separation(*solids.a, s.X_WA, *solids.b, s.X_WB);
  c.phi = gap > 0.0 ? std::max(gap, c.phi) : gap;
  return c;
}

/// That of a pair which touches in one point.
bool single_site(const Workspace& w, const ContactPair& pair, const PairState& s, RigidSite& site) {
  const TouchedPair touched = touched_pair(w.model->contact, pair.piece_a, pair.piece_b);
  return touched ? touch_site(s, touched.a, touched.b, site) : smooth_site(s, site);
}

}  // namespace

bool has_features(const Workspace& w, const ContactPair& pair) {
  return solids_of(w, pair) || forms_of(w, pair);
}

double margin_of_feature(const Workspace& w, const ContactPair& pair, const RigidSite& site) {
  const double size = rigid_size(w, pair);
  const FormPair forms = forms_of(w, pair);
  if (!forms) return feature_margin(site, size);
  const PairState s = pair_state(w, pair);
  return form_margin(FormSites(s, *forms.a, *forms.b), site, size);
}

bool has_rims(const Workspace& w, const ContactPair& pair) {
  return round_of(w, pair, pair_state(w, pair)) != nullptr;
}

RigidFeature feature_of_rim(const Workspace& w, const ContactPair& pair, RigidFeature beside,
                            double angle) {
  if (!forms_of(w, pair)) return rim_feature({rim_place(beside).disc, angle});
  FormFeature f = form_feature(beside);
  f.angle = angle, f.is_loose = false;
  return number_of(f);
}

RigidDisc disc_of_rim(const Workspace& w, const ContactPair& pair, RigidFeature feature) {
  const PairState s = pair_state(w, pair);
  RigidDisc disc;
  const Pose* X = nullptr;
  if (const FormPair forms = forms_of(w, pair)) {
    const FormFeature f = form_feature(feature);
    disc = (f.a_carries ? forms.b : forms.a)->curves[f.of].disc;
    X = f.a_carries ? &s.X_WB : &s.X_WA;
  } else {
    disc = round_of(w, pair, s)->discs[rim_place(feature).disc];
    X = is_half_space(s.PA) ? &s.X_WB : &s.X_WA;
  }
  return {*X * disc.centre, X->R * disc.axis, X->R * disc.e1,
          X->R * disc.e2,   disc.radius,      disc.is_whole};
}

double margin_of_rim(const Workspace& w, const ContactPair& pair, const RigidSite& site) {
  const PairState s = pair_state(w, pair);
  return rim_margin(s, *round_of(w, pair, s), site, rigid_size(w, pair));
}

double turn_of_rims(const Workspace& w, const ContactPair& pair) {
  const PairState s = pair_state(w, pair);
  if (const RigidRound* round = round_of(w, pair, s)) return rim_turn(s, *round);
  double fastest = 0.0;
  if (!forms_of(w, pair)) return fastest;
  for (const RigidPoint& p : w.modes.contacts.rigid.points) {
    if (!is_point_of(p, pair) || p.state == RigidState::open) continue;
    fastest = std::max(fastest, find_site(w, pair, p.feature, p.side).whirl);
  }
  return fastest;
}

void find_sites(const Workspace& w, const ContactPair& pair, std::vector<RigidSite>& out) {
  const PairState s = pair_state(w, pair);
  out.clear();
  if (const SolidPair solids = solids_of(w, pair)) {
    const double size = rigid_size(w, pair);
    if (!(solid_distance(s, solids).phi <= kNearFeature * size)) return;
    return find_features(s, *solids.a, *solids.b, size, out);
  }
  if (const FormPair forms = forms_of(w, pair)) {
    const double size = rigid_size(w, pair);
    if (!(form_distance(s, *forms.a, *forms.b).phi <= kNearFeature * size)) return;
    return find_form_sites(s, *forms.a, *forms.b, size, out);
  }
  if (const RigidRound* round = round_of(w, pair, s)) {
    return find_round_sites(s, *round, rigid_size(w, pair), out);
  }
  const std::size_t corners = corners_of(s);
  for (std::size_t k = 0; k < corners; ++k) out.push_back(corner_site(w, s, k));
  RigidSite site;
  if (corners == 0 && single_site(w, pair, s, site)) out.push_back(site);
}

RigidSite find_site(const Workspace& w, const ContactPair& pair, RigidFeature feature,
                    const Vec3& side) {
  const PairState s = pair_state(w, pair);
  if (const RigidRound* round = round_of(w, pair, s)) return round_site(s, *round, feature, side);
  if (const SolidPair solids = solids_of(w, pair)) {
    return feature_site(s, *solids.a, *solids.b, feature);
  }
  if (const FormPair forms = forms_of(w, pair)) {
    return FormSites(s, *forms.a, *forms.b).site(form_feature(feature), side);
  }
  if (feature < corners_of(s)) return corner_site(w, s, feature);
  RigidSite site;
  if (!single_site(w, pair, s, site)) site.phi = kInf;
  return site;
}

Contact nearest_site(const Workspace& w, const ContactPair& pair) {
  const PairState s = pair_state(w, pair);
  if (const SolidPair solids = solids_of(w, pair)) return solid_distance(s, solids);
  if (const FormPair forms = forms_of(w, pair)) return form_distance(s, *forms.a, *forms.b);
  const std::size_t corners = corners_of(s);
  const RigidRound* round = round_of(w, pair, s);
  if (corners == 0 && !round) {
    const TouchedPair touched = touched_pair(w.model->contact, pair.piece_a, pair.piece_b);
    return touched ? touch_distance(s, touched.a, touched.b) : find_contact(s);
  }
  RigidSite nearest;
  nearest.phi = kInf;
  const auto take = [&](const RigidSite& site) {
    if (site.phi < nearest.phi) nearest = site;
  };
  for (std::size_t k = 0; k < corners; ++k) take(corner_site(w, s, k));
  for (std::size_t k = 0; round && k < round->discs.size(); ++k) take(lowest_site(s, *round, k));
  Contact c;
  c.phi = nearest.phi, c.n_AB_W = nearest.n;
  c.p_WCa = nearest.p_a, c.p_WCb = nearest.p_b;
  c.k1_direction_W = nearest.t1;
  return c;
}

Vec3 relative_acceleration(const Workspace& w, const ContactPair& pair, const RigidSite& site) {
  const PairState s = pair_state(w, pair);
  const auto of = [&](const Collider& c, const LinkState& L) {
    if (c.link == 0) return Vec3{};
    const Vec3 r = site.p - L.p_WL;
    return L.A.v + cross(L.A.w, r) + cross(L.V.w, cross(L.V.w, r));
  };
  return of(s.B, s.LB) - of(s.A, s.LA) + site.bias;
}

double rigid_size(const Workspace& w, const ContactPair& pair) {
  const double size = smaller_reach(w.model->contact, pair);
  return std::isfinite(size) ? size : 1.0;
}

double rigid_resolution(const Workspace& w, const ContactPair& pair) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const ContactModel& model = w.model->contact;
  double scale = rigid_size(w, pair);
  for (const ColliderId c : {pair.a, pair.b}) {
    scale = std::max(scale, norm(w.tree.links[at(model.colliders[c].link)].p_WL));
  }
  return kEps * scale;
}

double unseen_overlap(const Workspace& w, const ContactPair& pair) {
  constexpr double kUnseen = 2e-12, kResolutions = 64.0;
  return std::max(kUnseen * rigid_size(w, pair), kResolutions * rigid_resolution(w, pair));
}

bool touch_is_known(const ContactModel& model, const Collider& a, const Collider& b) {
  if (model.rounds.empty()) return true;  // nobody locates events
  const ShapePiece &PA = model.pieces[a.first], &PB = model.pieces[b.first];
  const ContactFinder& finder = finder_of(PA, PB);
  if (finder.find_sites && &finder == &finder_smooth && finder.handles(PA, PB)) {
    return !PA.features && !PB.features;
  }
  if (a.convex_count > 1 || b.convex_count > 1) return false;
  const auto on_plane = [&](const ShapePiece& p, const ShapePiece& q, PieceId round) {
    return is_half_space(p) && q.finder == &finder_convex &&
           (is_strict(q) || corner_count(q.core) > 0 || model.rounds[round]);
  };
  if (on_plane(PA, PB, b.first) || on_plane(PB, PA, a.first)) return true;
  if (is_strict(PA) && is_strict(PB)) return true;
  if (model.solids[a.first] && model.solids[b.first]) return true;
  if (form_pair(model, a.first, b.first)) return true;
  return static_cast<bool>(touched_pair(model, a.first, b.first));
}

RigidObstacle find_rigid_obstacle(const Scene& scene, const ContactModel& model, const Collider& a,
                                  const Collider& b) {
  if (touch_is_known(model, a, b)) return {};
  const auto kind = [&](const Collider& c) {
    const ShapeSpec& shape = scene.bodies[at(c.body)].shapes[at(c.shape)];
    return std::string(shape.shape.kind->name);
  };
  const ContactFinder& finder = finder_of(model.pieces[a.first], model.pieces[b.first]);
  if (&finder == &finder_smooth) {
    return {"rigid contact of a " + kind(a) + " with a " + kind(b) +
                " is not known: how edges and corners roll over a smooth surface",
            "spheres, ellipsoids, superquadrics and smooth surfaces touch them rigidly; or take "
            "method: elastic for this pair (contact.pairs), time steps (run: {integrator: "
            "time_stepping, step: 0.001}), or exclude it"};
  }
  return {
      "rigid contact of a " + kind(a) + " with a " + kind(b) + " is not known",
      "balls and ellipsoids touch every convex body; capsules, boxes, convex polyhedra, cylinders, "
      "cones and beams touch each other and planes; every shape touches every other by time steps "
      " (run: {integrator: time_stepping, step: 0.001}); or take method: elastic for "
      "this pair (contact.pairs), or exclude it"};
}

/// Of all pieces that are hulls of discs. Edges that nobody has set are sharp.
std::vector<std::shared_ptr<const RigidRound>> make_rounds(const Scene& scene,
                                                           const ContactModel& model) {
  std::vector<std::shared_ptr<const RigidRound>> rounds(model.pieces.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const ShapePiece& piece = model.pieces[i];
    const Collider& c = model.colliders[piece.collider];
    if (piece.finder != &finder_convex || c.convex_count > 1) continue;
    Shape shape = scene.bodies[at(c.body)].shapes[at(c.shape)].shape;
    if (make_round(piece.core).discs.empty()) continue;
    if (shape.has_default_edges) shape.edge_radius = 0.0;
    rounds[i] = std::make_shared<const RigidRound>(make_round(shape.kind->core(shape)));
  }
  return rounds;
}

/// Of all pieces that have flat faces, edges and corners only.
std::vector<std::shared_ptr<const RigidSolid>> make_solids(const Scene& scene,
                                                           const ContactModel& model) {
  std::vector<std::shared_ptr<const RigidSolid>> solids(model.pieces.size());
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const ShapePiece& piece = model.pieces[i];
    if (piece.finder != &finder_convex || is_half_space(piece)) continue;
    const Collider& c = model.colliders[piece.collider];
    const Shape& shape = scene.bodies[at(c.body)].shapes[at(c.shape)].shape;
    RigidSolid solid = make_solid(piece.core, shape.has_default_edges);
    const std::size_t most =
        std::max({solid.vertices.size(), solid.faces.size(), solid.edges.size()});
    if (solid.empty() || most >= kMostFeatures) continue;
    solids[i] = std::make_shared<const RigidSolid>(std::move(solid));
  }
  return solids;
}

}  // namespace carom
