// Prints what a result file holds as one JSON document, for the tests of the command.
#include <cstdio>
#include <exception>

#include "carom/base/text.h"
#include "carom/record/result_file.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const carom::ResultFile file(argv[1]);
    const std::vector<double> time = file.time();
    const std::vector<double> last =
        file.rows() > 0 ? file.block(file.rows() - 1, 1, 0, file.width()) : std::vector<double>{};
    std::string channels, row;
    for (const carom::Channel& c : file.channels()) {
      channels += (channels.empty() ? "" : ", ") + carom::json_quote(c.name);
    }
    for (const double x : last) row += (row.empty() ? "" : ", ") + carom::json_number(x);
    std::printf(
        "{\"status\": \"%s\", \"reason\": %s, \"rows\": %zu, \"events\": %zu, \"first_time\": %s, "
        "\"last_time\": %s, \"scene\": %s, \"channels\": [%s], \"last_row\": [%s], \"summary\": "
        "%s}\n",
        std::string(to_string(file.status())).c_str(), carom::json_quote(file.reason()).c_str(),
        file.rows(), file.events().size(),
        carom::json_number(time.empty() ? 0.0 : time.front()).c_str(),
        carom::json_number(time.empty() ? 0.0 : time.back()).c_str(),
        carom::json_quote(file.meta().scene).c_str(), channels.c_str(), row.c_str(),
        file.summary().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
