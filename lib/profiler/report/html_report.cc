// The page of a report: the template page.html with styles, scripts and data in it.
#include "html_report.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "embedded_files.h"
#include "page_data.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"
#include "unicode_text.h"

namespace tfrt::profiler {
namespace {

std::string_view FileBytes(std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.name == name) return file.bytes;
  }
  return {};
}

// Texts between tags.
std::string EscapedText(std::string_view text) {
  std::string out;
  for (char c : PrintableText(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Vega's modules, each as a function that page_chart.js calls with its exports; without the lines
// that lead a browser's tools to files which are not there.
std::string VegaScript() {
  std::string out = "const vegaModules = {};\n";
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (!file.name.starts_with("vega-")) continue;
    out +=
        StrCat("vegaModules['", file.name, "'] = function (module, exports, require, define) {\n",
               file.bytes.substr(0, file.bytes.rfind("//# sourceMappingURL")), "\n};\n");
  }
  return out;
}

// The licence as the text of a comment, which "--" would end.
std::string LicenceText() {
  std::string out =
      "The charts of this page are drawn by Vega (https://vega.github.io), as packaged by Debian;\n"
      "its modules contain modules of D3 (copyright Mike Bostock, ISC licence). Their "
      "licences:\n\n";
  for (char c : FileBytes("licence")) {
    if (c == '-' && out.back() == '-') out += ' ';
    out += c;
  }
  return out;
}

// Says to the browser which scripts are the page's own. It depends on all that the page holds, so a
// name in a report cannot know it.
std::string Nonce(std::string_view data) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : data) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  std::string digits;
  for (int i = 0; i < 16; ++i, hash >>= 4) digits += "0123456789abcdef"[hash & 15];
  return digits;
}

// Returns the text that replaces a placeholder of page.html.
std::string Filling(std::string_view name, const Report& report, const std::string& data,
                    const std::string& nonce) {
  if (name == "title") return EscapedText(report.title);
  if (name == "nonce") return nonce;
  if (name == "data") return data;
  if (name == "vega") return VegaScript();
  if (name == "licence") return LicenceText();
  return std::string(FileBytes(name));
}

std::string HtmlReport(const Report& report) {
  const std::string data = PageData(report);
  const std::string nonce = Nonce(data);
  std::string out;
  out.reserve(data.size() + (1 << 20));
  std::string_view rest = FileBytes("page.html");
  while (true) {
    const size_t begin = rest.find("{{");
    const size_t end = rest.find("}}", begin);
    if (begin == rest.npos || end == rest.npos) break;
    out += rest.substr(0, begin);
    out += Filling(rest.substr(begin + 2, end - begin - 2), report, data, nonce);
    rest.remove_prefix(end + 2);
  }
  out += rest;
  return out;
}

}  // namespace

Status WriteHtmlReport(const Report& report, const std::string& path) {
  return WriteFile(path, [&](const ByteSink& sink) {
    const std::string page = HtmlReport(report);
    sink(page.data(), page.size());
    return OkStatus();
  });
}

}  // namespace tfrt::profiler
