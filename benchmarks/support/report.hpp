// Results: one JSON object a line for benchmarks/table.py, and a readable line on standard output.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/harness.hpp"

namespace bench {

struct options {
  bool quick = false;
  bool tune = false;  // every policy, too, where a program knows some
  std::string json;  // file to append rows to
  std::string only;  // part of a case's name
};

inline options parse(int argc, char** argv, const char* about) {
  options o;
  for (int k = 1; k < argc; ++k) {
    const std::string a = argv[k];
    if (a == "--quick") o.quick = true;
    else if (a == "--tune") o.tune = true;
    else if ((a == "--json" || a == "--only") && k + 1 < argc) (a == "--json" ? o.json : o.only) = argv[++k];
    else {
      std::fprintf(a == "--help" ? stdout : stderr,
                   "%s\nusage: %s [--quick] [--tune] [--json FILE] [--only PART_OF_A_CASE]\n", about, argv[0]);
      std::exit(a == "--help" ? 0 : 2);
    }
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "skipped: no CUDA device\n");
    std::exit(77);
  }
  return o;
}

class report {
 public:
  explicit report(const options& o) : options_(o) {
    if (!o.json.empty() && (file_ = std::fopen(o.json.c_str(), "a")) == nullptr) {
      std::fprintf(stderr, "cannot append to %s: %s\n", o.json.c_str(), std::strerror(errno));
      std::exit(1);
    }
    device("before");
  }
  report(const report&) = delete;
  ~report() {
    device("after");
    if (file_ != nullptr) std::fclose(file_);
  }
  bool wants(const std::string& what) const {
    return options_.only.empty() || what.find(options_.only) != std::string::npos;
  }
  bool failed() const { return failed_; }

  // One measured point. `size` is what the plots have on their axis; unit is that of `value` (TB/s, cycles, …).
  void add(const std::string& what, const std::string& who, double size, const std::string& unit, const summary& value,
           bool verified, const std::string& more = "") {
    if (!verified) failed_ = true;
    std::printf("%-34s %-28s %14.0f %10.4g %-6s [%.4g, %.4g]%s%s\n", what.c_str(), who.c_str(), size, value.median,
                unit.c_str(), value.low, value.high, verified ? "" : "  WRONG",
                more.empty() ? "" : ("  " + more).c_str());
    std::fflush(stdout);
    if (file_ == nullptr) return;
    std::fprintf(
        file_,
        "{\"case\": \"%s\", \"who\": \"%s\", \"size\": %.0f, \"unit\": \"%s\", \"median\": %.6g, \"low\": %.6g, "
        "\"high\": %.6g, \"verified\": %s, \"more\": \"%s\"}\n",
        what.c_str(), who.c_str(), size, unit.c_str(), value.median, value.low, value.high, verified ? "true" : "false",
        more.c_str());
    std::fflush(file_);
  }

 private:
  void device(const char* when) {
    const device_info d = query_device();
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    const std::string clocks = clocks_now();
    std::printf(
        "# %s, %s, %d SMs, %.0f MiB L2, driver %d, runtime %d; SM clock, memory clock, temperature, power: %s\n", when,
        d.name.c_str(), d.processors, d.l2_bytes / 1048576.0, driver, runtime, clocks.c_str());
    if (file_ != nullptr)
      std::fprintf(
          file_,
          "{\"device\": \"%s\", \"when\": \"%s\", \"processors\": %d, \"capability\": %d, \"l2\": %d, \"driver\": %d, "
          "\"runtime\": %d, \"clocks\": \"%s\"}\n",
          d.name.c_str(), when, d.processors, d.capability, d.l2_bytes, driver, runtime, clocks.c_str());
  }
  options options_;
  FILE* file_ = nullptr;
  bool failed_ = false;
};

// The same summary as a rate: terabytes (10^12 bytes) a second from microseconds a call.
inline summary rate(const summary& us, double bytes) {
  return {bytes / us.median * 1e-6, bytes / us.high * 1e-6, bytes / us.low * 1e-6};
}

}  // namespace bench
