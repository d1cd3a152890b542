#include "svg.hpp"

#include "utf8.hpp"

#include <fmt/format.h>

#include <iterator>

namespace penstock::command {
namespace {

// Blue, orange and purple keep apart for colour-blind readers and on either ground.
constexpr std::string_view light = R"(
text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2328}
.page{fill:#ffffff}.lane{fill:#f3f5f8;stroke:#d8dee4}.box{fill:#ffffff;stroke:#57606a;stroke-width:1.5}
.pill{fill:#ffffff;stroke:#d8dee4}.rule{stroke:#d8dee4;fill:none}.grid{stroke:#e4e8ed;fill:none}
.name{font-size:14px;font-weight:bold}.title{font-size:15px;font-weight:bold}.small{font-size:11px}
.dim{fill:#57606a}.middle{text-anchor:middle}.end{text-anchor:end}.async{stroke-dasharray:6 3}
.flow{fill:none;stroke:#cdd5dd;stroke-width:7}.flow-head{fill:#aab4bf}
.raw,.war,.waw,.held{fill:none;stroke-width:1.75}.held{stroke:#8c959f}
.raw{stroke:#0969da}.war{stroke:#cf5a00}.waw{stroke:#8250df}
.raw-fill,.raw-text{fill:#0969da}.war-fill,.war-text{fill:#cf5a00}.waw-fill,.waw-text{fill:#8250df}.bad-text{fill:#cf222e}
.thin{stroke-width:1;stroke-opacity:.55}
.busy-even{fill:#3d7ebf}.busy-odd{fill:#2b5f94}.flight-even{fill:#b5d3f0}.flight-odd{fill:#93bfe8}
.on-dark{fill:#ffffff}.on-light{fill:#14324f}
.prologue{fill:#cf5a00;fill-opacity:.14}.steady{fill:#1a7f37;fill-opacity:.12}.ending{fill:#8250df;fill-opacity:.14}
.faint{fill-opacity:.05}
)";
constexpr std::string_view dark = R"(
text{fill:#e6edf3}.page{fill:#0d1117}.lane{fill:#151b23;stroke:#30363d}.box{fill:#0d1117;stroke:#9198a1}
.pill{fill:#0d1117;stroke:#30363d}.rule{stroke:#30363d}.grid{stroke:#21262d}.dim{fill:#9198a1}
.flow{stroke:#30363d}.flow-head{fill:#59636e}
.raw{stroke:#58a6ff}.war{stroke:#f0883e}.waw{stroke:#bc8cff}
.raw-fill,.raw-text{fill:#58a6ff}.war-fill,.war-text{fill:#f0883e}.waw-fill,.waw-text{fill:#bc8cff}.bad-text{fill:#ff7b72}
.flight-even{fill:#1f3a57}.flight-odd{fill:#2a4b6e}.on-light{fill:#cfe4fa}
)";

}  // namespace

double text_width(std::string_view s, double font_size) { return characters(s) * font_size * 0.602; }

void svg_page::rectangle(std::string_view style, double x, double y, double width, double height, double radius) {
  fmt::format_to(std::back_inserter(body_),
                 "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", style, x, y, width,
                 height);
  if (radius > 0) fmt::format_to(std::back_inserter(body_), " rx=\"{:.1f}\"", radius);
  body_ += "/>\n";
}

void svg_page::path(std::string_view style, std::string_view commands) {
  fmt::format_to(std::back_inserter(body_), "<path class=\"{}\" d=\"{}\"/>\n", style, commands);
}

void svg_page::line(std::string_view style, point from, point to) {
  path(style, fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y));
}

void svg_page::arrow_head(std::string_view style, point tip, double dx, double dy) {
  constexpr double length = 9, half = 4;
  const point back{tip.x - length * dx, tip.y - length * dy};
  path(style, fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", tip.x, tip.y, back.x - half * dy,
                          back.y + half * dx, back.x + half * dy, back.y - half * dx));
}

void svg_page::text(std::string_view style, double x, double y, std::string_view s) {
  fmt::format_to(std::back_inserter(body_),
                 "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" xml:space=\"preserve\">{}</text>\n", style, x, y,
                 xml_escaped(s));
}

void svg_page::hint(std::string_view s) { body_ += "<g><title>" + xml_escaped(s) + "</title>"; }
void svg_page::end_hint() { body_ += "</g>\n"; }

std::string svg_page::finish(double width, double height, std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n"
      "<title>{2}</title>\n<style>{3}@media (prefers-color-scheme:dark){{{4}}}\n</style>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n{5}</svg>\n",
      width, height, xml_escaped(title), light, dark, body_);
}

}  // namespace penstock::command
