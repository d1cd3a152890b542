// Runs kernels whose lowering table is broken, to learn which faults hardware and sanitizers show. Not a test of
// penstock: tests/run/mutants.py runs one mutant a process, since a hang or a failed launch ends it.
//   mutants NUMBER      exit status 0: all words right, 1: wrong, 2: the launch failed, 3: it hangs, 77: no device
#include "run/mutant_subjects.hpp"

#include <penstock/run/launch.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace cases;

struct jobs {
  const word* in = nullptr;
  const word* other = nullptr;
  word* out = nullptr;
  long long stretch = 0;  // words a block
  long long n = 0;
  word seed = 0;
};

template <class Case, class... O>
__global__ void kernel(jobs a) {
  __shared__ run_result result[1024];
  const long long b = blockIdx.x;
  Case::template run<O...>(job{a.in + b * a.stretch, a.other + b * a.stretch, a.out + b * a.stretch, a.n, -1,
                               a.seed == 0 ? 0 : a.seed + static_cast<word>(b), &result[threadIdx.x]});
}

struct mutant {
  void (*start)(unsigned blocks, const jobs& a) = nullptr;
  word (*expect)(const word* in, const word* other, long long n, long long i, int k) = nullptr;
};

template <class Subject, int Mutant>
void start(unsigned blocks, const jobs& a) {
  using pipeline = typename Subject::pipeline;
  using mapping = mutants::broken<typename Subject::mapping, Mutant>;
  using ceiling = at_most<Subject::target>;
  launch<typename pipeline::line, mapping, ceiling>(nullptr, blocks, kernel<pipeline, mapping, ceiling>, a);
}

template <class Subject, int... N>
void add_mutants(std::vector<mutant>& all, std::integer_sequence<int, N...>) {
  (all.push_back({start<Subject, N - 1>, Subject::pipeline::expect}), ...);
}
template <class... Subjects>
std::vector<mutant> every_mutant(const std::tuple<Subjects...>&) {
  std::vector<mutant> all;
  (add_mutants<Subjects>(all, std::make_integer_sequence<int, Subjects::count>{}), ...);
  return all;
}

enum status { right = 0, wrong = 1, failed = 2, hangs = 3, no_device = 77 };

[[noreturn]] void end(status s, const std::string& why) {
  std::puts(why.c_str());
  std::fflush(stdout);
  std::_Exit(s);  // a kernel that never ends would keep the runtime's own clean-up waiting
}
void require(cudaError_t code) {
  if (code != cudaSuccess) end(failed, cudaGetErrorString(code));
}
void await_kernel(std::chrono::seconds patience) {
  const auto begin = std::chrono::steady_clock::now();
  cudaError_t code;
  while ((code = cudaStreamQuery(nullptr)) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() - begin > patience) end(hangs, "hangs");
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  require(code);
}

word* upload(const std::vector<word>& v) {
  word* p = nullptr;
  require(cudaMalloc(&p, v.size() * sizeof(word)));
  require(cudaMemcpy(p, v.data(), v.size() * sizeof(word), cudaMemcpyHostToDevice));
  return p;
}

// Under a sanitizer (PENSTOCK_SHORT_TESTS) little is enough: it looks at the order, not at the data.
void run(const mutant& m) {
  const bool little = std::getenv("PENSTOCK_SHORT_TESTS") != nullptr;
  const unsigned blocks = little ? 2 : 132;
  const long long n = little ? 11 : 41, stretch = n * tile_words;
  const int rounds = little ? 2 : 24;
  const auto patience = std::chrono::seconds(little ? 6 : 2);
  const auto in = coded(blocks * stretch, 1), other = coded(blocks * stretch, 2);
  std::vector<word> out(in.size());
  const word* d_in = upload(in);
  const word* d_other = upload(other);
  word* d_out = upload(out);
  long long bad = 0, first_round = -1;
  for (int round = 0; round < rounds; ++round) {
    require(cudaMemset(d_out, 0xa5, out.size() * sizeof(word)));
    // the first round without delays; each later block has delays of its own
    m.start(blocks, jobs{d_in, d_other, d_out, stretch, n, round == 0 ? 0u : 1000u * static_cast<word>(round) + 1u});
    await_kernel(patience);
    require(cudaMemcpy(out.data(), d_out, out.size() * sizeof(word), cudaMemcpyDeviceToHost));
    for (long long b = 0; b < blocks; ++b)
      for (long long i = 0; i < n; ++i)
        for (int k = 0; k < tile_words; ++k)
          if (out[static_cast<std::size_t>(b * stretch + i * tile_words + k)] !=
              m.expect(in.data() + b * stretch, other.data() + b * stretch, n, i, k)) {
            if (first_round < 0) first_round = round;
            ++bad;
          }
  }
  if (bad > 0) end(wrong, std::to_string(bad) + " words wrong, the first in round " + std::to_string(first_round));
  end(right, "right");
}

}  // namespace

int main(int count, char** words) {
  const std::vector<mutant> all = every_mutant(mutants::subjects{});
  char* rest = nullptr;
  const long number = count == 2 ? std::strtol(words[1], &rest, 10) : -1;
  if (number < 0 || *rest != '\0' || number >= static_cast<long>(all.size())) {
    std::fprintf(stderr, "usage: mutants NUMBER, from 0 to %zu\n", all.size() - 1);
    return 64;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) end(no_device, "skipped: no CUDA device");
  try {
    run(all[static_cast<std::size_t>(number)]);
  } catch (const std::exception& e) {
    end(failed, e.what());
  }
}
