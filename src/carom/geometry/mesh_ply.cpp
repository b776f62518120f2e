// PLY, text and binary of both byte orders.
//
// The header declares elements (vertex, face, ...) with a count and typed properties, a
// property being a number or a list with its length in front. Elements follow in that
// order. Of a vertex x, y, z are taken, of a face the list vertex_indices (or
// vertex_index); everything else is read over.
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "carom/geometry/mesh_readers.h"

namespace carom {
namespace {

struct NumberType {
  const char* name;
  char code;  ///< i signed, u unsigned, f floating
  std::size_t bytes;
};
constexpr NumberType kTypes[] = {
    {"char", 'i', 1},  {"uchar", 'u', 1},  {"short", 'i', 2},   {"ushort", 'u', 2},
    {"int", 'i', 4},   {"uint", 'u', 4},   {"float", 'f', 4},   {"double", 'f', 8},
    {"int8", 'i', 1},  {"uint8", 'u', 1},  {"int16", 'i', 2},   {"uint16", 'u', 2},
    {"int32", 'i', 4}, {"uint32", 'u', 4}, {"float32", 'f', 4}, {"float64", 'f', 8}};

const NumberType* find_type(std::string_view name) {
  for (const NumberType& t : kTypes) {
    if (name == t.name) return &t;
  }
  return nullptr;
}

struct Property {
  std::string_view name;
  const NumberType* type = nullptr;
  const NumberType* length = nullptr;  ///< of a list; null for a number
};

struct Element {
  std::string_view name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

enum class Format { text, little, big };

double decode(const NumberType& type, const char* p, bool swap) {
  std::array<char, 8> b{};
  for (std::size_t i = 0; i < type.bytes; ++i) b[i] = p[swap ? type.bytes - 1 - i : i];
  const auto as = [&](auto value) {
    std::memcpy(&value, b.data(), sizeof value);
    return static_cast<double>(value);
  };
  const bool is_signed = type.code == 'i';
  if (type.code == 'f') return type.bytes == 4 ? as(float{}) : as(double{});
  if (type.bytes == 1) return is_signed ? as(std::int8_t{}) : as(std::uint8_t{});
  if (type.bytes == 2) return is_signed ? as(std::int16_t{}) : as(std::uint16_t{});
  return is_signed ? as(std::int32_t{}) : as(std::uint32_t{});
}

class Reader {
 public:
  Reader(const MeshText& file, TriangleMesh& mesh) : file_(file), mesh_(mesh), words_{file.bytes} {}

  std::string read() {
    std::string problem = read_header();
    for (const Element& e : elements_) {
      if (!problem.empty()) return problem;
      // An element without properties takes no bytes: nothing to walk over.
      for (std::size_t i = 0; i < e.count && !e.properties.empty() && problem.empty(); ++i) {
        problem = read_element(e);
      }
    }
    return problem;
  }

 private:
  std::string read_header() {
    if (words_.next() != "ply") return "it is not a PLY file";
    for (std::string_view key = words_.next(); key != "end_header"; key = words_.next()) {
      if (key.empty()) return "its header has no end";
      if (key == "comment" || key == "obj_info") {
        const std::size_t end = std::min(words_.rest.find('\n'), words_.rest.size());
        words_.rest.remove_prefix(end);
        continue;
      }
      bool good = true;
      if (key == "format")
        good = read_format();
      else if (key == "element")
        good = read_element_line();
      else if (key == "property")
        good = read_property_line();
      else
        good = false;
      if (!good) return at_line(words_.line, "'" + std::string(key) + "' is not understood");
    }
    // Binary data begin right after the line break.
    const std::size_t end = std::min(words_.rest.find('\n'), words_.rest.size());
    words_.rest.remove_prefix(std::min(end + 1, words_.rest.size()));
    ++words_.line;
    return {};
  }

  bool read_format() {
    const std::string_view name = words_.next();
    format_ = name == "ascii"               ? Format::text
              : name == "binary_big_endian" ? Format::big
                                            : Format::little;
    words_.next();  // the version
    return name == "ascii" || name == "binary_big_endian" || name == "binary_little_endian";
  }
  bool read_element_line() {
    Element e;
    double count = -1.0;
    e.name = words_.next();
    if (!parse_number(words_.next(), count)) return false;
    if (!(count >= 0.0 && count <= static_cast<double>(file_.bytes.size()))) return false;
    e.count = static_cast<std::size_t>(count);
    elements_.push_back(std::move(e));
    return true;
  }
  bool read_property_line() {
    Property p;
    std::string_view type = words_.next();
    if (type == "list") {
      p.length = find_type(words_.next());
      if (!p.length) return false;
      type = words_.next();
    }
    p.type = find_type(type);
    p.name = words_.next();
    if (!p.type || elements_.empty()) return false;
    elements_.back().properties.push_back(p);
    return true;
  }

  std::optional<double> number(const NumberType& type) {
    double value = 0.0;
    if (format_ == Format::text) {
      if (!parse_number(words_.next(), value)) return {};
      return value;
    }
    if (words_.rest.size() < type.bytes) return {};
    const bool swap = (format_ == Format::little) != (std::endian::native == std::endian::little);
    value = decode(type, words_.rest.data(), swap);
    words_.rest.remove_prefix(type.bytes);
    return value;
  }

  std::string cut_off() const {
    if (format_ == Format::text) return at_line(words_.line, "a number must stand here");
    return "it ends before its last element; it may be cut off";
  }

  std::string read_element(const Element& e) {
    const bool vertex = e.name == "vertex", face = e.name == "face";
    Vec3 p;
    for (const Property& property : e.properties) {
      if (property.length) {
        const bool corners = face && property.name.starts_with("vertex_ind");
        std::string problem = read_list(property, corners);
        if (!problem.empty()) return problem;
        continue;
      }
      const std::optional<double> value = number(*property.type);
      if (!value) return cut_off();
      if (property.name == "x") p.x = *value;
      if (property.name == "y") p.y = *value;
      if (property.name == "z") p.z = *value;
    }
    if (vertex) mesh_.vertices.push_back(p);
    return {};
  }

  std::string read_list(const Property& property, bool corners) {
    const std::optional<double> length = number(*property.length);
    if (!length) return cut_off();
    corners_.clear();
    for (double i = 0.0; i < *length; i += 1.0) {
      const std::optional<double> value = number(*property.type);
      if (!value) return cut_off();
      if (!corners) continue;
      if (!(*value >= 0.0 && *value < 4e9)) return "a face names a vertex that is not there";
      corners_.push_back(static_cast<std::uint32_t>(*value));
    }
    const std::string problem = corners ? add_polygon(file_, corners_, mesh_) : std::string();
    return problem.empty() || format_ != Format::text ? problem : at_line(words_.line, problem);
  }

  const MeshText& file_;
  TriangleMesh& mesh_;
  Words words_;
  Format format_ = Format::text;
  std::vector<Element> elements_;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

std::string read_ply(const MeshText& file, TriangleMesh& mesh) { return Reader(file, mesh).read(); }

}  // namespace carom
