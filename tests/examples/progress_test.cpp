// A progress line says how far, how fast and how long, and appears only on a terminal and only on a long run.
#include "support/progress.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "scratch.hpp"

using namespace penstock::examples;

namespace {

// Both ends of a pseudo-terminal: what is written to `terminal` is read from `keeper`.
class pseudo_terminal {
 public:
  explicit pseudo_terminal(unsigned short columns) : keeper_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (keeper_ < 0 || ::grantpt(keeper_) != 0 || ::unlockpt(keeper_) != 0)
      throw std::runtime_error("no terminal");
    terminal_ = ::open(::ptsname(keeper_), O_RDWR | O_NOCTTY);
    const winsize size{24, columns, 0, 0};
    ::ioctl(terminal_, TIOCSWINSZ, &size);
    termios raw{};
    ::tcgetattr(terminal_, &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(terminal_, TCSANOW, &raw);
  }
  ~pseudo_terminal() {
    ::close(terminal_);
    ::close(keeper_);
  }
  int terminal() const { return terminal_; }
  std::string shown() const {
    std::string text(10'000, '\0');
    const ssize_t got = ::read(keeper_, text.data(), text.size());
    return text.substr(0, got > 0 ? static_cast<std::size_t>(got) : 0);
  }

 private:
  int keeper_;
  int terminal_ = -1;
};

constexpr std::chrono::steady_clock::time_point start{};  // no test waits for a clock
constexpr std::chrono::milliseconds ms{1};

}  // namespace

TEST_CASE("the line at several places of a run") {
  CHECK(progress_line("stencil", 450, 1000, 10, "cells", 80) ==
        "stencil  45 % [#############.................] 45 cells/s, 0:13 left");
  CHECK(progress_line("copy", 0, 1000, 0, "B", 80) ==
        "copy   0 % [..............................] 0 B/s, over 99 h left");
  CHECK(progress_line("copy", 1000, 1000, 10, "B", 80) ==
        "copy 100 % [##############################] 100 B/s, 0:00 left");
  CHECK(progress_line("copy", 999, 1000, 10, "B", 40) == "copy  99 % [######.] 99.9 B/s, 0:01 left");
  CHECK(progress_line("x", 2'000'000'000'000, 100'000'000'000'000, 160, "cells", 80) ==
        "x   2 % [..............................] 12.5 Gcells/s, 2:10:40 left");
}

TEST_CASE("a line never exceeds its columns and never fails") {
  for (std::size_t columns = 0; columns < 90; ++columns) {
    for (const std::uint64_t done : {std::uint64_t{0}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      for (const std::uint64_t total : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
        const std::string line = progress_line("stencil", done, total, 1e-9, "cells", columns);
        REQUIRE(line.size() <= columns);
      }
    }
  }
}

TEST_CASE("nothing is shown in the first second") {
  const pseudo_terminal screen(80);
  {
    progress line("quick", 10, "cells", screen.terminal(), start);
    for (int i = 0; i < 10; ++i) line.advance(1, start + i * 111 * ms);
  }
  CHECK(screen.shown() == "");
}

TEST_CASE("nothing is shown where there is no terminal") {
  const scratch_folder folder;
  const int file = ::open((folder / "log").c_str(), O_CREAT | O_WRONLY, 0600);
  {
    progress line("logged", 10, "cells", file, start);
    line.advance(5, start + 2000 * ms);
  }
  ::close(file);
  CHECK(text_of(folder / "log") == "");
}

TEST_CASE("a long run shows a line, not too often, and removes it") {
  const pseudo_terminal screen(60);
  {
    progress line("long", 10, "cells", screen.terminal(), start);
    line.advance(2, start + 999 * ms);
    CHECK(screen.shown() == "");
    line.advance(3, start + 1000 * ms);
    CHECK(screen.shown() == "\rlong  50 % [############.............] 5 cells/s, 0:01 left\033[K");
    for (int i = 0; i < 100; ++i) line.advance(0, start + (1000 + i) * ms);
    CHECK(screen.shown() == "");
    line.advance(1, start + 1100 * ms);
    CHECK(screen.shown().starts_with("\rlong  60 % [#"));
  }
  CHECK(screen.shown() == "\r\033[K");
}

TEST_CASE("by itself the line takes the time from the clock") {
  const pseudo_terminal screen(60);
  {
    progress line("timed", 10, "cells", screen.terminal(), progress::clock::now() - 5000 * ms);
    line.advance(5);
    CHECK(screen.shown().starts_with("\rtimed  50 % "));
  }
  CHECK(screen.shown() == "\r\033[K");
}
