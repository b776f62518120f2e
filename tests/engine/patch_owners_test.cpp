// Which patch belongs to which site, against all comparisons made anew in every round.
#include "carom/engine/contact/triangles/patch_owners.h"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

using triangles::PatchLoad;

std::vector<int> by_rounds(const std::vector<PatchLoad>& patches, const Pose& X_WA,
                           const std::vector<SiteHome>& sites) {
  std::vector<int> owner(patches.size(), -1);
  std::vector<bool> has(sites.size(), false);
  for (;;) {
    double nearest = kInf;
    std::size_t patch = 0, site = 0;
    for (std::size_t k = 0; k < sites.size(); ++k) {
      if (!sites[k].is_touching || has[k]) continue;
      for (std::size_t j = 0; j < patches.size(); ++j) {
        const double d = norm2(patches[j].centre - X_WA * sites[k].home);
        if (owner[j] < 0 && d < nearest) nearest = d, patch = j, site = k;
      }
    }
    if (!(nearest < kInf)) return owner;
    owner[patch] = static_cast<int>(site), has[site] = true;
  }
}

// On a coarse grid many are equally far.
TEST(PatchOwners, AreThoseOfAllComparisonsInRounds) {
  std::mt19937_64 gen(3);
  std::uniform_int_distribution<int> count(0, 12), place(0, 4), coin(0, 3);
  const auto point = [&] { return Vec3{1.0 * place(gen), 1.0 * place(gen), 0.5 * place(gen)}; };
  PatchOwners owners;
  for (int i = 0; i < 500; ++i) {
    const Pose X_WA = Pose::translation(point());
    std::vector<PatchLoad> patches(static_cast<std::size_t>(count(gen)));
    std::vector<SiteHome> sites(static_cast<std::size_t>(count(gen)));
    for (PatchLoad& p : patches) p.centre = point();
    for (SiteHome& s : sites) s = {coin(gen) > 0, point()};
    owners.forget();
    EXPECT_EQ(owners.find(patches, X_WA, sites), by_rounds(patches, X_WA, sites)) << i;
    // Sites that move are seen, whether or not the patches do.
    for (SiteHome& s : sites) s.home += Vec3{0.0, 1.0 * place(gen), 0.0};
    EXPECT_EQ(owners.find(patches, X_WA, sites), by_rounds(patches, X_WA, sites)) << i;
  }
}

}  // namespace
}  // namespace carom
