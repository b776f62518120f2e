// What a scene says about contact, as plain values.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/contact/pair_material.h"

namespace carom {

struct NormalLaw;
struct FrictionLaw;

/// Laws of contacts of which a scene says nothing.
inline constexpr const char* kDefaultNormalLaw = "exact";
inline constexpr const char* kDefaultFrictionLaw = "coulomb";
inline constexpr const char* kDefaultResistanceLaw = "modia3d";

/// A row of a catalogue of laws and what was said about its fields.
struct LawSpec {
  std::string kind;
  std::vector<double> params;  ///< after the row's fields; NaN: not given
  std::string formula;         ///< kind "formula": its text (contact/law_formula.h)
  /// From C++: a row of the user's own in place of one of the catalogue; `kind` is its name.
  const NormalLaw* normal = nullptr;
  const FrictionLaw* friction = nullptr;
  SourcePos where;
};

/// Force and torque from the whole area of contact, in place of points.
struct AreaSpec {
  bool enabled = true;
  double layer = -1.0;     ///< thickness of the elastic layer of each body [m]; negative: auto
  double accuracy = 1e-3;  ///< of the integrals over the area [-]
};

/// How overlaps of triangle surfaces press.
struct TrianglesSpec {
  std::string depth = "mean";    ///< or "memory": integrated for every pair of triangles
  std::string normals = "both";  ///< of "memory": whose triangles press; or "first", "second"
  std::string detection = "evaluation";  ///< when overlaps are found; or "step"
};

/// What may be said for all contacts, for a pair of materials or for a pair of bodies; what
/// is empty is taken from the next wider one, at last from the material palette.
struct ContactChoice {
  std::optional<std::string> method;       ///< a row of contact/methods
  std::optional<AreaSpec> area;            ///< of the method `elastic`
  std::optional<TrianglesSpec> triangles;  ///< of the method `triangles`
  std::optional<LawSpec> normal, friction, resistance;
  std::optional<Restitution> restitution;
  std::optional<double> youngs_modulus,
      poissons_ratio;  ///< of both surfaces, instead of the solids'
  std::optional<double> mu_k, mu_s, mu_r, v_small, w_small;
  std::optional<double> spin_radius;      ///< of the method `rigid` [m]
  std::optional<double> k_red;            ///< elastic reduction factor, times E* [-]
  std::optional<double> restitution_min;  ///< [-]
  std::optional<double> damping_max;      ///< [s/m]
};

struct ContactPairSpec {
  std::string first, second;  ///< bodies, "body.shape", groups, or materials
  bool enabled = true;
  ContactChoice choice;
  SourcePos where;
};

/// A named set of bodies.
struct ContactGroup {
  std::string name;
  std::vector<std::string> bodies;
  SourcePos where;
};

inline constexpr const char* kPaperLanding = "paper";

/// Of rigid contacts, once per scene.
struct RigidSpec {
  std::string law = "newton";               ///< of impacts
  std::string resolution = "simultaneous";  ///< or "sequential": one pair after the other
  /// Bounces that would be lower land, over the size of the smaller body [-]; negative: as low as
  /// is sensible
  double landing_height = -1.0;
  std::string landing_rule = "limit";  ///< or "paper": bodies stop where they are so low
  std::string paradox = "stop";        ///< or "impact": one without collision
  double slip_regularisation = 0.0;    ///< slip below which friction grows with it [m/s]; 0: exact
};

struct ContactSpec {
  bool enabled = true;
  ContactChoice all;
  std::vector<ContactPairSpec> material_pairs;  ///< between materials
  std::vector<ContactPairSpec> pairs;  ///< between bodies or groups; the last that fits wins
  std::vector<ContactGroup> groups;
  bool neighbours = false;      ///< bodies joined by a joint may touch each other
  double deepest_start = 0.05;  ///< start overlap that is refused, over the smaller body's size [-]
  /// Of round shapes per full turn, where shapes touch as triangles.
  long segments = 48;
  std::vector<std::pair<std::string, std::string>>
      watch;  ///< pairs of bodies with channels of their own
  RigidSpec rigid;
  SourcePos where;
};

}  // namespace carom
