// What all parts of the scene reader share: the document, the values, the names,
// and the conversion of nodes to numbers, vectors and words.
//
// A conversion that fails has reported why; its caller goes on with a harmless
// stand-in, so that one pass finds every error of a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "carom/math/pose.h"
#include "carom/scene/fields.h"
#include "carom/scene/read/document.h"
#include "carom/scene/scene.h"
#include "carom/scene/values.h"

namespace carom {

/// More findings than anybody reads at once; bounds memory on hostile input.
inline constexpr int kMaxFindings = 500;

/// Names that the scene gives, known before its parts are read.
struct SceneNames {
  std::vector<std::string> bodies, joints, couplings, forces, signals, states, materials;

  bool has_body(std::string_view name) const;
  bool has_joint(std::string_view name) const;
};

/// off, false or no, in quotes or not: programs write scenes with their texts in quotes.
bool says_off(const Node& node);

class Reader {
 public:
  Reader(const Document& document, Diagnostics& diagnostics);

  const Document& document;
  Diagnostics& out;
  Values values;
  std::vector<std::string> files;  ///< meshes that were read
  SceneNames names;

  std::unordered_map<std::string, std::size_t> body_index;  ///< of the bodies read so far

  const BodySpec* find_body(const Scene& scene, const std::string& name) const;
  SourcePos at(const Mark& mark) const { return document.position(mark); }
  void error(const Mark& where, const std::string& message, const std::string& remedy = {});
  void warning(const Mark& where, const std::string& message, const std::string& remedy = {});
  /// "<path> is <node>: <what is wrong with the formula>", with the line and a caret.
  void formula_error(const Node& node, const std::string& path, const FormulaError& error,
                     const std::string& remedy = {});
  /// Whether the text is a formula but for its '='. What is wrong with it is told then.
  bool lacks_sign_of_formula(const Node& node, const std::string& path);
  /// "<path> is <node>, it must be <what>".
  void wrong(const Node& node, const std::string& path, const std::string& what,
             const std::string& remedy = {});

  std::optional<double> number(const Node& node, const Field& field, const std::string& path);
  std::optional<long> integer(const Node& node, const Field& field, const std::string& path);
  std::optional<bool> boolean(const Node& node, const std::string& path);
  std::optional<std::string> text(const Node& node, const std::string& path);
  std::optional<std::string> word(const Node& node, const Field& field, const std::string& path);
  /// Exactly `count` numbers (any number of them if 0).
  std::optional<std::vector<double>> numbers(const Node& node, const Field& field,
                                             std::size_t count, const std::string& path);
  std::optional<Vec3> vector3(const Node& node, const Field& field, const std::string& path);
  std::optional<Mat3> rotation(const Node& node, const Field& field, const std::string& path);
  std::optional<Quat> quaternion(const Node& node, const Field& field, const std::string& path);
  std::optional<Vec3> axis(const Node& node, const Field& field, const std::string& path);
  std::vector<std::string> texts(const Node& node, const std::string& path);

 private:
  std::optional<double> finite(const Node& node, const Field& field, const std::string& path);
  void collect_names();
};

/// The quaternion made a unit one; exact ones stay as they are, to the last bit.
/// False if it is zero.
bool normalize(Quat& q);

}  // namespace carom
