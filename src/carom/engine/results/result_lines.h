// Contacts as lines of a result: those that last, and every pair that touched.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carom/engine/contact/contact_reading.h"
#include "carom/engine/contact/load_track.h"
#include "carom/engine/workspace.h"

namespace carom {

/// One line of the list of contacts.
struct ContactLine {
  std::string first, second;
  ContactReading reading;
  std::string state;                         ///< sticking, sliding or released
  std::vector<SurfacePoints::Point> points;  ///< of connected surfaces
};
/// At the state last evaluated.
std::vector<ContactLine> list_contacts(const Workspace& w);

/// All contacts of two shapes so far, those that last at (t, x) included.
struct PairLine {
  std::string first, second;
  std::uint64_t count = 0;
  double duration = 0.0, impulse = 0.0;  ///< [s], [N.s]
  LoadTrack track;
  double energy_lost = 0.0;  ///< [J]
};
std::vector<PairLine> list_pairs(const Workspace& w, double t, std::span<const double> x);

/// Steps in which the guard held a force back, of all contacts.
std::int64_t count_held_steps(const Workspace& w, double t, std::span<const double> x);

/// Every name that a line can carry.
std::vector<std::string> line_names(const Model& model);

/// An impact that has begun.
struct Impact {
  std::string first, second;
  double speed = 0.0, restitution = 0.0;
  double depth = 0.0;  ///< to expect; a law of Hertz takes 2.94 times depth over speed [m]
};
/// Those that began at the instant t and were not put down.
std::vector<Impact> list_impacts(const Workspace& w, double t);

/// Poses of two triangle surfaces for which patches were found.
std::int64_t count_detections(const Workspace& w);

}  // namespace carom
