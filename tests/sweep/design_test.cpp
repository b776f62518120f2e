// Points of the designs: ranges, strata, trajectories, blocks, growth.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sweep/studies.h"

namespace carom::sweep {
namespace {

std::vector<std::vector<double>> points_of(const Study& study) {
  Diagnostics findings;
  const Design design(study, findings);
  EXPECT_EQ(findings.error_count(), 0);
  std::vector<std::vector<double>> points(design.size(), std::vector<double>(design.width()));
  for (std::size_t i = 0; i < points.size(); ++i) design.point(i, points[i]);
  return points;
}

Study study_of(DesignSpec::Kind kind, std::uint64_t count, std::size_t factors) {
  Study study;
  for (std::size_t f = 0; f < factors; ++f) {
    study.factors.push_back({"values.x" + std::to_string(f), {}, {}});
    study.factors.back().distribution.a = 0.0;
    study.factors.back().distribution.b = 1.0;
  }
  study.design.kind = kind;
  study.design.count = count;
  study.design.seed = 7;
  return study;
}

TEST(NormalQuantile, IsTheInverseOfTheErrorFunction) {
  for (double p = 1e-12; p < 1.0; p = p < 1e-3 ? p * 7.0 : p + 0.00371) {
    const double x = normal_quantile(p);
    // The distribution function itself is good to a few roundings of its smaller side.
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)), p, 1e-14 * std::max(p, 1e-3)) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(Distribution, KeepsItsMomentsUnderTheMidpointRule) {
  const auto moments = [](const Distribution& d) {
    constexpr int n = 20000;
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = quantile(d, (i + 0.5) / n);
      sum += x / n;
      square += x * x / n;
    }
    return std::pair(sum, square - sum * sum);
  };
  Distribution d;
  d.kind = Distribution::Kind::triangular;
  d.a = 1.0, d.mode = 2.0, d.b = 5.0;  // mean (a+b+c)/3, variance (a²+b²+c²−ab−ac−bc)/18
  EXPECT_NEAR(moments(d).first, 8.0 / 3.0, 1e-6);
  EXPECT_NEAR(moments(d).second, 13.0 / 18.0, 1e-5);
  d.kind = Distribution::Kind::loguniform;
  d.a = 1.0, d.b = std::exp(2.0);  // mean (b−a)/ln(b/a)
  EXPECT_NEAR(moments(d).first, (d.b - d.a) / 2.0, 1e-6);
  d.kind = Distribution::Kind::normal;
  d.a = 3.0, d.b = 0.5;
  EXPECT_NEAR(moments(d).first, 3.0, 1e-9);
  EXPECT_NEAR(moments(d).second, 0.25, 1e-4);
}

TEST(LatinHypercube, HasOnePointInEveryPartOfEveryPlace) {
  const auto points = points_of(study_of(DesignSpec::Kind::lhs, 200, 3));
  for (std::size_t f = 0; f < 3; ++f) {
    std::set<int> parts;
    for (const auto& p : points) parts.insert(static_cast<int>(p[f] * 200.0));
    EXPECT_EQ(parts.size(), 200u);
  }
}

TEST(Morris, MovesOnePlaceAtATimeByTheStep) {
  const Study study = study_of(DesignSpec::Kind::morris, 20, 4);
  const auto points = points_of(study);
  ASSERT_EQ(points.size(), 100u);
  for (std::size_t t = 0; t < 20; ++t) {
    std::set<std::size_t> moved;
    for (std::size_t s = 0; s < 4; ++s) {
      int changes = 0;
      for (std::size_t f = 0; f < 4; ++f) {
        const double step = points[t * 5 + s + 1][f] - points[t * 5 + s][f];
        if (step == 0.0) continue;
        EXPECT_NEAR(std::abs(step), 4.0 / 6.0, 1e-15);
        moved.insert(f);
        ++changes;
      }
      EXPECT_EQ(changes, 1);
    }
    EXPECT_EQ(moved.size(), 4u);
  }
}

TEST(Blocks, TakeOnePlaceAfterTheOtherFromTheSecondSample) {
  Study study = study_of(DesignSpec::Kind::sobol, 16, 3);
  study.design.indices = true;
  const auto points = points_of(study);
  ASSERT_EQ(points.size(), 80u);
  const Sobol sobol(6);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t f = 0; f < 3; ++f) {
      EXPECT_EQ(points[5 * i][f], sobol(i, f));
      EXPECT_EQ(points[5 * i + 1][f], sobol(i, 3 + f));
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_EQ(points[5 * i + 2 + j][f], sobol(i, j == f ? 3 + f : f));
      }
    }
  }
}

TEST(Growth, KeepsTheFirstPoints) {
  for (const auto kind :
       {DesignSpec::Kind::random, DesignSpec::Kind::sobol, DesignSpec::Kind::morris}) {
    auto few = points_of(study_of(kind, 10, 3)), many = points_of(study_of(kind, 25, 3));
    many.resize(few.size());
    EXPECT_EQ(few, many) << to_string(kind);
  }
}

TEST(Sobol, StartsAtItsSecondPointWhereTheFirstHasNoFiniteValue) {
  Study study = study_of(DesignSpec::Kind::sobol, 8, 2);
  study.factors[1].distribution.kind = Distribution::Kind::normal;
  const auto points = points_of(study);
  EXPECT_EQ(points[0][0], 0.5);
  EXPECT_EQ(points[0][1], 0.0);
  for (const auto& p : points) EXPECT_TRUE(std::isfinite(p[1]));
}

TEST(Grid, IsEveryCombinationWithBothEnds) {
  Study study = study_of(DesignSpec::Kind::grid, 3, 1);
  study.factors[0].distribution.b = 2.0;
  Factor law{"contact.law", {}, {}};
  law.distribution.kind = Distribution::Kind::choice;
  law.distribution.choices = {"hertz", "exact"};
  study.factors.push_back(law);
  const std::vector<std::vector<double>> expected = {{0, 0}, {0, 1}, {1, 0},
                                                     {1, 1}, {2, 0}, {2, 1}};
  EXPECT_EQ(points_of(study), expected);
}

}  // namespace
}  // namespace carom::sweep
