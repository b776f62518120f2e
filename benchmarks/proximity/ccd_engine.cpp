// libccd: penetration by GJK and EPA, and by MPR (shown, but not counted: its normals
// are not those of the least depth). The support functions are Carom's.
#include <ccd/ccd.h>

#include "engine.h"

namespace carom::bench {
namespace {

struct Placed {
  const Core* core;
  Pose X;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const Placed& p = *static_cast<const Placed*>(object);
  const Vec3 d{direction->v[0], direction->v[1], direction->v[2]};
  const double length = norm(d);
  const Vec3 local = transpose_times(p.X.R, length > 0.0 ? d / length : Vec3{1, 0, 0});
  const Vec3 w = p.X * surface_point(*p.core, local);
  out->v[0] = w.x, out->v[1] = w.y, out->v[2] = w.z;
}
void centre(const void* object, ccd_vec3_t* out) {
  const Vec3& p = static_cast<const Placed*>(object)->X.p;
  out->v[0] = p.x, out->v[1] = p.y, out->v[2] = p.z;
}

class CcdEngine : public Engine {
 public:
  CcdEngine(const char* name, bool mpr) : name_(name), mpr_(mpr) {
    CCD_INIT(&ccd_);
    ccd_.support1 = ccd_.support2 = support;
    ccd_.center1 = ccd_.center2 = centre;
    ccd_.max_iterations = 500;
    ccd_.epa_tolerance = ccd_.mpr_tolerance = 1e-4;
  }
  const char* name() const override { return name_; }
  bool overlap_only() const override { return true; }
  bool counted() const override { return !mpr_; }
  bool load(const Body& A, const Body& B) override {
    A_ = A.core, B_ = B.core;
    return true;
  }
  Answer query(const Pose& X_WA, const Pose& X_WB, bool) override {
    const Placed a{&A_, X_WA}, b{&B_, X_WB};
    ccd_real_t depth = 0.0;
    ccd_vec3_t dir, pos;
    const int status = mpr_ ? ccdMPRPenetration(&a, &b, &ccd_, &depth, &dir, &pos)
                            : ccdGJKPenetration(&a, &b, &ccd_, &depth, &dir, &pos);
    return {status == 0, -depth, {dir.v[0], dir.v[1], dir.v[2]}};
  }

 private:
  const char* name_;
  bool mpr_;
  ccd_t ccd_;
  Core A_, B_;
};

}  // namespace

void add_ccd(Engines& engines) {
  engines.push_back(std::make_unique<CcdEngine>("libccd-gjk", false));
  engines.push_back(std::make_unique<CcdEngine>("libccd-mpr", true));
}

}  // namespace carom::bench
