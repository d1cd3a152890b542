// The command as its users meet it: arguments, exit statuses, files.
#include "command_line.hpp"

#include "src/plans.hpp"
#include "src/process.hpp"
#include "src/trace_bytes.hpp"
#include "src/xml.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>

using namespace penstock::command;
using nlohmann::json;
using process::scratch_file;

// The tests link the command without the part that asks the CUDA runtime.
machine penstock::command::examine_machine() { return {}; }

namespace {

const std::string too_shallow =
    R"({"buffers":[{"name":"b","depth":2}],"stages":[{"name":"w","mode":"async","writes":["b"]},
  {"name":"r","mode":"sync","reads":[{"buffer":"b","window":[-1,1]}]}]})";

// One printable line on standard error, and nothing on standard output.
void check_refused(const outcome& o, std::string_view part) {
  CHECK(o.status == 2);
  CHECK(o.output.empty());
  CHECK(o.error.starts_with("penstock: "));
  CHECK_MESSAGE(o.error.find(part) != o.error.npos, o.error);
  for (char c : o.error) CHECK(static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace

TEST_CASE("exit statuses: 0 sound, 1 rejected, 2 unreadable") {
  const scratch_file good(plans::stencil), bad(too_shallow), broken("{");
  for (const char* form : {"--json", "--latency"}) {
    const outcome sound_plan = run_command({"explain", good.path(), form});
    CHECK(sound_plan.status == 0);
    CHECK(sound_plan.error.empty());
    const outcome rejected_plan = run_command({"explain", bad.path(), form});
    CHECK(rejected_plan.status == 1);
    CHECK(rejected_plan.error.empty());
    CHECK(rejected_plan.output.find("smallest depth that works is 3") != std::string::npos);
    check_refused(run_command({"explain", broken.path(), form}), broken.path() + ": 1:2: ");
  }
  CHECK(run_command({"simulate", good.path(), "--iterations", "5"}).status == 0);
  CHECK(run_command({"simulate", bad.path(), "--iterations", "5"}).status == 1);
  check_refused(run_command({"simulate", broken.path(), "--iterations", "5"}), "1:2");
}

TEST_CASE("--json and --latency") {
  const scratch_file plan(plans::stencil);
  CHECK(json::parse(run_command({"explain", plan.path(), "--json"}).output)["period_ns"].is_null());
  CHECK(json::parse(run_command({"explain", plan.path(), "--json", "--latency"}).output)["period_ns"] == 0.0);
  CHECK(json::parse(run_command({"explain", "--json", plan.path()}).output)["ok"] == true);
}

TEST_CASE("wrong use is refused with what is allowed") {
  const scratch_file plan(plans::stencil);
  check_refused(run_command({}), "no command given; the commands are explain, simulate, doctor and trace");
  check_refused(run_command({"frobnicate"}), "no command named frobnicate");
  check_refused(run_command({"explain"}), "PLAN.json is required");
  check_refused(run_command({"explain", plan.path(), "--frob"}), "--frob");
  check_refused(run_command({"explain", plan.path(), "another"}), "another");
  check_refused(run_command({"explain", plan.path(), "--svg"}), "--svg");
  check_refused(run_command({"explain", plan.path(), "--svg", "-"}), "--svg takes a file's name");
  check_refused(run_command({"simulate", plan.path()}), "--iterations");
  for (const char* n : {"0", "100001", "-1", "many", "1.5", "99999999999999999999"})
    check_refused(run_command({"simulate", plan.path(), "--iterations", n}), "--iterations");
  check_refused(run_command({"trace", plan.path(), "--json", "a", "--svg", "b"}), "excludes");
  check_refused(run_command({"trace", plan.path(), "--block", "1"}), "--svg");
  check_refused(run_command({"doctor", "now"}), "now");
  check_refused(run_command({"explain", "no\nsuch\x1b[31mfile"}), "No such file");
}

TEST_CASE("help states every limit, and the version is the headers'") {
  for (const char* command : {"explain", "simulate", "trace", "doctor"}) {
    const outcome help = run_command({command, "--help"});
    CHECK(help.status == 0);
    CHECK(help.output.find(std::string("Usage: penstock ") + command) != std::string::npos);
    CHECK(help.output.find("Exit status") != std::string::npos);
  }
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"explain", "--help"}, {"simulate", "--help"}, {"--help"}}) {
    const std::string help = run_command(asked).output;
    for (const char* limit : {"16 stages", "16 buffers", "1048576 bytes", "64 characters", "65536", "-64 to 64",
                              "-4096 to 4096", "1e+12 ns", "at most 16 reads"})
      CHECK_MESSAGE(help.find(limit) != help.npos, limit);
  }
  CHECK(run_command({"simulate", "--help"}).output.find("1 to 100000") != std::string::npos);
  CHECK(run_command({"trace", "--help"}).output.find("67108864 bytes") != std::string::npos);
  CHECK(run_command({"--help"}).status == 0);
  CHECK(run_command({"--version"}).output == "penstock " PENSTOCK_TEST_PROJECT_VERSION "\n");
}

TEST_CASE("input that is no file of ours") {
  check_refused(run_command({"explain", "/nonexistent/plan.json"}),
                "/nonexistent/plan.json: cannot read: No such file");
  check_refused(run_command({"explain", "/tmp"}), "/tmp: cannot read: Is a directory");
  check_refused(run_command({"explain", "/dev/zero"}), "larger than the 1048576 bytes allowed");
  check_refused(run_command({"explain", "/dev/null"}), "1:1");
  const scratch_file plan(plans::stencil);
  check_refused(run_command({"trace", plan.path()}), "does not begin as a recorded trace does");
}

TEST_CASE("a plan just as large as the limit is read, one byte more is not") {
  const std::string padding((std::size_t{1} << 20) - plans::stencil.size(), ' ');
  CHECK(run_command({"explain", scratch_file(plans::stencil + padding).path()}).status == 0);
  check_refused(run_command({"explain", scratch_file(plans::stencil + padding + " ").path()}), "larger than");
}

TEST_CASE("pictures are written whole, beside the report") {
  const scratch_file plan(plans::axpy), bad(too_shallow), picture("old");
  const auto readable = [&] {
    struct stat s {};
    return stat(picture.path().c_str(), &s) == 0 && (s.st_mode & 0400) != 0;
  };
  CHECK(run_command({"explain", plan.path(), "--svg", picture.path()}).output.find("sound") != std::string::npos);
  CHECK(xml::fault_in(picture.contents()) == "");
  CHECK(readable());
  CHECK(run_command({"simulate", plan.path(), "--iterations", "9", "--svg", picture.path()}).status == 0);
  CHECK(xml::fault_in(picture.contents()) == "");
  CHECK(run_command({"explain", bad.path(), "--svg", picture.path()}).status == 1);
  CHECK(picture.contents().find("rejected") != std::string::npos);
}

TEST_CASE("what cannot be written is refused, and leaves the old file and nothing else") {
  namespace fs = std::filesystem;
  const scratch_file plan(plans::stencil);
  check_refused(run_command({"explain", plan.path(), "--svg", "/nonexistent/x.svg"}),
                "/nonexistent/x.svg: cannot write: No such file");
  check_refused(run_command({"explain", plan.path(), "--svg", "/dev/full"}), "No space left");
  check_refused(run_command({"explain", plan.path(), "--svg", "/tmp"}), "/tmp: cannot write: Is a directory");
  std::string made = (fs::temp_directory_path() / "penstock_test_XXXXXX").string();
  REQUIRE(mkdtemp(made.data()) != nullptr);
  const fs::path folder = made;
  const fs::path target = folder / "target.svg", link = folder / "link.svg";
  std::ofstream(target) << "old";
  fs::create_symlink(target, link);
  const scratch_file broken("{");
  check_refused(run_command({"explain", broken.path(), "--svg", link.string()}), "1:2");
  CHECK(fs::file_size(target) == 3);
  CHECK(run_command({"explain", plan.path(), "--svg", link.string()}).status == 0);
  CHECK(fs::is_symlink(link));
  CHECK(fs::file_size(target) > 1000);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 2);
  fs::remove_all(folder);
}

TEST_CASE("--lower prints the table of a backend, with its instructions") {
  const scratch_file plan(plans::stencil), large(R"({"buffers":[{"name":"b","depth":65}],"stages":[
    {"name":"w","mode":"async","writes":["b"]},{"name":"r","mode":"sync","reads":["b"]}]})");
  const auto lowered = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explain", plan.path(), "--lower"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string text = run_command(arguments).output;
    return text.substr(text.find("\nlowered for ") + 1);
  };
  const std::string hopper = lowered({"hopper"});
  for (const char* part :
       {"lowered for hopper, specialised: 3 agents, 10 warps a block", "agent `copy in`, 1 warp: every step\n",
        "    read     wait for `compute` 3 iterations back (WAR on `in`)\n"
        "               all lanes: mbarrier.try_wait.parity.shared::cta.b64\n",
        "one lane: mbarrier.arrive.expect_tx.shared::cta.b64\n",
        "in the first step only, wait for instance 0 of `read`",
        "\n  before the first run, all lanes: fence.proxy.async.shared::cta\n",
        "               all lanes: fence.proxy.async.shared::cta\n",
        "one lane: cp.async.bulk.wait_group 0\n"})
    CHECK_MESSAGE(hopper.find(part) != hopper.npos, hopper);
  const std::string ampere = lowered({"ampere"});
  for (const char* part :
       {"lowered for ampere, uniform: 1 agent, 8 warps a block, 0 mbarriers", "all lanes: cp.async.wait_group 0\n",
        "barrier of the agent\n               all lanes: bar.sync 0\n", "all lanes: cp.async.commit_group\n"})
    CHECK_MESSAGE(ampere.find(part) != ampere.npos, ampere);
  CHECK(lowered({"hopper", "--uniform"}).starts_with("lowered for hopper, uniform: 1 agent"));
  CHECK(lowered({"portable"}).find("cp.async") == std::string::npos);
  CHECK(lowered({"host"}).find("3 threads a block, 10 completion counters") != std::string::npos);
  check_refused(run_command({"explain", plan.path(), "--lower", "volta"}), "hopper");
  check_refused(run_command({"explain", plan.path(), "--lower", "host", "--json"}), "excludes");
  check_refused(run_command({"explain", plan.path(), "--uniform"}), "--lower");
  check_refused(run_command({"explain", large.path(), "--lower", "host"}),
                "/buffers/0/depth: --lower takes at most 64 slots a buffer, not 65");
  CHECK(run_command({"explain", scratch_file(too_shallow).path(), "--lower", "host"}).status == 1);
  const scratch_file two_at_once(R"({"buffers":[{"name":"a","depth":2},{"name":"b","depth":2}],"stages":[
    {"name":"get","mode":"async","writes":["a","b"]},{"name":"use","mode":"sync","reads":["a","b"]}]})");
  CHECK(run_command({"explain", two_at_once.path()}).status == 0);
  check_refused(run_command({"explain", two_at_once.path(), "--lower", "hopper"}),
                "/stages: --lower: async stage 'get' writes 2 buffers; a copy moves one slot: give each buffer a stage");
}

TEST_CASE("a trace becomes text, JSON or a picture") {
  const scratch_file recorded(trace_bytes::two_agents().bytes()), target;
  CHECK(run_command({"trace", recorded.path()}).output.starts_with("1 block, 2 agents"));
  CHECK(json::accept(run_command({"trace", recorded.path(), "--json", "-"}).output));
  CHECK(xml::fault_in(run_command({"trace", recorded.path(), "--svg", "-"}).output) == "");
  const outcome written = run_command({"trace", recorded.path(), "--json", target.path()});
  CHECK(written.status == 0);
  CHECK(written.output.empty());
  CHECK(json::accept(target.contents()));
  CHECK(run_command({"trace", recorded.path(), "--svg", target.path(), "--block", "0"}).status == 0);
  CHECK(xml::fault_in(target.contents()) == "");
  check_refused(run_command({"trace", recorded.path(), "--svg", target.path(), "--block", "5"}), "no block 5");
}

TEST_CASE("doctor prints what the machine is asked for") {
  const outcome o = run_command({"doctor"}, [] {
    machine m;
    m.built_with_cuda = true;
    m.runtime_version = 13000;
    m.driver_version = 13010;
    m.devices.push_back({"Some\x1b GPU", 90, 132, std::size_t{141} << 30, 232448, 233472, 90, false, ""});
    m.devices.push_back({"Older", 75, 40, std::size_t{16} << 30, 65536, 65536, 0, false, ""});
    m.devices.push_back({"Newer", 120, 100, std::size_t{32} << 30, 101376, 102400, 80, true, ""});
    m.devices.push_back({"Busy", 90, 132, std::size_t{141} << 30, 232448, 233472, 0, false, "out of memory"});
    return m;
  });
  CHECK(o.status == 0);
  for (const char* part :
       {"CUDA runtime 13.0, driver for CUDA up to 13.1", "device 0: Some? GPU",
        "compute capability 9.0, 132 multiprocessors", "shared memory 227 KiB a block, 228 KiB a multiprocessor",
        "backend hopper: this build holds code for compute capability 9.0",
        "backend none: this build holds no code for it; build with -Dgpu_archs=75",
        "backend ampere: this build holds PTX for compute capability 8.0",
        "the device could use hopper: build with -Dgpu_archs=120",
        "backend unknown: the CUDA runtime says: out of memory"})
    CHECK_MESSAGE(o.output.find(part) != std::string::npos, part);
  CHECK(run_command({"doctor"}, [] { return machine{}; }).output.find("built without CUDA") != std::string::npos);
  CHECK(run_command({"doctor"}, [] {
          machine m;
          m.built_with_cuda = true;
          return m;
        }).output.find("no GPU here") != std::string::npos);
}
