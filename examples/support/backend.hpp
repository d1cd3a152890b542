// Which backend a run uses: what was asked for, what is here, and what comes of it.
#pragma once

#include <string>

namespace penstock::examples {

enum class backend_choice { automatic, hopper, ampere, portable, host };

const char* to_string(backend_choice choice);

// The GPU at hand: what it can do as 10 * major + minor, 0 with no GPU, and its name for messages.
struct gpu_at_hand {
  int compute_capability = 0;
  std::string name = "no GPU";
};

// `automatic` becomes the best backend that runs here; one that does not run here throws, naming those that
// do.
backend_choice resolve_backend(backend_choice asked, const gpu_at_hand& gpu);

// Where a run takes place: on a GPU with one of its backends, or on the host.
struct place {
  backend_choice backend = backend_choice::host;
  std::string name;
  bool on_host() const { return backend == backend_choice::host; }
};

}  // namespace penstock::examples
