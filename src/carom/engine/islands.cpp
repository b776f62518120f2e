#include "carom/engine/islands.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/workspace.h"

namespace carom {

bool Islands::joins(int a, int b) const {
  return of_link[at(a)] >= 0 && of_link[at(a)] == of_link[at(b)];
}

Islands find_islands(const Model& model, std::span<const LinkPair> joined) {
  std::vector<int> lowest = model.island;  // of the island that a link belongs to
  const auto root = [&](int i) {
    while (lowest[at(i)] != i) i = lowest[at(i)] = lowest[at(lowest[at(i)])];
    return i;
  };
  for (const LinkPair& pair : joined) {
    if (pair.a == 0 || pair.b == 0) continue;
    const int a = root(pair.a), b = root(pair.b);
    lowest[at(std::max(a, b))] = std::min(a, b);
  }
  Islands islands;
  islands.of_link.assign(lowest.size(), -1);
  for (int i = 1; i < static_cast<int>(lowest.size()); ++i) {
    int& own = islands.of_link[at(i)];
    const int first = root(i);
    own = first == i ? static_cast<int>(islands.links.size()) : islands.of_link[at(first)];
    if (first == i) islands.links.emplace_back();
    islands.links[at(own)].push_back(i);
  }
  return islands;
}

const Islands& current_islands(Workspace& w) {
  ContactData& contacts = w.contacts;
  if (contacts.islands_are_current) return contacts.islands;
  const ContactModel& model = w.model->contact;
  std::vector<LinkPair> joined;
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (pair.mode == ContactMode::apart) continue;
    joined.push_back({model.colliders[pair.a].link, model.colliders[pair.b].link});
  }
  contacts.islands = find_islands(*w.model, joined);
  contacts.islands_are_current = true;
  return contacts.islands;
}

}  // namespace carom
