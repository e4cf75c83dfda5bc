#include "support/utf8.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(IsUtf8, AcceptsExactlyWhatTheStandardSays) {
  for (const char* text : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xEF\xBF\xBF",
                           "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF", "\xEE\x80\x80"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\xE9", "a\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
                           "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xFF",
                           "\xC3"
                           "a",
                           "\xE2\x82"
                           "a",
                           "\xF0\x9F\x98"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

}  // namespace
}  // namespace treecca
