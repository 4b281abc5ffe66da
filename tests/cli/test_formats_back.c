/* The sample from every format to every other, there and back: what returns is what went. */
#include "cli_run.h"
#include "sinew.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(formats_back, .init = cli_enter, .fini = cli_leave);

enum { FORMAT_END = SINEW_FORMAT_CSV + 1, FRAMES = 33, COLUMN_MOST = 132 };

static bool holds_bones(uint32_t format) {
  return format != SINEW_FORMAT_ANIM && format != SINEW_FORMAT_CSV;
}

static void done(const cli_run run) {
  cr_assert_eq(run.code, 0, "%s", run.err);
}

static void expect_same_files(const char *a, const char *b) {
  size_t a_bytes, b_bytes;
  char *left = test_read_file(a, &a_bytes), *right = test_read_file(b, &b_bytes);
  cr_assert(left && right, "%s and %s are there", a, b);
  cr_expect(a_bytes == b_bytes && memcmp(left, right, a_bytes) == 0, "%s and %s", a, b);
  free(left);
  free(right);
}

typedef struct table {
  char names[COLUMN_MOST][64];
  double values[FRAMES][COLUMN_MOST];
  int column_count;
} table;

static table *table_read(const char *path) {
  table *read = calloc(1, sizeof *read);
  FILE *file = fopen(path, "rb");
  cr_assert(read && file, "%s", path);
  char line[8192], *rest;
  cr_assert(fgets(line, sizeof line, file));
  line[strcspn(line, "\n")] = 0;
  for (char *name = strtok_r(line, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
    cr_assert_lt(read->column_count, (int)COLUMN_MOST);
    snprintf(read->names[read->column_count++], sizeof read->names[0], "%s", name);
  }
  for (int frame = 0; frame < FRAMES; frame++) {
    cr_assert(fgets(line, sizeof line, file), "%s: row %d", path, frame);
    char *at = line;
    for (int column = 0; column < read->column_count; column++, at++)
      read->values[frame][column] = strtod(at, &at);
  }
  cr_expect_null(fgets(line, sizeof line, file), "%s has more rows", path);
  fclose(file);
  return read;
}

/* The largest difference over the muscles that both have: names without a dot that is followed by a
 * component.
 */
static double worst_muscle(const char *a, const char *b, int *count) {
  table *left = table_read(a), *right = table_read(b);
  double worst = 0;
  *count = 0;
  for (uint32_t muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    int l = 0, r = 0;
    while (l < left->column_count && strcmp(left->names[l], sinew_muscle_name(muscle)) != 0) l++;
    while (r < right->column_count && strcmp(right->names[r], sinew_muscle_name(muscle)) != 0) r++;
    if (l == left->column_count || r == right->column_count) continue;
    ++*count;
    for (int frame = 0; frame < FRAMES; frame++)
      worst = fmax(worst, fabs(left->values[frame][l] - right->values[frame][r]));
  }
  free(left);
  free(right);
  return worst;
}

/* From each format, as written of the sample's muscles and of its bones, to each. */
Test(formats_back, every_pair) {
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    char muscles[32], bones[32];
    snprintf(muscles, sizeof muscles, "muscles.%s", sinew_format_name(i));
    snprintf(bones, sizeof bones, "bones.%s", sinew_format_name(i));
    done(cli("convert", "-q", sample_clip(), "--rig", sample_rig(), "-o", muscles, NULL));
    done(cli("convert", "-q", sample_bones(), "-o", bones, NULL));
    for (uint32_t k = 0; k < FORMAT_END; k++) {
      const char *to = sinew_format_name(k);
      done(cli("convert", "-q", muscles, bones, "--rig", sample_character(), "--to", to, "--outdir", "rig",
               NULL));
      done(cli("convert", "-q", muscles, bones, "--rig", sample_character(), "--via", "muscle", "--to", to,
               "--outdir", "muscle", NULL));
      if (holds_bones(i) || !holds_bones(k))
        done(cli("convert", "-q", muscles, bones, "--to", to, "--outdir", "own", NULL));
    }
  }
}

/* Through bones and back by the rig's own muscles: what float32 of chained rotations leaves, 2e-5 measured,
 * where limbs are solved for exactly. As the editor solves them its own tolerance counts, some 1e-2. */
Test(formats_back, muscles_by_way_of_bones) {
  static const sinew_format formats[] = {SINEW_FORMAT_GLB, SINEW_FORMAT_NPZ};
  done(cli("convert", "-q", sample_clip(), "-o", "as_it_is.csv", NULL));
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    char path[32];
    int count;
    snprintf(path, sizeof path, "walk.%s", sinew_format_name(formats[i]));
    done(cli("convert", "-q", sample_clip(), "--rig", sample_rig(), "-o", path, NULL));
    done(cli("convert", "-q", path, "--rig", sample_rig(), "--limb", "exact", "-o", "exact.csv", NULL));
    done(cli("convert", "-q", path, "--rig", sample_rig(), "-o", "editor.csv", NULL));
    const double exact = worst_muscle("as_it_is.csv", "exact.csv", &count);
    cr_expect_eq(count, SINEW_MUSCLE_COUNT);
    cr_expect_lt(exact, 1e-4, "%s: %g", path, exact);
    const double editor = worst_muscle("as_it_is.csv", "editor.csv", &count);
    cr_expect(editor > exact && editor < 2e-2, "%s: %g", path, editor);
  }
}

Test(formats_back, muscles_are_text_of_the_same_values) {
  done(cli("convert", "-q", sample_clip(), "-o", "direct.csv", NULL));
  done(cli("convert", "-q", sample_clip(), "-o", "one.anim", NULL));
  done(cli("convert", "-q", "one.anim", "-o", "by_anim.csv", NULL));
  done(cli("convert", "-q", "direct.csv", "-o", "two.anim", NULL));
  done(cli("convert", "-q", "two.anim", "-o", "by_both.csv", NULL));
  expect_same_files("direct.csv", "by_anim.csv");
  expect_same_files("direct.csv", "by_both.csv");
}

Test(formats_back, mirrored_twice) {
  static const char *const formats[] = {"anim", "csv"};
  for (int i = 0; i < 2; i++) {
    char plain[32], once[32], twice[32];
    snprintf(plain, sizeof plain, "plain/walk.%s", formats[i]);
    snprintf(once, sizeof once, "once/walk.%s", formats[i]);
    snprintf(twice, sizeof twice, "twice/walk.%s", formats[i]);
    done(cli("convert", "-q", sample_clip(), "--to", formats[i], "--outdir", "plain", NULL));
    done(cli("convert", "-q", plain, "--to", formats[i], "--mirror", "--outdir", "once", NULL));
    done(cli("convert", "-q", once, "--to", formats[i], "--mirror", "--outdir", "twice", NULL));
    expect_same_files(plain, twice);
  }
  int count;
  done(cli("convert", "-q", "once/walk.anim", "-o", "once.csv", NULL));
  expect_same_files("once.csv", "once/walk.csv");
  cr_expect_gt(worst_muscle("plain/walk.csv", "once/walk.csv", &count), 0.1);
}

/* On the way to bones as well. */
Test(formats_back, mirrored_bones) {
  done(cli("convert", "-q", sample_clip(), "--mirror", "-o", "mirrored.anim", NULL));
  done(cli("convert", "-q", "mirrored.anim", "--rig", sample_rig(), "--outdir", "a", NULL));
  done(cli("convert", "-q", sample_clip(), "--mirror", "--rig", sample_rig(), "--outdir", "b", NULL));
  done(cli("convert", "-q", "a/mirrored.glb", "--rig", sample_rig(), "--limb=exact", "-o", "a.csv", NULL));
  done(cli("convert", "-q", "b/walk.glb", "--rig", sample_rig(), "--limb=exact", "-o", "b.csv", NULL));
  int count;
  cr_expect_lt(worst_muscle("a.csv", "b.csv", &count), 1e-6);
  done(cli("convert", "-q", sample_bones(), "--mirror", "-o", "m.csv", NULL));
  done(cli("convert", "-q", sample_bones(), "-o", "n.csv", NULL));
  done(cli("convert", "-q", "m.csv", "--mirror", "-o", "o.csv", NULL));
  expect_same_files("n.csv", "o.csv");
}

/* End Sites stay what they are: the hierarchy of a file that was written is written again. */
Test(formats_back, a_bvh_of_its_own) {
  done(cli("convert", "-q", sample_bones(), "-o", "one.bvh", NULL));
  done(cli("convert", "-q", "one.bvh", "-o", "two.bvh", NULL));
  size_t one_bytes, two_bytes;
  char *one = test_read_file("one.bvh", &one_bytes), *two = test_read_file("two.bvh", &two_bytes);
  cr_assert(one && two);
  const char *motion = memmem(one, one_bytes, "MOTION", 6);
  cr_assert(motion && (size_t)(motion - one) < two_bytes);
  cr_expect_eq(memcmp(one, two, (size_t)(motion - one)), 0);
  free(one);
  free(two);
  const char *counts = "\"joints\":52,\"endSites\":13,\"roots\":1,\"depth\":12,\"channels\":159,";
  cr_expect(strstr(cli("inspect", "--json", sample_bones(), NULL).out, counts));
  cr_expect(strstr(cli("inspect", "--json", "one.bvh", NULL).out, counts));
}

Test(formats_back, a_bvh_as_it_is_asked_for) {
  static const char *const units[] = {"cm", "m"};
  for (int i = 0; i < 2; i++) {
    done(cli("convert", "-q", sample_bones(), "--unit", units[i], "--order", "yxz", "--rest", "t", "-o",
             "w.bvh", NULL));
    size_t byte_count;
    char *text = test_read_file("w.bvh", &byte_count);
    cr_assert(text);
    text = realloc(text, byte_count + 1);
    text[byte_count] = 0;
    cr_expect(strstr(text, "Xposition Yposition Zposition Yrotation Xrotation Zrotation\n"));
    cr_expect_null(strstr(text, "Zrotation Xrotation Yrotation"));
    const char *offset = strstr(text, "OFFSET ");
    double place[3];
    cr_assert(offset);
    cr_expect_eq(sscanf(offset, "OFFSET %lg %lg %lg", place, place + 1, place + 2), 3);
    cr_expect_float_eq(place[1], i ? 0.935 : 93.5, 1e-6);
    free(text);
    done(cli("convert", "-q", "w.bvh", "-o", "w.glb", NULL));
  }
}
