// Boxes of strided arrays against a loop on the host: any rank, element, pitch, offset and permutation; clipped and
// filled; and the halos that are made of them. What no box covers stays as it was.
#include "algorithm/device_array.hpp"
#include "support/refusals.hpp"

#include <penstock/algorithm/halo.hpp>
#include <penstock/algorithm/permute.hpp>

#if defined(__CUDACC__)
#include <penstock/algorithm/mdspan.hpp>
#endif

#include <random>

namespace {

using namespace penstock;
using device::first_difference;

template <int Size>
struct alignas((Size & (Size - 1)) == 0 && Size <= 16 ? Size : 4) element {
  unsigned char bytes[Size];
};


// A dense or padded array of random strides, its axes in any order in memory.
template <int Rank, class Random>
long long random_strides(Random& random, const long long (&extent)[Rank], long long (&stride)[Rank], bool ordered) {
  int place[Rank];
  for (int a = 0; a < Rank; ++a) place[a] = a;
  if (!ordered)
    for (int a = Rank - 1; a > 0; --a) std::swap(place[a], place[random() % static_cast<unsigned>(a + 1)]);
  long long next = 1;
  for (int k = Rank - 1; k >= 0; --k) {
    stride[place[k]] = next;
    next *= extent[place[k]];
    if (random() % 2 == 0) next += random() % 5;
  }
  return next;  // elements of the whole
}

template <class T, int Rank, class Random>
void random_box(Random& random) {
  long long to_extent[Rank], from_extent[Rank], to_stride[Rank], from_stride[Rank], to_at[Rank], from_at[Rank],
      extent[Rank];
  constexpr unsigned most = Rank == 1 ? 300 : Rank == 2 ? 60 : Rank == 3 ? 18 : 8;
  const bool ordered = random() % 3 != 0;
  for (int a = 0; a < Rank; ++a) {
    to_extent[a] = 1 + random() % most;
    from_extent[a] = random() % 4 == 0 ? 1 : 1 + random() % most;
    to_at[a] = static_cast<long long>(random() % 7) - 2;
    from_at[a] = static_cast<long long>(random() % 7) - 2;
    extent[a] = random() % 6 == 0 ? 1 : random() % (most + 3);
  }
  const long long to_elements = random_strides(random, to_extent, to_stride, ordered);
  const long long from_elements = random_strides(random, from_extent, from_stride, ordered);
  const long long size = sizeof(T);
  const long long to_offset = static_cast<long long>(random() % 9) * static_cast<long long>(alignof(T));
  const long long from_offset = static_cast<long long>(random() % 9) * static_cast<long long>(alignof(T));
  device::bytes target(to_offset + to_elements * size + 32), source(from_offset + from_elements * size);
  const auto data = device::coded(source.size(), random());
  source.write(data);
  target.fill(0xa5);
  std::vector<unsigned char> expected(static_cast<std::size_t>(target.size()), 0xa5);
  T value{};
  for (unsigned b = 0; b < sizeof(T); ++b) value.bytes[b] = static_cast<unsigned char>(0x31 + b);
  const bool filling = sizeof(T) <= 16 && random() % 2 == 0;

  const strided<T, Rank> dst(reinterpret_cast<T*>(target.data() + to_offset), to_extent, to_stride);
  const strided<const T, Rank> src(reinterpret_cast<const T*>(source.data() + from_offset), from_extent, from_stride);
  if (filling) {
    if constexpr (sizeof(T) <= 16) copy_box(nullptr, dst, to_at, src, from_at, extent, fill<T>{value});
  } else {
    copy_box(nullptr, dst, to_at, src, from_at, extent);
  }
  device::require(cudaDeviceSynchronize());

  long long all = 1;
  for (long long e : extent) all *= e;
  for (long long k = 0; k < all; ++k) {
    long long rest = k, to = 0, from = 0;
    bool in_target = true, in_source = true;
    for (int a = Rank - 1; a >= 0; --a) {
      const long long p = rest % extent[a];
      rest /= extent[a];
      in_target = in_target && to_at[a] + p >= 0 && to_at[a] + p < to_extent[a];
      in_source = in_source && from_at[a] + p >= 0 && from_at[a] + p < from_extent[a];
      to += (to_at[a] + p) * to_stride[a];
      from += (from_at[a] + p) * from_stride[a];
    }
    if (!in_target || (!in_source && !filling)) continue;
    const void* what =
        in_source ? static_cast<const void*>(&data[static_cast<std::size_t>(from_offset + from * size)]) : &value;
    std::memcpy(&expected[static_cast<std::size_t>(to_offset + to * size)], what, sizeof(T));
  }
  INFO("rank " << Rank << ", elements of " << sizeof(T) << (filling ? ", filled" : ", clipped"));
  REQUIRE(first_difference(target.read(), expected) == -1);
}

template <class T>
void random_boxes(unsigned seed, int trials) {
  std::mt19937 random(seed);
  for (int k = 0; k < trials; ++k) {
    random_box<T, 1>(random);
    random_box<T, 2>(random);
    random_box<T, 3>(random);
    random_box<T, 4>(random);
    random_box<T, 5>(random);
  }
}

// Rows of `row` bytes at pitches and offsets that are aligned to nothing in particular.
void rows_of_bytes(long long row, long long rows, long long to_pitch, long long from_pitch, long long to_at,
                   long long from_at) {
  device::bytes target(to_at + rows * to_pitch + 64), source(from_at + (rows - 1) * from_pitch + row);
  const auto data = device::coded(source.size(), 3);
  source.write(data);
  target.fill(0xa5);
  std::vector<unsigned char> expected(static_cast<std::size_t>(target.size()), 0xa5);
  copy_box(nullptr, strided<unsigned char, 2>(target.data() + to_at, {rows, row}, {to_pitch, 1}),
           strided<const unsigned char, 2>(source.data() + from_at, {rows, row}, {from_pitch, 1}));
  device::require(cudaDeviceSynchronize());
  for (long long r = 0; r < rows; ++r)
    std::memcpy(&expected[static_cast<std::size_t>(to_at + r * to_pitch)],
                &data[static_cast<std::size_t>(from_at + r * from_pitch)], static_cast<std::size_t>(row));
  INFO(rows << " rows of " << row << " bytes, pitches " << to_pitch << " and " << from_pitch << ", offsets " << to_at
            << " and " << from_at);
  REQUIRE(first_difference(target.read(), expected) == -1);
}

template <class T, int Rank>
void permuted(const long long (&extent)[Rank], const int (&order)[Rank], long long to_shift = 0,
              long long from_shift = 0) {
  long long all = 1;
  for (long long e : extent) all *= e;
  const long long size = sizeof(T), bytes = all * size;
  device::bytes target(bytes + to_shift * size + 32), source(bytes + from_shift * size);
  const auto data = device::coded(source.size(), 5);
  source.write(data);
  target.fill(0xa5);
  std::vector<unsigned char> expected(static_cast<std::size_t>(target.size()), 0xa5);
  permute(nullptr, reinterpret_cast<T*>(target.data()) + to_shift,
          reinterpret_cast<const T*>(source.data()) + from_shift, extent, order);
  device::require(cudaDeviceSynchronize());
  long long stride[Rank];
  stride[Rank - 1] = 1;
  for (int a = Rank - 1; a > 0; --a) stride[a - 1] = stride[a] * extent[a];
  for (long long k = 0; k < all; ++k) {
    long long rest = k, from = 0;
    for (int a = Rank - 1; a >= 0; --a) {
      from += rest % extent[order[a]] * stride[order[a]];
      rest /= extent[order[a]];
    }
    std::memcpy(&expected[static_cast<std::size_t>((to_shift + k) * size)],
                &data[static_cast<std::size_t>((from_shift + from) * size)], sizeof(T));
  }
  INFO("elements of " << size << ", extent " << extent[0] << " × " << extent[1] << (Rank == 3 ? " × …" : ""));
  REQUIRE(first_difference(target.read(), expected) == -1);
}

template <class T>
void permutations() {
  for (const auto& [rows, columns] : {std::pair{1ll, 7ll},
                                      {128ll, 128ll},
                                      {64ll, 256ll},
                                      {257ll, 131ll},
                                      {33ll, 1000ll},
                                      {512ll, 16ll},
                                      {5001ll, 20ll}}) {
    permuted<T, 2>({rows, columns}, {1, 0});
    permuted<T, 2>({rows, columns}, {1, 0}, 1, 0);
    permuted<T, 2>({rows, columns}, {1, 0}, 0, 3);
    permuted<T, 2>({rows, columns}, {0, 1}, 2, 1);
  }
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    permuted<T, 3>({5, 70, 33}, order);
    permuted<T, 3>({64, 3, 128}, order);
    permuted<T, 3>({40, 36, 1}, order, 1, 2);
  }
}

template <class T>
void halo_round(const halo_shape& s, long long shift) {
  const halo_layout layout = halo_buffer<T>(s);
  long long wide[3], cells = 1;
  for (int a = 0; a < 3; ++a) cells *= wide[a] = s.n[a] + 2 * s.halo[a];
  const long long size = sizeof(T);
  device::bytes array((cells + shift) * size), buffer(layout.total * size + 16);
  const auto data = device::coded(array.size(), 11);
  array.write(data);
  buffer.fill(0xa5);
  T* first = reinterpret_cast<T*>(array.data()) + shift;
  pack(nullptr, reinterpret_cast<T*>(buffer.data()), first, s);
  device::require(cudaDeviceSynchronize());
  const auto packed = buffer.read();
  std::vector<unsigned char> expected(packed.size(), 0xa5);
  const auto cell = [&](long long z, long long y, long long x) {
    return static_cast<std::size_t>((shift + (z * wide[1] + y) * wide[2] + x) * size);
  };
  const auto for_each_cell = [&](bool ghosts, const auto& visit) {
    for (int k = 0; k < 27; ++k) {
      if (k == 13) continue;
      const int side[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
      long long begin[3], count[3];
      for (int a = 0; a < 3; ++a) {
        count[a] = side[a] == 0 ? s.n[a] : s.halo[a];
        begin[a] = side[a] == 0  ? s.halo[a]
                   : side[a] < 0 ? (ghosts ? 0 : s.halo[a])
                                 : (ghosts ? s.halo[a] + s.n[a] : s.n[a]);
      }
      REQUIRE(layout.count[k] == count[0] * count[1] * count[2]);
      long long at = layout.offset[k];
      for (long long z = 0; z < count[0]; ++z)
        for (long long y = 0; y < count[1]; ++y)
          for (long long x = 0; x < count[2]; ++x)
            visit(cell(begin[0] + z, begin[1] + y, begin[2] + x), static_cast<std::size_t>(at++ * size));
    }
  };
  for_each_cell(false, [&](std::size_t in_array, std::size_t in_buffer) {
    std::memcpy(&expected[in_buffer], &data[in_array], sizeof(T));
  });
  REQUIRE(first_difference(packed, expected) == -1);

  const auto received = device::coded(buffer.size(), 12);
  buffer.write(received);
  unpack(nullptr, first, reinterpret_cast<const T*>(buffer.data()), s);
  device::require(cudaDeviceSynchronize());
  auto filled = data;
  for_each_cell(true, [&](std::size_t in_array, std::size_t in_buffer) {
    std::memcpy(&filled[in_array], &received[in_buffer], sizeof(T));
  });
  REQUIRE(first_difference(array.read(), filled) == -1);
}

}  // namespace

TEST_CASE("random boxes of bytes") { random_boxes<element<1>>(1, 60); }
TEST_CASE("random boxes of words") {
  random_boxes<element<2>>(2, 30);
  random_boxes<element<4>>(3, 60);
  random_boxes<element<8>>(4, 30);
}
TEST_CASE("random boxes of large and odd elements") {
  random_boxes<element<16>>(5, 30);
  random_boxes<element<12>>(6, 30);
  random_boxes<element<20>>(7, 30);
}
TEST_CASE("rows at every alignment") {
  for (long long row : {1, 3, 15, 16, 17, 33, 64, 100, 255, 256, 1000})
    for (long long to_at : {0, 1, 8, 15})
      for (long long from_at : {0, 2, 13}) {
        rows_of_bytes(row, 37, row, row + 3, to_at, from_at);
        rows_of_bytes(row, 37, row + 5, row, to_at, from_at);
        rows_of_bytes(row, 20, 1024, 1040, to_at, from_at);
      }
  rows_of_bytes(70001, 9, 70016, 80001, 5, 6);
}
TEST_CASE("permutations") {
  permutations<element<1>>();
  permutations<element<2>>();
  permutations<element<4>>();
  permutations<element<8>>();
  permutations<element<16>>();
  permutations<element<12>>();
}
TEST_CASE("halos") {
  for (long long shift : {0, 1}) {
    halo_round<float>({{16, 16, 16}, {1, 1, 1}}, shift);
    halo_round<float>({{9, 17, 33}, {3, 2, 4}}, shift);
    halo_round<double>({{8, 8, 40}, {2, 2, 2}}, shift);
    halo_round<unsigned char>({{5, 6, 7}, {1, 3, 5}}, shift);
  }
  halo_round<float>({{4, 5, 6}, {0, 1, 0}}, 0);
}
#if defined(__CUDACC__)
TEST_CASE("mdspan") {
  constexpr int rows = 70, columns = 41;
  std::vector<int> v(rows * columns);
  for (int k = 0; k < rows * columns; ++k) v[static_cast<std::size_t>(k)] = 17 * k;
  device::bytes a(rows * columns * 4), b(rows * columns * 4);
  device::require(cudaMemcpy(a.data(), v.data(), v.size() * 4, cudaMemcpyHostToDevice));
  using extents = cuda::std::dextents<long long, 2>;
  const cuda::std::mdspan<int, extents> right(reinterpret_cast<int*>(a.data()), rows, columns);
  const cuda::std::mdspan<int, extents, cuda::std::layout_left> left(reinterpret_cast<int*>(b.data()), rows, columns);
  copy(nullptr, left, right);
  std::vector<int> turned(v.size());
  device::require(cudaMemcpy(turned.data(), b.data(), v.size() * 4, cudaMemcpyDeviceToHost));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      REQUIRE(turned[static_cast<std::size_t>(c * rows + r)] == v[static_cast<std::size_t>(r * columns + c)]);
}
#endif
TEST_CASE("what no single launch takes is cut, or goes by rows") {
  detail::strided_copy planes;  // 2^32 + 1 planes of 2 × 2 bytes, turned
  planes.element = 1;
  planes.axes = 3;
  const long long extent[3] = {(1ll << 32) + 1, 2, 2}, to_stride[3] = {4, 2, 1}, from_stride[3] = {4, 1, 2};
  for (int a = 0; a < 3; ++a) {
    planes.extent[a] = extent[a];
    planes.to_stride[a] = to_stride[a];
    planes.from_stride[a] = from_stride[a];
  }
  CHECK(!detail::turns_by_tiles(planes));
  planes.extent[0] = 1000;
  CHECK(detail::turns_by_tiles(planes));

  detail::strided_copy rows;  // 48 GiB to fill: more than 2^31 words
  rows.to = reinterpret_cast<unsigned char*>(1ull << 20);  // counted, never written
  rows.element = 16;
  rows.axes = 2;
  rows.extent[0] = 3ll << 30;
  rows.extent[1] = 1;
  rows.to_stride[0] = rows.from_stride[0] = 32;
  rows.to_stride[1] = rows.from_stride[1] = 16;
  detail::row_box_list<8> list;
  detail::add_to_list(nullptr, list, rows, true, "fills");
  long long items = 0;
  for (int k = 0; k < list.count; ++k) {
    items += list.box[k].items;
    CHECK(list.first_block[k + 1] - list.first_block[k] == detail::blocks_of(list.box[k]));
  }
  CHECK(list.count > 1);
  CHECK(items == 3ll << 30);
}

// More boxes than a list holds go in several launches.
TEST_CASE("lists that are full are launched") {
  device::bytes memory(4096);
  memory.fill(0xa5);
  detail::row_box_list<2> list;
  list.pattern.bytes[0] = 0x3c;
  std::vector<unsigned char> expected(4096, 0xa5);
  for (long long k = 0; k < 7; ++k) {
    detail::strided_copy c;
    c.to = memory.data() + 100 * k;
    c.axes = 1;
    c.extent[0] = 50;
    c.to_stride[0] = c.from_stride[0] = 1;
    detail::add_to_list(nullptr, list, c, true, "fills");
    std::fill_n(expected.begin() + 100 * k, 50, static_cast<unsigned char>(0x3c));
  }
  detail::start_row_list(nullptr, list, "fills");
  device::require(cudaDeviceSynchronize());
  CHECK(memory.read() == expected);
}

TEST_CASE("what is refused launches nothing, and says what was given and what is allowed") {
  device::bytes memory(4096);
  memory.fill(0xa5);
  float* p = reinterpret_cast<float*>(memory.data());
  const strided<float, 2> whole(p, {8, 8});
  CHECK(refused(
      [&] {
        permute(nullptr, p, p + 512, {4, 4}, {0, 0});
      },
      "axis 0 is given as axis 1 of the target; each axis from 0 to 1 must be given once"));
  CHECK(refused([&] { permute(nullptr, p, p + 512, {4, 4}, {1, 2}); }, "axis 2 is given as axis 1"));
  CHECK(refused([&] { permute(nullptr, p, p + 8, {4, 4}, {1, 0}); }, "overlaps the source box"));
  CHECK(refused([&] { transpose(nullptr, p, static_cast<float*>(nullptr), 2, 2); },
                "the source array is null, but 16 bytes are to be moved"));
  CHECK(refused([&] { transpose(nullptr, p, p + 512, -2, 2); }, "has extent -2 along axis"));
  CHECK(refused(
      [&] {
        pack(nullptr, p, p + 512, halo_shape{{2, 2, 2}, {1, 3, 1}});
      },
      "axis 1 has 2 cells and a halo of 3"));
  CHECK(refused(
      [&] {
        pack(nullptr, p, p + 512, halo_shape{{2, -2, 2}, {1, 1, 1}});
      },
      "axis 1 has -2 cells and a halo of 1; both must be 0 or more"));
  CHECK(refused(
      [&] {
        pack(nullptr, p, p + 512, halo_shape{{1ll << 31, 1ll << 31, 2}, {1, 1, 1}});
      },
      "the array may have at most"));
  CHECK(refused([&] { halo_buffer<float>({{1ll << 62, 1, 1}, {1ll << 62, 0, 0}}); }, "the array may have at most"));
  CHECK(refused([&] { pack(nullptr, p, p + 8, halo_shape{{2, 2, 2}, {1, 1, 1}}); }, "the buffer, 3328 bytes at"));
  CHECK(refused(
      [&] {
        unpack(nullptr, static_cast<float*>(nullptr), p, halo_shape{{2, 2, 2}, {1, 1, 1}});
      },
      "the array is null"));
  CHECK(refused([&] { copy_box(nullptr, strided<float, 2>(p, {4, 4}), strided<const float, 2>(p + 512, {4, 5})); },
                "along axis 1 the target has extent 4 and the source 5"));
  CHECK(refused(
      [&] {
        copy_box(nullptr, strided<float, 2>(p, {4, 4}, {3, 1}), strided<const float, 2>(p + 512, {4, 4}));
      },
      "a stride of the target is 12 bytes; 16 or more keep its rows from overlapping"));
  // rows 3 to 7 come from beyond the source: filled, they would lie where the box reads
  CHECK(refused(
      [&] {
        copy_box(nullptr, whole, {0, 0}, whole, {5, 0}, {8, 8}, fill<float>{1.0f});
      },
      "overlaps the source box"));
  // a target whose rows run into each other only where the part beside the source is filled
  CHECK(refused(
      [&] {
        copy_box(nullptr, strided<float, 2>(p, {4, 6}, {4, 1}), {0, 0}, strided<const float, 2>(p + 512, {4, 3}),
                 {0, 0}, {4, 6}, fill<float>{});
      },
      "a stride of the target is 16 bytes; 24 or more"));
  device::require(cudaDeviceSynchronize());
  CHECK(memory.read() == std::vector<unsigned char>(4096, 0xa5));
}
