#include "export/protobuf_writer.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(ProtobufMessage, WritesTheExamplesOfItsSpecification) {
  EXPECT_EQ(ProtobufMessage().number(1, 150).bytes(), std::string("\x08\x96\x01"));
  EXPECT_EQ(ProtobufMessage().text(2, "testing").bytes(), std::string("\x12\x07testing"));
  EXPECT_EQ(ProtobufMessage().message(3, ProtobufMessage().number(1, 150)).bytes(),
            std::string("\x1a\x03\x08\x96\x01"));
  EXPECT_EQ(ProtobufMessage().numbers(6, {3, 270, 86942}).bytes(), std::string("\x32\x06\x03\x8e\x02\x9e\xa7\x05"));
  EXPECT_EQ(ProtobufMessage().floats(1, {1.0F}).bytes(), std::string("\x0a\x04\x00\x00\x80\x3f", 6));
  EXPECT_EQ(ProtobufMessage().doubles(1, {1.0}).bytes(), std::string("\x0a\x08\x00\x00\x00\x00\x00\x00\xf0\x3f", 10));
}

}  // namespace
}  // namespace treecca
