#include "carom/base/digest.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace carom {

struct Digest::Context {
  EVP_MD_CTX* of_library = EVP_MD_CTX_new();
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(of_library); }
};

namespace {

void require(int ok) {
  if (ok != 1) throw std::runtime_error("the digest failed");
}

}  // namespace

Digest::Digest() : context_(std::make_unique<Context>()) {
  require(EVP_DigestInit_ex(context_->of_library, EVP_sha256(), nullptr));
}

Digest::~Digest() = default;

void Digest::add(std::string_view bytes) {
  require(EVP_DigestUpdate(context_->of_library, bytes.data(), bytes.size()));
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(context_->of_library, raw.data(), &size));
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[raw[i] >> 4];
    text += kDigits[raw[i] & 15];
  }
  return text;
}

std::string digest_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.hex();
}

}  // namespace carom
