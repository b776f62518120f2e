#include "carom/engine/put_state.h"

#include <algorithm>

#include "carom/engine/contact/contact_output.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/events/contact_life.h"
#include "carom/engine/part_states.h"

namespace carom {
namespace {

std::vector<std::uint8_t> find_moved(std::span<const LinkState> before,
                                     std::span<const LinkState> after) {
  std::vector<std::uint8_t> moved(before.size(), 0);
  for (std::size_t i = 1; i < moved.size(); ++i) {
    moved[i] =
        !(before[i].p_WL == after[i].p_WL && std::ranges::equal(before[i].R_WL.m, after[i].R_WL.m));
  }
  return moved;
}

}  // namespace

Status put_state(Workspace& w, double& t, std::vector<double>& x, double t_new,
                 std::span<const double> x_new, std::span<const LinkState> placed,
                 EventOutcome& outcome) {
  const std::vector<double> before = x;
  const auto unbooked = [&] {  // of what contacts store: model work, if it were left
    return w.ledger.modelled - contact_totals(w, x).stored;
  };
  const double unbooked_before = unbooked();
  end_contacts_of(w, t, x, find_moved(w.tree.links, placed), outcome);
  std::ranges::copy(x_new, x.begin());
  t = t_new;
  renew_modes(w, t, x, before);
  x.resize(state_size(w), 0.0);
  const Status status = evaluate(w, t, x);
  if (status == Status::ok) w.modes.contacts.ended.stored += unbooked() - unbooked_before;
  return status;
}

std::string find_burst(const Workspace& w, const std::string& where) {
  const std::vector<DeepOverlap> overlaps = find_deep_overlaps(w);
  return overlaps.empty() ? std::string() : overlap_text(*w.model, overlaps.front(), where);
}

}  // namespace carom
