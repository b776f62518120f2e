// SVG to PNG by librsvg; no display is needed.
#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "viewer/plot.h"

namespace carom::viewer {
namespace {

cairo_status_t append(void* out, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* p) const { release(p); }
};
void unref_handle(RsvgHandle* handle) { g_object_unref(handle); }
using Handle = std::unique_ptr<RsvgHandle, Release<RsvgHandle, unref_handle>>;
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_t, cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Release<cairo_t, cairo_destroy>>;

[[noreturn]] void fail(GError* error) {
  const std::string text = error ? error->message : "unknown reason";
  if (error) g_error_free(error);
  throw std::runtime_error("the plot cannot be drawn as PNG: " + text);
}

}  // namespace

std::string svg_to_png(const std::string& svg, double scale) {
  GError* error = nullptr;
  const Handle handle(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (!handle) fail(error);
  double width = 0, height = 0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height)) fail(nullptr);
  const int columns = static_cast<int>(std::lround(scale * width));
  const int rows = static_cast<int>(std::lround(scale * height));
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  const Context context(cairo_create(surface.get()));
  const RsvgRectangle whole{0, 0, static_cast<double>(columns), static_cast<double>(rows)};
  if (!rsvg_handle_render_document(handle.get(), context.get(), &whole, &error)) fail(error);
  std::string png;
  if (cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS) {
    fail(nullptr);
  }
  return png;
}

}  // namespace carom::viewer
