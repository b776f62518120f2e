#include "carom/engine/contact/triangles/patch_owners.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/base/param.h"

namespace carom {

const std::vector<int>& PatchOwners::find(const std::vector<triangles::PatchLoad>& patches,
                                          const Pose& X_WA, const std::vector<SiteHome>& sites) {
  if (is_known_ && sites == sites_) return owner_;
  is_known_ = true;
  sites_ = sites;
  owner_.assign(patches.size(), -1);
  wishes_.clear();
  for (const SiteHome& s : sites_) {
    wishes_.push_back({X_WA * s.home, kInf, 0});
    if (s.is_touching) wish(patches, wishes_.back());
  }
  assign(patches);
  return owner_;
}

void PatchOwners::assign(const std::vector<triangles::PatchLoad>& patches) {
  const auto nearer = [](const Wish& s, const Wish& t) { return s.distance2 < t.distance2; };
  for (std::size_t round = 0; round < patches.size(); ++round) {
    const auto next = std::ranges::min_element(wishes_, nearer);
    if (next == wishes_.end() || !(next->distance2 < kInf)) return;
    const std::size_t taken = next->patch;
    owner_[taken] = static_cast<int>(next - wishes_.begin());
    next->distance2 = kInf;
    for (Wish& s : wishes_) {
      if (s.distance2 < kInf && s.patch == taken) wish(patches, s);
    }
  }
}

void PatchOwners::wish(const std::vector<triangles::PatchLoad>& patches, Wish& site) const {
  site.distance2 = kInf;
  for (std::size_t j = 0; j < patches.size(); ++j) {
    if (owner_[j] >= 0) continue;
    const double d = norm2(patches[j].centre - site.home);
    if (d < site.distance2) site.distance2 = d, site.patch = j;
  }
}

}  // namespace carom
