// The kernels of the PTX lint: compiled, never run. With PENSTOCK_LINT_MUTANTS those whose tables are broken.
#include "ptx/entries.hpp"

#include <penstock/arch/native.hpp>

namespace lint {

#if defined(PENSTOCK_LINT_MUTANTS)
using entries = every_mutant<backend_for(PENSTOCK_TEST_TARGET)>;
#else
using entries = every_entry;
#endif

template <int I>
struct array_of {
  typename std::tuple_element_t<I, entries>::move::array value;
};

// The lint finds entry I by this name and number.
template <int I>
__global__ void lint_kernel(arguments a, const __grid_constant__ array_of<I> array) {
  run<std::tuple_element_t<I, entries>>(a, array.value);
}

template <int... I>
const void* instantiate(std::integer_sequence<int, I...>, int which) {
  const void* const kernels[] = {reinterpret_cast<const void*>(lint_kernel<I>)...};
  return kernels[which];
}

}  // namespace lint

const void* kernel_of(int which) {
  return lint::instantiate(std::make_integer_sequence<int, std::tuple_size_v<lint::entries>>{}, which);
}
