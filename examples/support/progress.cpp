#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cmath>

namespace penstock::examples {
namespace {

std::string scaled(double value, std::string_view unit) {
  constexpr std::string_view prefixes = " kMGTPE";
  std::size_t power = 0;
  while (value >= 999.5 && power + 1 < prefixes.size()) {
    value /= 1000;
    ++power;
  }
  return fmt::format("{:.3g} {}{}", value, power == 0 ? "" : prefixes.substr(power, 1), unit);
}

std::string clock_face(double seconds) {
  if (!(seconds < 360000)) return "over 99 h";
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::size_t columns_of(int file) {
  winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A terminal that has gone away is no reason to end the run.
void show(int file, std::string_view text) {
  [[maybe_unused]] const auto put = ::write(file, text.data(), text.size());
}

}  // namespace

std::string progress_line(std::string_view label, std::uint64_t done, std::uint64_t total, double seconds,
                          std::string_view unit, std::size_t columns) {
  const double share = total == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = static_cast<double>(total - std::min(done, total)) / rate;
  const std::string front = fmt::format("{} {:3.0f} % ", label, std::floor(share * 100));
  const std::string back = fmt::format(" {}/s, {} left", scaled(rate, unit), clock_face(left));
  std::string line = front;
  if (front.size() + back.size() + 6 <= columns) {
    const std::size_t bar = std::min<std::size_t>(columns - front.size() - back.size() - 2, 30);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(bar));
    line += fmt::format("[{}{}]", std::string(full, '#'), std::string(bar - full, '.'));
  }
  line += back;
  return line.substr(0, columns);
}

progress::progress(std::string_view label, std::uint64_t total, std::string_view unit, int file,
                   clock::time_point start)
    : label_(label), unit_(unit), total_(total), file_(file), terminal_(::isatty(file) == 1), start_(start) {}

progress::~progress() {
  if (drawn_) show(file_, "\r\033[K");
}

void progress::advance(std::uint64_t amount, clock::time_point now) {
  done_ += amount;
  if (!terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  // One column short of the edge, where some terminals wrap.
  const double seconds = std::chrono::duration<double>(now - start_).count();
  show(file_, "\r" + progress_line(label_, done_, total_, seconds, unit_, columns_of(file_) - 1) + "\033[K");
}

}  // namespace penstock::examples
