#include "parse_plan.hpp"

#include "input_error.hpp"
#include "strict_json.hpp"
#include "utf8.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace penstock::command {
namespace {

using nlohmann::json;

// One value of the document: what it must be, and where it stands.
struct node {
  const json& value;
  std::string source;
  std::string pointer;  // "" for the whole document

  [[noreturn]] void refuse(std::string_view what) const {
    throw input_error(source, pointer.empty() ? "1:1" : pointer, what);
  }
  [[noreturn]] void refuse_type(std::string_view wanted) const {
    refuse(fmt::format("expected {}, got {}", wanted, shown_value(value)));
  }
  node at(const char* key) const { return {value[key], source, pointer + "/" + key}; }
  node at(std::size_t i) const { return {value[i], source, fmt::format("{}/{}", pointer, i)}; }

  void must_be_object(std::initializer_list<const char*> required, std::initializer_list<const char*> optional) const {
    if (!value.is_object()) refuse_type("an object");
    const auto known = [&](const std::string& key) {
      for (const auto& keys : {required, optional})
        for (const char* k : keys)
          if (key == k) return true;
      return false;
    };
    for (const auto& [key, unused] : value.items())
      if (!known(key)) refuse("unknown key " + shown_value(key));
    for (const char* key : required)
      if (!value.contains(key)) refuse(fmt::format("key \"{}\" is missing", key));
  }

  std::size_t must_be_array(int most, std::string_view of_what) const {
    if (!value.is_array()) refuse_type(fmt::format("an array of {}", of_what));
    if (value.size() > static_cast<std::size_t>(most))
      refuse(fmt::format("{} {}, at most {} are allowed", value.size(), of_what, most));
    return value.size();
  }

  int integer(int least, int most) const {
    const std::string wanted = fmt::format("an integer from {} to {}", least, most);
    const bool fits = value.is_number_unsigned()
                          ? value.get<json::number_unsigned_t>() <= json::number_unsigned_t(most)
                          : value.is_number_integer() && value.get<json::number_integer_t>() <= most;
    if (!fits || value.get<json::number_integer_t>() < least) refuse_type(wanted);
    return value.get<int>();
  }
  double nanoseconds() const {
    if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > most_ns)
      refuse_type(fmt::format("nanoseconds from 0 to {:g}", most_ns));
    return value.get<double>();
  }
  const std::string& name() const {
    if (!value.is_string()) refuse_type("a name");
    const auto& s = value.get_ref<const std::string&>();
    const int n = characters(s);
    if (n < 1 || n > most_name) refuse(fmt::format("a name has 1 to {} characters, this one has {}", most_name, n));
    if (has_control_characters(s)) refuse("a name has no control characters, this one has: " + shown_value(value));
    return s;
  }
};

class plan_reader {
 public:
  explicit plan_reader(const node& document) {
    document.must_be_object({"buffers", "stages"}, {});
    const node buffers = document.at("buffers");
    for (std::size_t i = 0, n = buffers.must_be_array(most_buffers, "buffers"); i < n; ++i) add_buffer(buffers.at(i));
    const node stages = document.at("stages");
    for (std::size_t i = 0, n = stages.must_be_array(most_stages, "stages"); i < n; ++i) add_stage(stages.at(i));
  }
  parsed_plan result{};

 private:
  using stage_type = stage_info<most_buffers>;

  std::string_view keep(const std::string& name) { return result.names.emplace_back(name); }

  void add_buffer(const node& n) {
    n.must_be_object({"name", "depth"}, {});
    buffer_info b;
    b.name = keep(n.at("name").name());
    b.depth = n.at("depth").integer(0, most_depth);
    result.value.buffers.add(b);
  }

  void add_stage(const node& n) {
    n.must_be_object({"name", "mode"}, {"agent", "skew", "order", "reads", "writes", "issue", "latency"});
    bounded_plan& plan = result.value;
    stage_type s;
    s.name = keep(n.at("name").name());
    const node how = n.at("mode");
    if (how.value == "async") s.mode = mode::async;
    else if (how.value != "sync") how.refuse_type("\"sync\" or \"async\"");
    const auto has = [&](const char* key) { return n.value.contains(key); };
    const std::string_view agent = has("agent") ? keep(n.at("agent").name()) : s.name;
    s.skew = has("skew") ? n.at("skew").integer(-most_shift, most_shift) : 0;
    s.order = has("order") ? n.at("order").integer(-most_shift, most_shift) : plan.stages.size();
    if (has("issue")) s.issue_ns = n.at("issue").nanoseconds();
    if (has("latency")) s.latency_ns = n.at("latency").nanoseconds();
    result.has_timing = result.has_timing || has("issue") || has("latency");
    if (has("reads")) {
      const node reads = n.at("reads");
      for (std::size_t i = 0, m = reads.must_be_array(most_accesses, "reads"); i < m; ++i) add_read(s, reads.at(i));
    }
    if (has("writes")) {
      const node writes = n.at("writes");
      for (std::size_t i = 0, m = writes.must_be_array(most_accesses, "writes"); i < m; ++i)
        if (const int b = find_buffer(s, "writes", writes.at(i).name()); b >= 0) s.writes.add(b);
    }
    s.agent = plan.agent_index(agent);
    if (s.agent < 0) {
      s.agent = plan.agents.size();
      plan.agents.add(agent);
    }
    plan.stages.add(s);
  }

  void add_read(stage_type& s, const node& n) {
    read_access access;
    if (n.value.is_string()) {
      access.buffer = find_buffer(s, "reads", n.name());
    } else {
      if (!n.value.is_object()) n.refuse_type("a buffer's name or {\"buffer\", \"window\"}");
      n.must_be_object({"buffer"}, {"window"});
      access.buffer = find_buffer(s, "reads", n.at("buffer").name());
      if (n.value.contains("window")) {
        const node window = n.at("window");
        if (!window.value.is_array() || window.value.size() != 2) window.refuse_type("two integers");
        access.window = {window.at(std::size_t{0}).integer(-most_window, most_window),
                         window.at(std::size_t{1}).integer(-most_window, most_window)};
      }
    }
    if (access.buffer >= 0) s.reads.add(access);
  }

  int find_buffer(const stage_type& s, std::string_view verb, const std::string& name) {
    const int b = result.value.buffer_index(name);
    if (b < 0)
      result.unknown_names.push_back(
          fmt::format("stage '{}' {} buffer '{}', which is not declared", s.name, verb, name));
    return b;
  }
};

}  // namespace

parsed_plan parse_plan(std::string_view bytes, std::string_view source) {
  const json document = parse_strict_json(bytes, source, most_nesting);
  return plan_reader(node{document, std::string(source), ""}).result;
}

std::string describe_limits() {
  return fmt::format(
      "Limits: a plan has at most {} stages and {} buffers and {} bytes of UTF-8 JSON; a stage has at most "
      "{} reads and\n"
      "{} writes; names have 1 to {} characters, none a control character; depth is 0 to {} (0 is read, "
      "then\n"
      "rejected); a window lies within -{} to {}, skew and order within -{} to {}; issue and latency are 0 "
      "to {:g} ns.\n"
      "What lies beyond these limits, unknown or repeated keys, wrong types and malformed JSON are "
      "unreadable input.",
      most_stages, most_buffers, most_plan_bytes, most_accesses, most_accesses, most_name, most_depth, most_window,
      most_window, most_shift, most_shift, most_ns);
}

}  // namespace penstock::command
