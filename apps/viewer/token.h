// Who may ask a server on 127.0.0.1: whoever knows the token in its address, and only under the
// loopback names, so that a foreign web page cannot reach in by a name of its own.
#pragma once

#include <string>

namespace carom::viewer {

/// 128 random bits.
std::string make_token();

/// `host` is the header of the request, `given` its token.
bool is_allowed(const std::string& host, int port, const std::string& given,
                const std::string& token);

}  // namespace carom::viewer
