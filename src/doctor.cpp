#include "doctor.hpp"

#include "text_lines.hpp"
#include "utf8.hpp"

#include <penstock/arch/native.hpp>
#include <penstock/version.hpp>

#include <fmt/format.h>

namespace penstock::command {
namespace {

class report : public text_lines {
 public:
  explicit report(const machine& m) {
    say("penstock {}.{}.{}", version_major, version_minor, version_patch);
    if (!m.built_with_cuda) {
      say("built without CUDA: only the host backend, which runs a thread for each agent");
      return;
    }
    say("CUDA runtime {}, driver {}", cuda_version(m.runtime_version),
        m.driver_version == 0 ? "not found" : fmt::format("for CUDA up to {}", cuda_version(m.driver_version)));
    if (!m.trouble.empty() && m.driver_version > 0) say("the CUDA runtime says: {}", printable(m.trouble, 200));
    if (m.devices.empty()) say("no GPU here: only the host backend, which runs a thread for each agent");
    for (std::size_t i = 0; i < m.devices.size(); ++i) say_device(i, m.devices[i]);
  }

 private:
  static std::string cuda_version(int v) { return fmt::format("{}.{}", v / 1000, v % 1000 / 10); }
  static std::string capability(int c) { return fmt::format("{}.{}", c / 10, c % 10); }

  void say_device(std::size_t index, const device& d) {
    say("\ndevice {}: {}", index, printable(d.name, 200));
    say("  compute capability {}, {} multiprocessors, {:.1f} GiB", capability(d.capability), d.multiprocessors,
        static_cast<double>(d.memory_bytes) / (1 << 30));
    say("  shared memory {} KiB a block, {} KiB a multiprocessor", d.shared_bytes_block / 1024,
        d.shared_bytes_multiprocessor / 1024);
    if (!d.trouble.empty()) {
      say("  backend unknown: the CUDA runtime says: {}", printable(d.trouble, 200));
      return;
    }
    if (d.code_capability == 0) {
      say("  backend none: this build holds no code for it; build with -Dgpu_archs={}", d.capability);
      return;
    }
    say("  backend {}: this build holds {} for compute capability {}", backend_name(backend_for(d.code_capability)),
        d.translated ? "PTX" : "code", capability(d.code_capability));
    if (const backend best = backend_for(d.capability); best != backend_for(d.code_capability))
      say("  the device could use {}: build with -Dgpu_archs={}", backend_name(best), d.capability);
  }
};

}  // namespace

std::string doctor_text(const machine& m) { return report(m).text(); }

}  // namespace penstock::command
