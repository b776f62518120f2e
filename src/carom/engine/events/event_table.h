// The one table of what a run reports as events: kinds with what their value means, and columns.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace carom {

inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// One line of the event table.
struct EngineEvent {
  double time = 0.0;
  std::string kind;      ///< a row of event_kinds()
  std::string subject;   ///< the joint, event or first body concerned
  double value = 0.0;    ///< what the row of its kind says
  std::string other{};   ///< second body of a contact
  double impulse = 0.0;  ///< of the normal force, at the end of a contact [N.s]
  // At the end of a contact; not a number elsewhere.
  double peak_force = kNotANumber;   ///< largest normal force [N]
  double peak_depth = kNotANumber;   ///< [m]
  double duration = kNotANumber;     ///< [s]
  double slip = kNotANumber;         ///< way slid [m]
  double energy_lost = kNotANumber;  ///< to normal and friction laws [J]
  // Of an impact of rigid bodies; not a number elsewhere.
  double separation = kNotANumber;     ///< speed of it afterwards [m/s]
  double lost_normal = kNotANumber;    ///< the parts of energy_lost [J]
  double lost_friction = kNotANumber;  ///< [J]
  double share = kNotANumber;          ///< of restitution that energy allowed
  double points = kNotANumber;         ///< that took part, of all pairs
};

struct EventKind {
  const char* name;
  const char* doc;
  const char* value;            ///< what EngineEvent::value means
  const char* unit;             ///< of it; "N or N.m" by the joint
  const char* alias = nullptr;  ///< a second name of the value in summaries
};
std::span<const EventKind> event_kinds();
/// Null if there is none of this name.
const EventKind* find_event_kind(std::string_view name);

/// What is told of a contact that has ended, beyond the value.
struct EndColumn {
  const char* name;
  const char* unit;
  double EngineEvent::*value;
};
std::span<const EndColumn> contact_end_columns();
/// What is told of an impact besides `impulse` and `energy_lost`.
std::span<const EndColumn> impact_columns();
/// Whether these are known: the event is an impact.
bool has_impact_columns(const EngineEvent& event);
/// Whether these are known: the event is the end of a contact.
bool has_end_columns(const EngineEvent& event);

}  // namespace carom
