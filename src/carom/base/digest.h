// SHA-256 by OpenSSL: finds damage, and tells one scene from another.
//
//   Digest digest;
//   digest.add(bytes);
//   const std::string text = digest.hex();      // 64 digits
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace carom {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(std::string_view bytes);
  /// The digest of all that was added; may be called once.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Of one text.
std::string digest_of(std::string_view bytes);

}  // namespace carom
