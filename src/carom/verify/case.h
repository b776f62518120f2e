// A verification case: a scene, what must come out of it, and who says so.
//
// A case is a text of two YAML documents. The first states the expectations, the second is
// the scene as `carom run` would read it:
//
//   title: Two glass spheres meet
//   source: Hertz 1882; closed form
//   covers: {normal: [hertz], shapes: [sphere]}
//   group: rigid                                   cases that `--group` runs together; may be left
//   out documents: [moisio]                            of those that Carom is founded on
//   (docs/sources.md) values: {d: "(5*m*v^2/(4*K))^0.4"}             formulas; those of the scene
//   are known too read:
//     force: {peak: fn}                            numbers taken from what was recorded
//   check:
//     - {what: greatest force, computed: force, expected: "K*d^1.5", tolerance: 1e-6, relative:
//     true}
//   ---
//   carom: 1
//   …
//
// docs/verification.md lists the ways to read a number (quantity.h).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/scene/read/document.h"

namespace carom::verify {

/// The same scene with some places overridden, as by `--set`.
struct Variant {
  std::string name;
  std::vector<std::string> overrides;
  double resumed_at = -1.0;  ///< [s]; not negative: stopped there, restored from its checkpoint
};

struct NamedText {
  std::string name, text;
};

/// A number to be taken from a run. Texts are formulas; empty where not given.
struct Quantity {
  std::string name;
  std::string how;   ///< "last", "peak", "event", …
  std::string what;  ///< formula in recorded columns, kind of event, body, …
  std::string run;   ///< name of a variant; empty: the first
  std::string at, from, until;
  std::string subject;        ///< of events: the pair "a, b", joint or user's event
  std::string take = "time";  ///< of events: time, value or impulse
  int number = 1;             ///< of events and crossings; negative: from the last
  SourcePos where;
};

struct Check {
  std::string what;
  std::string computed, expected;  ///< formulas
  double tolerance = 0.0;
  bool relative = false;
  SourcePos where;
};

struct Case {
  std::string name, title, source, group;
  std::vector<std::string> documents;
  std::map<std::string, std::vector<std::string>> covers;  ///< catalogue -> rows
  std::vector<NamedText> values, columns;
  std::vector<Variant> runs;  ///< at least one
  std::vector<Quantity> quantities;
  std::vector<Check> checks;
  std::vector<std::string> plots;  ///< columns or aliases
  /// Bodies whose first shape, in the scene an ellipsoid of half axes 0.3, 0.2 and 0.1 m, is
  /// given by the support function of that ellipsoid instead: shapes from C++ have no YAML.
  std::vector<std::string> custom;
  std::string scene;
};

/// The documents that Carom is founded on, as cases name them.
inline constexpr const char* kDocuments[] = {"otter", "modia3d", "moisio", "oestersoetebier",
                                             "kossenko"};

/// Reads the text of a case; throws InputError.
Case read_case(const std::string& name, std::string_view text);

/// The texts that the library carries, by name in ascending order.
struct CarriedCase {
  const char* name;
  const char* text;
};
std::span<const CarriedCase> carried_cases();
/// The mesh files that their scenes name.
const std::vector<CarriedFile>& carried_meshes();

}  // namespace carom::verify
