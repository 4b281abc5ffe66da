/* The commands of README's "To and from muscles" do what it says, on the sample. */
#include "cli_run.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(readme, .init = cli_enter, .fini = cli_leave);

static const char heading[] = "\n## To and from muscles\n";

/* In the section, without its comment; what goes to /tmp stays in this folder. False: it is no command. */
static bool command_of(const char *line, char command[512]) {
  if (strncmp(line, "    sinew ", 10) != 0) return false;
  size_t length = 0;
  for (const char *p = line + 4; *p && *p != '\n' && *p != '#';) {
    if (strncmp(p, "/tmp/", 5) == 0) p += 5;
    cr_assert_lt(length, (size_t)500);
    command[length++] = *p++;
  }
  command[length] = 0;
  return true;
}

static char *readme_text(void) {
  char path[1024];
  size_t byte_count;
  snprintf(path, sizeof path, "%s/README.md", getenv("SINEW_TEST_SOURCE"));
  char *text = test_read_file(path, &byte_count);
  cr_assert(text, "%s", path);
  text = realloc(text, byte_count + 1);
  text[byte_count] = 0;
  return text;
}

Test(readme, commands_run) {
  char shell[2048];
  snprintf(shell, sizeof shell, "cp '%s'/scripts/sample/walk* . && ln -s '%s' sinew",
           getenv("SINEW_TEST_SOURCE"), getenv("SINEW_PROGRAM"));
  cr_assert_eq(system(shell), 0);
  char *text = readme_text();
  char *section = strstr(text, heading);
  cr_assert(section);
  section += strlen(heading);
  char *end = strstr(section, "\n## ");
  cr_assert(end);
  int count = 0;
  for (char *line = section; line && line < end; line = strchr(line, '\n')) {
    char command[512];
    if (*line == '\n') line++;
    if (!command_of(line, command)) continue;
    snprintf(shell, sizeof shell, "PATH=.:$PATH %s > said.txt 2> err.txt", command);
    cr_expect_eq(system(shell), 0, "%s", command);
    count++;
  }
  cr_expect_geq(count, 8);
  free(text);
}
