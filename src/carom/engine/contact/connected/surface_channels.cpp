#include "carom/engine/contact/connected/surface_channels.h"

#include <limits>

#include "carom/base/contact_name.h"
#include "carom/base/index.h"
#include "carom/engine/events/contact_events.h"

namespace carom {
namespace {

using What = OutputChannel::What;

/// Points that channels are kept for; two outlines that cut all corners off each other have
/// as many.
int point_count(ContactArea area) {
  return area == ContactArea::plane ? 8 : area == ContactArea::line ? 2 : 1;
}

void put(std::span<double> out, const Vec3& v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

}  // namespace

std::string watched_name(const Model& model, const WatchedPair& pair) {
  if (pair.own < 0) {
    return contact_name(model.bodies[at(pair.body_a)].name, model.bodies[at(pair.body_b)].name);
  }
  const ConnectedPair& c = model.contact.connected.pairs[at(pair.own)];
  return contact_name(collider_name(model, c.a), collider_name(model, c.b));
}

std::vector<OutputChannel> surface_channels(const Model& model, const WatchedPair& pair,
                                            const std::string& name) {
  std::vector<OutputChannel> out;
  if (pair.own < 0) return out;
  const ContactArea area = model.contact.connected.pairs[at(pair.own)].area;
  const auto add = [&](What what, const std::string& tail, const char* unit, const char* doc,
                       int width, int component) {
    std::vector<std::string> axes;
    if (width == 3) axes = {"x", "y", "z"};
    out.push_back({what, pair.own, component, width, name + tail, "contacts", unit, doc, axes});
  };
  add(What::surface_points, ".points", "-", "number of contact points", 1, 0);
  if (area == ContactArea::plane) add(What::surface_area, ".area", "m2", "of the contact", 1, 0);
  if (area == ContactArea::line) add(What::surface_length, ".length", "m", "of the contact", 1, 0);
  for (int i = 0; i < point_count(area); ++i) {
    const std::string point = "." + std::to_string(i + 1);
    add(What::surface_point, point + ".point", "m",
        "contact point; not a number where there is none", 3, i);
    add(What::surface_point_force, point + ".force", "N", "on the second surface there", 3, i);
    add(What::surface_point_gap, point + ".phi", "m", "signed distance there", 1, i);
  }
  return out;
}

void put_surface_channel(const Workspace& w, const OutputChannel& c, std::span<double> out) {
  const SurfacePoints& found = w.contacts.surface_points[at(c.index)];
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const bool there = at(c.component) < found.count;
  const SurfacePoints::Point& p = found.points[at(c.component)];
  switch (c.what) {
    case What::surface_points: out[0] = static_cast<double>(found.count); return;
    case What::surface_area: out[0] = found.area; return;
    case What::surface_length: out[0] = found.length; return;
    case What::surface_point_force: return put(out, there ? p.force : Vec3{});
    case What::surface_point_gap: out[0] = there ? p.phi : kNone; return;
    default: return put(out, there ? p.position : Vec3{kNone, kNone, kNone});
  }
}

}  // namespace carom
