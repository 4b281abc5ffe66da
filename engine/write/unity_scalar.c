#include "write/unity_scalar.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_alphanumeric(unsigned char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Words that YAML 1.1 takes for something else than text. */
static bool is_word(const char *text) {
  static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp(text, words[i]) == 0) return true;
  return false;
}

/* A stricter rule than YAML's, so that no reader's view of it matters. */
static bool is_plain(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)text[i];
    if (is_alphanumeric(c) || c == '_' || c >= 0x80) continue;
    if (i == 0 || !memchr(" .-/()+", c, 7)) return false;
  }
  return text[length - 1] != ' ' && !is_word(text);
}

static uint32_t code_point(const unsigned char *p, size_t length) {
  if (length == 1) return p[0];
  uint32_t code = p[0] & (0x7fU >> length);
  for (size_t i = 1; i < length; i++) code = code << 6 | (p[i] & 0x3f);
  return code;
}

/* What stands in a YAML file only as an escape. */
static bool needs_escape(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
         (code & 0xfffe) == 0xfffe;
}

static bool has_escapes(const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text;
  for (size_t i = 0, step; i < length; i += step) {
    step = utf8_sequence(p + i, length - i);
    if (step == 0) step = 1;
    if (needs_escape(code_point(p + i, step))) return true;
  }
  return false;
}

static void single_quoted(text_out *out, const char *text) {
  text_out_bytes(out, "'", 1);
  for (const char *quote; (quote = strchr(text, '\'')); text = quote + 1) {
    text_out_bytes(out, text, (size_t)(quote - text));
    text_out_bytes(out, "''", 2);
  }
  text_out_text(out, text);
  text_out_bytes(out, "'", 1);
}

static void put_escape(text_out *out, uint32_t code) {
  char text[16];
  const int length = code < 0x100     ? snprintf(text, sizeof text, "\\x%02X", code)
                     : code < 0x10000 ? snprintf(text, sizeof text, "\\u%04X", code)
                                      : snprintf(text, sizeof text, "\\U%08X", code);
  text_out_bytes(out, text, (size_t)length);
}

static void double_quoted(text_out *out, const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text;
  text_out_bytes(out, "\"", 1);
  for (size_t i = 0, step; i < length; i += step) {
    step = utf8_sequence(p + i, length - i);
    if (step == 0) step = 1;
    const uint32_t code = code_point(p + i, step);
    if (code == '"' || code == '\\') text_out_bytes(out, "\\", 1);
    if (needs_escape(code))
      put_escape(out, code);
    else
      text_out_bytes(out, text + i, step);
  }
  text_out_bytes(out, "\"", 1);
}

void unity_scalar(text_out *out, const char *text) {
  const size_t length = strlen(text);
  if (length == 0) return;
  if (has_escapes(text, length))
    double_quoted(out, text, length);
  else if (is_plain(text, length))
    text_out_bytes(out, text, length);
  else
    single_quoted(out, text);
}
