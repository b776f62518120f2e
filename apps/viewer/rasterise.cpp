// SVG to PNG by librsvg; no display is needed.
//
// The library is loaded with the first picture. With all that it draws in (GLib, Pango, X11) it is
// half of what the loader would have to bind before every run, most of which draw nothing.
#include <cairo.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "viewer/plot.h"

namespace carom::viewer {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error("the plot cannot be drawn as PNG: " + why);
}

/// What is called of librsvg and of the libraries that it brings along.
class Rsvg {
 public:
  Rsvg() : library_(dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) fail(std::string(dlerror()) + " (Debian: librsvg2-2)");
    find("rsvg_handle_new_from_data", new_from_data);
    find("rsvg_handle_get_intrinsic_size_in_pixels", get_size);
    find("rsvg_handle_render_document", render);
    find("cairo_image_surface_create", create_surface);
    find("cairo_surface_write_to_png_stream", write_png);
    find("cairo_surface_destroy", destroy_surface);
    find("cairo_create", create_context);
    find("cairo_destroy", destroy_context);
    find("g_object_unref", unref_object);
    find("g_error_free", free_error);
  }

  decltype(&rsvg_handle_new_from_data) new_from_data = nullptr;
  decltype(&rsvg_handle_get_intrinsic_size_in_pixels) get_size = nullptr;
  decltype(&rsvg_handle_render_document) render = nullptr;
  decltype(&cairo_image_surface_create) create_surface = nullptr;
  decltype(&cairo_surface_write_to_png_stream) write_png = nullptr;
  decltype(&cairo_surface_destroy) destroy_surface = nullptr;
  decltype(&cairo_create) create_context = nullptr;
  decltype(&cairo_destroy) destroy_context = nullptr;
  void (*unref_object)(gpointer) = nullptr;  // GLib hides its own behind a macro
  decltype(&g_error_free) free_error = nullptr;

 private:
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (!function) fail(std::string("librsvg-2.so.2 has no '") + name + "'");
  }

  void* library_;  // never closed: GLib cannot be unloaded
};

const Rsvg& rsvg() {
  static const Rsvg loaded;
  return loaded;
}

cairo_status_t append(void* out, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

struct Release {
  void operator()(RsvgHandle* p) const { rsvg().unref_object(p); }
  void operator()(cairo_surface_t* p) const { rsvg().destroy_surface(p); }
  void operator()(cairo_t* p) const { rsvg().destroy_context(p); }
};
using Handle = std::unique_ptr<RsvgHandle, Release>;
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Context = std::unique_ptr<cairo_t, Release>;

[[noreturn]] void fail(GError* error) {
  const std::string text = error ? error->message : "unknown reason";
  if (error) rsvg().free_error(error);
  fail(text);
}

}  // namespace

std::string svg_to_png(const std::string& svg, double scale) {
  const Rsvg& r = rsvg();
  GError* error = nullptr;
  const Handle handle(
      r.new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!handle) fail(error);
  double width = 0, height = 0;
  if (!r.get_size(handle.get(), &width, &height)) fail(error);
  const int columns = static_cast<int>(std::lround(scale * width));
  const int rows = static_cast<int>(std::lround(scale * height));
  const Surface surface(r.create_surface(CAIRO_FORMAT_RGB24, columns, rows));
  const Context context(r.create_context(surface.get()));
  const RsvgRectangle whole{0, 0, static_cast<double>(columns), static_cast<double>(rows)};
  if (!r.render(handle.get(), context.get(), &whole, &error)) fail(error);
  std::string png;
  if (r.write_png(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS) fail(error);
  return png;
}

}  // namespace carom::viewer
