// The state of one compilation, shared by the files compile_*.cpp.
#pragma once

#include <map>
#include <set>
#include <unordered_set>

#include "carom/engine/model.h"

namespace carom {

class Compiler {
 public:
  Compiler(const Scene& scene, Diagnostics& diagnostics);
  std::shared_ptr<const Model> run();

 private:
  void check_scene();

  // compile_tree.cpp: bodies, joints, loops, couplings, markers
  void compile_tree();
  void order_bodies();
  void note_missing_materials();
  void check_smooth_pairs();
  void note_hollow_pairs();
  void note_surfaces();
  void add_body(int body, const JointSpec* joint);
  void place_fixed(int body);
  void compile_loops();
  void compile_couplings();
  void compile_markers();
  Pose body_in_link(const std::string& name, LinkId& link);
  bool resolve_coordinate(const std::string& joint, int dof, const SourcePos& where, int& q,
                          int& v);

  // compile_elements.cpp: what acts along joints and between bodies
  void compile_dofs();
  void add_drive(const DriveSpec& spec, DofElement& element);
  void compile_forces();
  void compile_states();
  void compile_events();
  void lay_out_ledger();
  void find_islands();

  // compile_contact.cpp
  void compile_contact();
  void add_colliders();
  void add_pieces();
  void add_flat_face(ColliderId collider);
  void add_piece(ColliderId collider, const ShapePiece& piece, const Core& core);
  // compile_triangles.cpp
  void add_surface_piece(ColliderId collider);
  ShapePiece make_surface(ColliderId collider);
  void check_triangle_laws();
  void note_approximations();
  bool uses_triangles(int law_class) const;
  void check_sheets();
  bool uses_pieces(int law_class) const;
  void exclude_neighbours();
  void resolve_laws();
  int part_of_method(std::string_view method);
  void choose_watched_pairs();
  void check_start_overlaps();
  bool has_moving(int law_class) const;
  void lay_out_slots();

  // contact/area/compile_area.cpp
  void add_area_pieces(ColliderId collider);
  void check_area_meshes();
  void check_areas();
  void note_blocky_points();
  bool uses_areas(int law_class) const;

  // contact/rigid/compile_rigid.cpp
  void check_rigid();
  void note_unused_drilling();
  void check_rigid_shapes();
  void note_rigid_choices();
  void note_located_choices();

  // compile_surfaces.cpp
  void compile_surfaces();
  ColliderId add_surface(int index);
  void add_connected_pair(const SurfaceContactSpec& spec, ColliderId first, ColliderId second);
  void note_surface_overlaps(const class Workspace& w);

  // compile_initial.cpp
  void compile_initial();
  void report_immovable(Workspace& w, std::span<const double> q);
  void assemble(std::span<double> q, std::span<double> v);
  void find_generic_ranks(std::span<const double> q);

  // compile_signals.cpp
  int add_signal(const SignalSpec& spec, const std::string& name = {});
  void compile_signals();
  /// The names that it reads.
  std::vector<std::string> check_formula(const SignalSpec& spec, const std::string& what,
                                         bool with_deflection);
  void warn_of_kinks(const SignalSpec& motion);
  void need_measure(const std::string& name, const SourcePos& where, const std::string& what);
  bool resolve_measure(const std::string& name, Measure& measure) const;
  std::vector<std::string> measurable_names() const;
  void order_signals();

  std::shared_ptr<Model> model_;
  const Scene& scene_;  ///< the model's own, with a place for every part
  Diagnostics& diagnostics_;
  std::vector<int> body_order_;  ///< parents first
  std::map<std::string, int> body_index_;
  std::map<std::string, int> joint_index_;  ///< into Model::joints
  std::map<std::string, int> signal_index_;
  std::unordered_set<std::string> known_names_;  ///< that formulas may read: t, values, measures
  std::map<std::string, int> state_index_;       ///< into z
  std::map<std::string, const JointSpec*> joint_of_child_;
  std::map<std::string, std::set<std::string>> assigned_;  ///< joints whose parameters events set
};

}  // namespace carom
