// The table of golden runs: compares it with what the runs give now, or writes it anew.
//
//   golden_runs TABLE            compares; names every difference; 1 if there is one
//   golden_runs TABLE --write    writes the table of this build
//
// A table holds for one mathematical library, named in its first line. With another one the runs
// are made twice and compared with each other.
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "carom/base/diagnostic.h"
#include "digest.h"
#include "scenes.h"

namespace carom::golden {
namespace {

constexpr const char* kColumns[] = {"state", "events", "forces", "ledger"};

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

std::string line_of(const Digest& d) {
  return hex(d.state) + " " + hex(d.events) + " " + hex(d.forces) + " " + hex(d.ledger);
}

struct Table {
  std::string library;
  std::map<std::string, std::string> rows;
};

Table read_table(const std::string& path) {
  Table table;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name, rest;
    words >> name;
    std::getline(words >> std::ws, rest);
    (name == "library" ? table.library : table.rows[name]) = rest;
  }
  return table;
}

/// Which columns of two rows differ.
std::string changes(const std::string& before, const std::string& now) {
  std::istringstream a(before), b(now);
  std::string out, x, y;
  for (const char* column : kColumns) {
    a >> x, b >> y;
    if (x != y) out += std::string(out.empty() ? "" : ", ") + column;
  }
  return out;
}

int compare(Table table) {
  const bool same_library = table.library == hex(library_hash());
  if (!same_library) {
    std::printf(
        "The table is of another mathematical library: each run is compared with itself.\n");
  }
  int different = 0, total = 0;
  for (const Guarded& run : guarded_runs()) {
    const std::string now = line_of(digest_of(run.model));
    const std::string before = same_library ? table.rows[run.name] : line_of(digest_of(run.model));
    table.rows.erase(run.name);
    ++total;
    if (now == before) continue;
    ++different;
    const std::string what = before.empty() ? "not in the table" : changes(before, now);
    std::printf("%-48s %s\n", run.name.c_str(), what.c_str());
  }
  for (const auto& [name, row] : same_library ? table.rows : decltype(table.rows){}) {
    std::printf("%-48s only in the table\n", name.c_str());
    ++different;
  }
  std::printf("%d runs, %d differ\n", total, different);
  return different > 0 ? 1 : 0;
}

int write(const std::string& path) {
  std::ofstream file(path);
  file << "library " << hex(library_hash()) << "\n";
  for (const Guarded& run : guarded_runs()) {
    file << run.name << " " << line_of(digest_of(run.model)) << "\n";
  }
  file.close();
  return file ? 0 : 1;
}

}  // namespace
}  // namespace carom::golden

int main(int argc, char** argv) {
  const bool writes = argc == 3 && std::string_view(argv[2]) == "--write";
  if (argc != 2 && !writes) {
    std::fprintf(stderr, "golden_runs TABLE [--write]\n");
    return 2;
  }
  try {
    return writes ? carom::golden::write(argv[1])
                  : carom::golden::compare(carom::golden::read_table(argv[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
