// Which patch belongs to which site of two pieces.
//
// A patch and a site that are nearest to each other belong together, nearest first. Every site
// keeps the nearest patch that is free, so that a patch that is taken is looked for again only by
// those that wanted it: patches times sites, where all comparisons anew would be their square. What
// was found holds for as long as the patches are the same and the sites are where they were.
#pragma once

#include <vector>

#include "carom/proximity/triangles/patch_load.h"

namespace carom {

struct SiteHome {
  bool is_touching = false;  ///< others have no patch
  Vec3 home;                 ///< where its patch was, in A's frame [m]
  bool operator==(const SiteHome&) const = default;
};

class PatchOwners {
 public:
  /// There are other patches, or they are elsewhere.
  void forget() { is_known_ = false; }

  /// Of a patch: the place of its site in `sites`; -1: it is left over.
  const std::vector<int>& find(const std::vector<triangles::PatchLoad>& patches, const Pose& X_WA,
                               const std::vector<SiteHome>& sites);

 private:
  struct Wish {
    Vec3 home;               ///< in the world [m]
    double distance2 = 0.0;  ///< infinite: it has one, or there is none for it [m²]
    std::size_t patch = 0;
  };

  void assign(const std::vector<triangles::PatchLoad>& patches);
  void wish(const std::vector<triangles::PatchLoad>& patches, Wish& site) const;

  bool is_known_ = false;
  std::vector<SiteHome> sites_;
  std::vector<Wish> wishes_;
  std::vector<int> owner_;
};

}  // namespace carom
