// Which patch belongs to which site.
//
// Two surfaces touch in any number of patches, each a site that knows where its patch was at the
// last accepted step (ContactPair::home), by which patches are told apart (patch_owners.h). A patch
// that is left over is new, or has split off another; a site that is left over has lost its patch,
// which parted or merged with another. The first site that is apart watches for patches that are
// left over.
//
// A patch at the rim of a sheet goes around no volume. Where its curve is closed it has the volume
// that it had at the last accepted step, less S.dx for the motion dx of B since; where the curve
// ends at the rim it has the depth that it had, less n.dx: as a body slides over the rim its area
// comes and goes, and what has gone is no volume of the rest.
//
// All of it is a function of where the bodies are and of what accepted steps left, so trial steps
// leave no trace. What is found is kept for as long as the bodies are there: an evaluation asks for
// the same patches several times.
#pragma once

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/triangles/patch_owners.h"
#include "carom/proximity/finder.h"
#include "carom/proximity/triangles/patch_segments.h"

namespace carom {

struct LiveElement;

/// What was found of two pieces where a step began (PairLaw::detects_per_step).
struct KeptPatches {
  bool is_held = false;
  Pose X_WA, X_WB;
  triangles::SurfaceState state;
  triangles::PatchSegments segments;
};

/// Two pieces, and what was last found of them.
struct TrianglePieces {
  std::uint32_t piece_a = 0, piece_b = 0;
  bool is_current = false;
  bool is_carried = false;  ///< what is current was not found there, but moved there
  KeptPatches kept;
  Pose X_WA, X_WB;
  triangles::SurfaceState state;
  triangles::PatchSegments segments;  ///< where every pair of triangles presses (elements.h)
  triangles::NearPairs near;
  std::vector<std::size_t> sites;  ///< into ContactMemory::pairs
  PatchOwners owners;              ///< of the patches of `state`, among `sites`
};

struct TriangleScratch {
  std::vector<TrianglePieces> pieces;  ///< ascending
  std::size_t pair_count = 0;          ///< for which `sites` were listed
  std::int64_t detections = 0;         ///< poses of two pieces for which patches were found
  triangles::Intersection intersection;
  triangles::SurfaceState probe;
  triangles::PatchLoad at_rim;       ///< the last that was found by memory
  std::vector<SiteHome> site_homes;  ///< of the pieces that are asked last
  std::vector<Vec3> homes;           ///< that are to be remembered,
  std::vector<double> volumes;       ///< with these, < 0: nothing is,
  std::vector<double> depths;        ///< and these
  double step = 0.0;                 ///< of implicit steps [s]
  std::vector<LiveElement> live;     ///< of the patch that is asked last,
  std::vector<NormalOutput> pressed;
  std::vector<TriangleElement> noted;
  /// Of the workspace beside this one: what it has found where the bodies are need not be found
  /// twice. Only read; that a function of poses is asked for here or there changes no bit.
  std::weak_ptr<const TriangleScratch> beside;
};

/// What one of the two has found serves the other, where their bodies are in the same places.
void share_patches(const Workspace& w, const Workspace& observer);

/// A step ends: what was kept through it is found anew. Nothing where nothing was kept.
void release_patches(Workspace& w);

/// Lists the sites of the present pairs.
void list_triangle_sites(Workspace& w);

/// The patches of the two pieces of a pair, at the kinematics last evaluated.
const TrianglePieces& find_pieces(const Workspace& w, const ContactPair& pair);
/// The patch of a site; of one that is apart, the deepest that is left over, if it is the first
/// that is apart. Null: none.
const triangles::PatchLoad* find_patch(const Workspace& w, const ContactPair& pair);
/// What is kept of the two pieces of a pair, and of where they were last.
TrianglePieces& known_pieces(TriangleScratch& scratch, const ContactPair& pair);
/// The site of the patch nearest to a point of the world; null: none.
ContactPair* find_owner(Workspace& w, const ContactPair& pair, const Vec3& p_W);

/// Force over pressed circumference: (E*/4) L_r [Pa].
double pressure_factor(const PairLaw& law);

/// Distances are not asked for beyond this [m].
double watched_gap(const Workspace& w, const ContactPair& pair);

}  // namespace carom
