// The parts of the scene reader; one file each.
#pragma once

#include "carom/scene/read/map_reader.h"
#include "carom/scene/scene.h"

namespace carom {

void read_gravity(Reader& reader, Scene& scene);
void read_materials(Reader& reader, Scene& scene);
void read_bodies(Reader& reader, Scene& scene);
void read_shapes(MapReader& body, BodySpec& spec);
/// Joints of `joints` and of bodies; after read_bodies, whose markers they use.
void read_joints(Reader& reader, Scene& scene);
void read_couplings(Reader& reader, Scene& scene);
void read_forces(Reader& reader, Scene& scene);
void read_contact(Reader& reader, Scene& scene);
/// Surfaces and their contacts; after read_bodies.
void read_surfaces(Reader& reader, Scene& scene);
void read_signals(Reader& reader, Scene& scene);
void read_states(Reader& reader, Scene& scene);
void read_events(Reader& reader, Scene& scene);
void read_controls(Reader& reader, Scene& scene);
void read_initial(Reader& reader, Scene& scene);
void read_run(Reader& reader, Scene& scene);

/// The law of two surfaces that follows from materials and geometry.
inline constexpr const char* kAutoLaw = "auto";
/// What may be said of a contact at any level.
ContactChoice read_choice(MapReader& map);
/// Two names.
std::optional<std::pair<std::string, std::string>> read_name_pair(Reader& reader, const Node& node,
                                                                  const std::string& path);

/// What acts along the coordinates of a joint; empty if nothing does.
std::vector<DofSpec> read_dofs(MapReader& joint, std::size_t count);

/// Variables that a formula may use besides t, values, signals and channels.
enum class FormulaScope {
  channels,    ///< none
  deflection,  ///< x and v: laws of force elements
};

SignalSpec read_signal(Reader& reader, const Node& node, const std::string& path,
                       FormulaScope scope = FormulaScope::channels);
/// The text of a formula if it is one; reports otherwise.
std::string read_formula(Reader& reader, const Node& node, const std::string& path,
                         FormulaScope scope = FormulaScope::channels);

/// The material's name if there is such a material; reports otherwise.
std::string read_material_name(MapReader& map);

/// "body" or "body.marker": the body, and the pose of the marker in it.
AttachmentSpec read_body_reference(Reader& reader, const Scene& scene, const Node& node,
                                   const std::string& path);
/// The same, or a map with `at` and `rotation` beside.
AttachmentSpec read_attachment(Reader& reader, const Scene& scene, const Node& node,
                               const std::string& path);

}  // namespace carom
