// .npy arrays come back as they were written, and a file that is not such an array is refused with the
// reason.
#include "support/npy.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <numeric>

#include "scratch.hpp"

using namespace penstock::examples;
namespace fs = std::filesystem;

namespace {

std::string with_length(std::string_view version, std::string_view dictionary) {
  std::string file = "\x93NUMPY";
  file += version;
  for (std::size_t i = 0; i < (version[0] == 1 ? 2u : 4u); ++i)
    file += static_cast<char>(dictionary.size() >> 8 * i & 0xff);
  return file.append(dictionary);
}

constexpr std::string_view version_1{"\1\0", 2};
constexpr std::string_view version_2{"\2\0", 2};
constexpr std::string_view version_3{"\3\0", 2};

std::string header_text(std::string_view shape, std::string_view descr = "'<f4'",
                        std::string_view fortran = "False") {
  return "{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + ", }\n";
}

// What reading `content` throws, without the front that every such sentence has.
std::string refusal(const scratch_folder& folder, const std::string& content) {
  const fs::path path = folder / "array.npy";
  put_text(path, content);
  const std::string front = "cannot read '" + path.string() + "': ";
  const std::string sentence = sentence_of([&] { npy_reader file(path); });
  REQUIRE(sentence.starts_with(front));
  return sentence.substr(front.size());
}

std::string refused_header(std::string_view dictionary) {
  return sentence_of([&] { parse_npy_header(dictionary); });
}

}  // namespace

TEST_CASE_TEMPLATE("arrays come back as they were written", value, float, double) {
  const scratch_folder folder;
  const fs::path path = folder / "array.npy";
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{7},
                                                  {1},
                                                  {0},
                                                  {3, 5},
                                                  {1, 1},
                                                  {0, 4},
                                                  {4, 0},
                                                  {2, 3, 4},
                                                  {2, 0, 4},
                                                  {0, 0, 0}}) {
    std::vector<value> values(npy_header{npy_type::f32, shape}.count());
    std::iota(values.begin(), values.end(), value(0.5));
    if (!values.empty()) values.back() = std::numeric_limits<value>::quiet_NaN();
    write_npy(path, shape, values);
    CHECK(fs::file_size(path) == 128 + values.size() * sizeof(value));

    const npy_array<value> back = read_npy<value>(path);
    CHECK(back.shape == shape);
    REQUIRE(back.count == values.size());
    CHECK(
        (values.empty() || std::memcmp(back.data.get(), values.data(), values.size() * sizeof(value)) == 0));
  }
}

TEST_CASE("a file is what NumPy writes") {
  const scratch_folder folder;
  // numpy.save of numpy.array([[1, 2, 3]], '<f4') by NumPy 2
  const std::string dictionary =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }" + std::string(58, ' ') + "\n";
  const float values[] = {1, 2, 3};
  const std::string expected =
      with_length(version_1, dictionary) + std::string(reinterpret_cast<const char*>(values), 12);
  write_npy(folder / "array.npy", {1, 3}, values);
  CHECK(text_of(folder / "array.npy") == expected);
}

TEST_CASE("planes stream in and out one after another") {
  const scratch_folder folder;
  const fs::path path = folder / "volume.npy";
  npy_writer out(path, {npy_type::f64, {3, 2, 2}});
  for (double plane = 0; plane < 3; ++plane) out.write(std::vector<double>(4, plane));
  CHECK(!fs::exists(path));
  out.commit();

  npy_reader in(path);
  CHECK(in.header() == npy_header{npy_type::f64, {3, 2, 2}});
  for (double plane = 0; plane < 3; ++plane) {
    CHECK(in.values_left() == 12 - 4 * static_cast<std::uint64_t>(plane));
    std::vector<double> values(4);
    in.read(values);
    CHECK(values == std::vector<double>(4, plane));
  }
  std::vector<double> more(1);
  CHECK(sentence_of([&] { in.read(more); }) ==
        "cannot read 1 values of f64: '" + path.string() + "' has 0 values of f64 left");
}

TEST_CASE("every header that Python would read alike is accepted") {
  const npy_header expected{npy_type::f32, {3, 4}};
  CHECK(parse_npy_header(header_text("(3, 4)")) == expected);
  CHECK(parse_npy_header("{'shape':(3,4,),'fortran_order':False,'descr':'<f4'}") == expected);
  CHECK(parse_npy_header(" { \"shape\" : ( 3 , 4 ) , \"descr\":\"<f4\" , 'fortran_order' : False , }  \n") ==
        expected);
  CHECK(parse_npy_header(header_text("(3L, 4L)")) == expected);
  CHECK(parse_npy_header(header_text("(0,)", "'<f8'")) == npy_header{npy_type::f64, {0}});
  CHECK(parse_npy_header(header_text("(1, 2305843009213693951, 0)")).count() == 0);
}

TEST_CASE("format versions 1.0, 2.0 and 3.0 are read") {
  const scratch_folder folder;
  for (const std::string_view version : {version_1, version_2, version_3}) {
    put_text(folder / "array.npy", with_length(version, header_text("(2,)")) + std::string(8, '\0'));
    CHECK(read_npy<float>(folder / "array.npy").count == 2);
  }
  // Longer than a version 1.0 header can say.
  put_text(folder / "array.npy",
           with_length(version_2, header_text("(2,)") + std::string(65'400, ' ')) + std::string(8, '\0'));
  CHECK(read_npy<float>(folder / "array.npy").count == 2);
}

TEST_CASE("what is no .npy file is refused") {
  const scratch_folder folder;
  const std::string valid = with_length(version_1, header_text("(2,)")) + std::string(8, '\0');
  CHECK(refusal(folder, "") == "it is 0 bytes long and ends within its header");
  CHECK(refusal(folder, "\x93NUMP") == "it is 5 bytes long and ends within its header");
  CHECK(refusal(folder, "PK\3\4 zipped") ==
        "it begins with the bytes 50 4B 03 04 20 7A, a .npy file with 93 4E 55 4D 50 59");
  CHECK(refusal(folder, valid.substr(0, 7)) == "it is 7 bytes long and ends within its header");
  CHECK(refusal(folder, valid.substr(0, 9)) == "it is 9 bytes long and ends within its header");
  CHECK(refusal(folder, with_length({"\4\0", 2}, header_text("(2,)"))) ==
        "its format version is 4.0, allowed are 1.0, 2.0 and 3.0");
  CHECK(refusal(folder, with_length({"\1\1", 2}, header_text("(2,)"))) ==
        "its format version is 1.1, allowed are 1.0, 2.0 and 3.0");
  CHECK(refusal(folder, with_length({"\0\0", 2}, header_text("(2,)"))) ==
        "its format version is 0.0, allowed are 1.0, 2.0 and 3.0");
  CHECK(refusal(folder, valid.substr(0, 40)) == "its header has 58 bytes, but only 30 follow");
  CHECK(refusal(folder, "\x93NUMPY\2" + std::string(1, '\0') + "\xff\xff\xff\xff{}") ==
        "its header has 4294967295 bytes, allowed are at most 65536");
}

TEST_CASE("data that is not as long as its shape says is refused") {
  const scratch_folder folder;
  const std::string front = with_length(version_1, header_text("(3, 4)", "'<f8'"));
  CHECK(refusal(folder, front) ==
        "its shape (3, 4) of f64 needs 96 bytes of data, but 0 follow its header (truncated)");
  CHECK(refusal(folder, front + std::string(95, '\0')) ==
        "its shape (3, 4) of f64 needs 96 bytes of data, but 95 follow its header (truncated)");
  CHECK(refusal(folder, front + std::string(97, '\0')) ==
        "its shape (3, 4) of f64 needs 96 bytes of data, but 97 follow its header (something is appended)");
  CHECK(refusal(folder, with_length(version_1, header_text("(0, 4)")) + "x") ==
        "its shape (0, 4) of f32 needs 0 bytes of data, but 1 follow its header (something is appended)");
}

TEST_CASE("beyond 4 GiB, one byte too few or too many is still seen") {
  const scratch_folder folder;
  const fs::path path = folder / "array.npy";
  const std::string front = with_length(version_1, header_text("(1342177283,)"));
  const std::uint64_t data = std::uint64_t{1342177283} * 4;
  CHECK(refusal(folder, front) ==
        "its shape (1342177283) of f32 needs 5368709132 bytes of data, but 0 follow its header (truncated)");
  fs::resize_file(path, front.size() + data);
  CHECK(npy_reader(path).values_left() == 1342177283);
  for (const std::uint64_t wrong : {data - 1, data + 1}) {
    fs::resize_file(path, front.size() + wrong);
    CHECK(sentence_of([&] { npy_reader file(path); }).find(" but " + std::to_string(wrong) + " follow") !=
          std::string::npos);
  }
}

TEST_CASE("arrays of other types, orders and ranks are refused") {
  const auto type = [](std::string_view descr) { return refused_header(header_text("(2,)", descr)); };
  CHECK(type("'>f4'") ==
        "its dtype is '>f4' (big-endian), allowed are '<f4' and '<f8' (little-endian f32 and f64)");
  CHECK(type("'<i4'") == "its dtype is '<i4', allowed are '<f4' and '<f8' (little-endian f32 and f64)");
  CHECK(type("'<f2'") == "its dtype is '<f2', allowed are '<f4' and '<f8' (little-endian f32 and f64)");
  CHECK(type("'\1\xff longer than any'") ==
        "its dtype is '?? longer than a', allowed are '<f4' and '<f8' (little-endian f32 and f64)");
  CHECK(type("[('x', '<f4')]") == "its header holds \"[('x', '<f4')], \" where a plain dtype is expected");
  CHECK(refused_header(header_text("(2, 3)", "'<f4'", "True")) ==
        "its array is in Fortran order, allowed is C order (numpy.ascontiguousarray converts)");
  CHECK(refused_header(header_text("()")) == "its array has 0 dimensions, allowed are 1 to 3");
  CHECK(refused_header(header_text("(1, 2, 3, 4)")) ==
        "its array has more than 3 dimensions, allowed are 1 to 3");
}

TEST_CASE("shapes beyond 63 bits are refused, also behind an extent of 0") {
  CHECK(refused_header(header_text("(2305843009213693952,)")) ==
        "its shape (2305843009213693952) of 4-byte values exceeds 2^63 - 1 bytes");
  CHECK(refused_header(header_text("(2305843009213693951,)")) == "");
  CHECK(refused_header(header_text("(4294967296, 4294967296, 4294967296)", "'<f8'")) ==
        "its shape (4294967296, 4294967296, 4294967296) of 8-byte values exceeds 2^63 - 1 bytes");
  CHECK(refused_header(header_text("(0, 4294967296, 4294967296)")) ==
        "its shape (0, 4294967296, 4294967296) of 4-byte values exceeds 2^63 - 1 bytes");
  CHECK(refused_header(header_text("(9223372036854775808,)")) == "an extent of its shape exceeds 2^63 - 1");
  CHECK(refused_header(header_text("(99999999999999999999999,)")) ==
        "an extent of its shape exceeds 2^63 - 1");
}

TEST_CASE("headers that Python would not read are refused at their place") {
  CHECK(refused_header("") == "its header ends where { is expected");
  CHECK(refused_header("[]") == "its header holds \"[]\" where { is expected");
  CHECK(refused_header("{") == "its header ends where a key is expected");
  CHECK(refused_header("{'descr") == "its header holds \"descr\" where a key is expected");
  CHECK(refused_header("{'descr' '<f4'}") == "its header holds \"'<f4'}\" where : is expected");
  CHECK(refused_header("{'colour': 1}") ==
        "its header has the key 'colour', allowed are 'descr', 'fortran_order' and 'shape'");
  CHECK(refused_header("{'descr': '<f4', 'descr': '<f8'}") == "its header gives 'descr' twice");
  CHECK(refused_header("{'descr': '<f4', 'shape': (1,)}") == "its header lacks 'fortran_order'");
  CHECK(refused_header("{'descr': '<f4', 'fortran_order': False}") == "its header lacks 'shape'");
  CHECK(refused_header("{}") == "its header lacks 'descr'");
  CHECK(refused_header(header_text("(7)")) == "its header holds \"), }\" where , is expected");
  CHECK(refused_header(header_text("(,)")) ==
        "its header holds \",), }\" where an extent of 0 or more is expected");
  CHECK(refused_header(header_text("(1 2)")) == "its header holds \"2), }\" where , is expected");
  CHECK(refused_header(header_text("(1, 2 3)")) == "its header holds \"3), }\" where ) is expected");
  CHECK(refused_header(header_text("(1, -2)")) ==
        "its header holds \"-2), }\" where an extent of 0 or more is expected");
  CHECK(refused_header(header_text("(1.5,)")) == "its header holds \".5,), }\" where , is expected");
  CHECK(refused_header(header_text("(2,)", "'<f4'", "0")) ==
        "its header holds \"0, 'shape': (2,)\" where True or False is expected");
  CHECK(refused_header(header_text("(2,)") + "more") ==
        "its header holds \"more\" where the end is expected");
  CHECK(refused_header(header_text("(2,)") + '\0') == "its header holds \"?\" where the end is expected");
}

TEST_CASE("a mismatch of types or counts is refused, and nothing is written") {
  const scratch_folder folder;
  const fs::path path = folder / "array.npy";
  write_npy(path, {2}, std::vector<float>{1, 2});
  const std::string old = text_of(path);
  const auto quoted = "'" + path.string() + "'";

  CHECK(sentence_of([&] { read_npy<double>(path); }) ==
        "cannot read 2 values of f64: " + quoted + " has 2 values of f32 left");
  CHECK(sentence_of([&] {
          write_npy(path, {3}, std::vector<float>{1, 2});
        }) == "cannot write " + quoted + ": 1 of its 3 values are missing");
  CHECK(sentence_of([&] {
          write_npy(path, {1}, std::vector<float>{1, 2});
        }) == "cannot write 2 values of f32: " + quoted + " has 1 values of f32 left");
  CHECK(sentence_of([&] {
          npy_writer(path, {npy_type::f64, {2}}).write(std::vector<float>{1, 2});
        }) == "cannot write 2 values of f32: " + quoted + " has 2 values of f64 left");
  CHECK(sentence_of([&] {
          npy_writer(path, {npy_type::f32, {}});
        }) == "cannot write " + quoted + ": its array has 0 dimensions, allowed are 1 to 3");
  CHECK(sentence_of([&] {
          npy_writer(path, {npy_type::f32, {1, 1, 1, 1}});
        }) == "cannot write " + quoted + ": its array has more than 3 dimensions, allowed are 1 to 3");
  CHECK(text_of(path) == old);
  CHECK(folder.entries() == 1);
}
