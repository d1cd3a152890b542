#include "trace_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <vector>

namespace penstock::command {
namespace {

std::string quoted(const std::string& s) {
  return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class writer {
 public:
  explicit writer(const recorded_trace& t) : t_(t) {
    for (const std::string& s : t.stages) stages_.push_back(quoted(s));
    out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    for (const trace_block& b : t.blocks) add_block(b);
    out += "\n]}\n";
  }
  std::string out{};

 private:
  template <class... T>
  void event(fmt::format_string<T...> format, T&&... values) {
    out += first_ ? "\n{" : ",\n{";
    first_ = false;
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
    out += '}';
  }

  // The format counts in microseconds.
  static std::string us(double ns) { return fmt::format("{:.3f}", ns / 1e3); }
  const std::string& stage(int s) const { return stages_[std::size_t(s)]; }

  void add_block(const trace_block& b) {
    const std::string process = quoted(fmt::format("block {} (SM {})", b.block, b.multiprocessor));
    event(R"("ph":"M","name":"process_name","pid":{},"args":{{"name":{}}})", b.block, process);
    for (std::size_t a = 0; a < t_.agents.size(); ++a)
      event(R"("ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}})", b.block, a,
            quoted(t_.agents[a]));
    for (const trace_pause& p : b.pauses) {
      const std::string name = p.stage < 0 ? "\"drain\"" : quoted("wait: " + t_.stages[std::size_t(p.stage)]);
      event(R"("ph":"X","cat":"wait","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"iteration":{}}})", name,
            b.block, p.agent, us(p.begin), us(p.end - p.begin), p.iteration);
    }
    for (const trace_work& w : b.work) {
      event(
          R"("ph":"X","cat":"stage","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"iteration":{},"slot":{}}})",
          stage(w.stage), b.block, w.agent, us(w.begin), us(w.freed - w.begin), w.iteration, w.slot);
      if (w.complete < 0) continue;
      for (const auto& [phase, at] : {std::pair{'b', w.begin}, {'e', w.complete}})
        event(R"("ph":"{}","cat":"in flight","name":{},"id2":{{"local":"{}:{}:{}"}},"pid":{},"tid":{},"ts":{})", phase,
              stage(w.stage), w.stage, w.slot, w.iteration, b.block, w.agent, us(at));
    }
    for (const trace_stop& s : b.stops)
      event(R"("ph":"i","s":"p","cat":"stop","name":{},"pid":{},"tid":{},"ts":{},"args":{{"iteration":{}}})",
            quoted("stop: " + t_.stages[std::size_t(s.stage)]), b.block, s.agent, us(s.at), s.iteration);
  }

  const recorded_trace& t_;
  std::vector<std::string> stages_;
  bool first_ = true;
};

}  // namespace

std::string trace_json(const recorded_trace& t) { return writer(t).out; }

}  // namespace penstock::command
