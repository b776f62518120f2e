// Controls of the live page: what they set, by which keys.
#include <algorithm>
#include <array>
#include <map>

#include "carom/base/text.h"
#include "carom/scene/fields.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

constexpr std::array kNamedKeys = {"left", "right", "up", "down", "page_up", "page_down", "space"};

bool is_key(const std::string& key) {
  if (key.size() == 1) return (key[0] >= 'a' && key[0] <= 'z') || (key[0] >= '0' && key[0] <= '9');
  return std::find(kNamedKeys.begin(), kNamedKeys.end(), key) != kNamedKeys.end();
}

class ControlCheck {
 public:
  ControlCheck(const Scene& scene, Diagnostics& out) : scene_(scene), out_(out) {}

  void control(const ControlSpec& c) {
    const std::string path = "controls." + c.signal;
    if (!c.key_less.empty() || !c.key_more.empty()) {
      key(path, c.key_less, c), key(path, c.key_more, c);
    }
    if (!(c.least < c.most)) {
      out_.error(c.where, path + ": least is " + number_text(c.least) + " and most is " +
                              number_text(c.most) + ", they must differ and stand in this order");
    }
    const Field& axis = *scene_record("control").find_field("axis");
    if (!within_bounds(axis, c.axis)) {
      out_.error(c.where,
                 path + ".axis is " + std::to_string(c.axis) + ", it must be " + bounds_text(axis));
    }
    signal(path, c);
  }

 private:
  void key(const std::string& path, const std::string& name, const ControlSpec& c) {
    if (!is_key(name)) {
      out_.error(c.where, path + ": '" + name + "' is no key",
                 "keys are letters a to z, digits, left, right, up, down, page_up, page_down and "
                 "space");
      return;
    }
    const auto [taken, is_new] = owners_.emplace(name, c.signal);
    if (is_new) return;
    out_.error(c.where, path + ": the key '" + name + "' already sets '" + taken->second + "'",
               "take another one: a key sets one signal, to one value");
  }

  void signal(const std::string& path, const ControlSpec& c) {
    std::vector<std::string> constants;
    for (const NamedSignal& s : scene_.signals) {
      if (s.signal.kind != SignalSpec::Kind::constant) continue;
      constants.push_back(s.name);
      if (s.name != c.signal) continue;
      if (s.signal.value >= c.least && s.signal.value <= c.most) return;
      out_.error(c.where, path + ": the signal is " + number_text(s.signal.value) +
                              " where nothing is pressed, which is not between least and most");
      return;
    }
    out_.error(c.where, path + ": there is no constant signal '" + c.signal + "'",
               constants.empty() ? "write 'signals: {" + c.signal + ": 0}'"
                                 : suggest(c.signal, constants));
  }

  const Scene& scene_;
  Diagnostics& out_;
  std::map<std::string, std::string> owners_;
};

}  // namespace

void check_controls(const Scene& scene, Diagnostics& out) {
  ControlCheck check(scene, out);
  for (const ControlSpec& c : scene.controls) check.control(c);
}

}  // namespace carom
