#include "viewer/token.h"

#include <algorithm>
#include <random>

namespace carom::viewer {
namespace {

/// Takes the same time wherever the texts differ.
bool same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return difference == 0;
}

}  // namespace

std::string make_token() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 32; ++i) out += "0123456789abcdef"[random() & 15];
  return out;
}

bool is_allowed(const std::string& host, int port, const std::string& given,
                const std::string& token) {
  const std::string suffix = ":" + std::to_string(port);
  return (host == "127.0.0.1" + suffix || host == "localhost" + suffix) && same(given, token);
}

}  // namespace carom::viewer
