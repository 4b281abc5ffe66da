/* Avatars and rig files with each length and each byte changed, against a page that must not be touched: an
 * error that says what, or a rig that keeps every promise of rig.h. And each allocation that fails. */
#include "support/step.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "read/reader.h"
#include "readers/made_avatar.h"
#include "write/rig_json.h"

static const char patches[2][2] = {{0, '1'}, {(char)0xff, 'e'}}; /* in turn */

static void check_numbers(const double *values, size_t count, double most) {
  for (size_t i = 0; i < count; i++) cr_assert(fabs(values[i]) <= most, "%g", values[i]);
}

static void check_rotation(const double q[4]) {
  cr_assert_lt(fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1), 1.1e-6);
}

static void check_bone(const sinew_rig *rig, int bone) {
  const rig_axes *axes = &rig->axes[bone];
  cr_assert_lt(rig->node_of_bone[bone], (int32_t)rig->node_count);
  check_rotation(axes->pre), check_rotation(axes->post), check_rotation(rig->rest_q[bone]);
  check_rotation(rig->between[bone]);
  check_numbers(rig->offset[bone], 3, 1e25);
  check_numbers(&axes->length, 1, 1e12);
  for (int k = 0; k < 3; k++) {
    cr_assert_eq(fabs(axes->sgn[k]), 1);
    cr_assert(axes->min_rad[k] <= 0 && axes->min_rad[k] > -3.2 && axes->max_rad[k] >= 0 &&
              axes->max_rad[k] < 3.2);
  }
  cr_assert(rig->mass[bone] >= 0 && rig->mass[bone] <= 1 && rig->share[bone] >= 0 && rig->share[bone] <= 1);
}

static void check_rig(const sinew_rig *rig) {
  double mass = 0;
  cr_assert(rig->name && rig->kind && strlen(rig->hash) == 32);
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const rig_node *n = &rig->nodes[i];
    cr_assert(n->name && n->name[0] && n->parent >= -1 && n->parent < (int32_t)i);
    check_rotation(n->q);
    check_numbers(n->t, 3, 1e12), check_numbers(n->s, 3, 1e12);
  }
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    cr_assert(rig->node_of_bone[b] >= 0 || !human_bones[b].required);
    if (rig->node_of_bone[b] >= 0) check_bone(rig, b);
    mass += rig->mass[b];
  }
  cr_assert_float_eq(mass, 1, 1e-5);
  check_rotation(rig->root_q), check_rotation(rig->hips_rest_q);
  cr_assert(rig->height_m > 0 && rig->human_scale_m > 0 && rig->human_scale_m <= 1e12);
  for (uint32_t i = 0; i < rig->warning_count; i++) cr_assert(rig->warnings[i] && rig->warnings[i][0]);
}

static bool read_rig(const char *bytes, size_t length, char hash[33]) {
  sinew_rig *rig;
  sinew_error error;
  sinew_result result = sinew_rig_open_memory(bytes, length, NULL, NULL, &rig, &error);
  hash[0] = 0;
  if (result == SINEW_OK) {
    check_rig(rig);
    strcpy(hash, rig->hash);
    sinew_rig_close(rig);
    return true;
  }
  bool known = result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_UNSUPPORTED ||
               result == SINEW_ERROR_LIMIT || result == SINEW_ERROR_RIG;
  cr_assert(known && !rig && error.code == result && error.message[0], "code %d: %s", result, error.message);
  cr_assert(!error.has_place || error.byte <= length);
  return false;
}

static text avatar_text(void) {
  return made_small_avatar(AVATAR_SHORT);
}

static text json_text(void) {
  text avatar = avatar_text(), t = {0};
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(sinew_rig_open_memory(avatar.bytes, avatar.length, NULL, NULL, &rig, &error), SINEW_OK);
  json_out out = {0};
  rig_json_write(rig, &out);
  text_add(&t, "%.*s", (int)out.byte_count, out.bytes);
  json_release(&out);
  sinew_rig_close(rig);
  text_free(&avatar);
  return t;
}

/* A file that was cut is refused or holds all of the whole one. */
static void cut_everywhere(const text *t) {
  char whole[33], hash[33];
  size_t sound = 0;
  cr_assert(read_rig(t->bytes, t->length, whole));
  guarded g = guard_bytes(t->bytes, t->length);
  for (size_t cut = 0; cut < t->length; cut++) {
    guard_refill(&g, t->bytes, cut);
    if (!read_rig(g.bytes, cut, hash)) continue;
    sound++;
    cr_assert_str_eq(hash, whole, "%zu of %zu bytes are taken for a whole rig", cut, t->length);
  }
  cr_expect(sound >= 1 && sound <= 2, "the last line end may be missing: %zu", sound);
  guard_free(&g);
}

static void patch_everywhere(const text *t) {
  char hash[33];
  guarded g = guard_bytes(t->bytes, t->length);
  for (size_t at = 0; at < t->length; at += test_step())
    for (size_t i = 0; i < 2; i++) {
      g.bytes[at] = patches[at & 1][i];
      read_rig(g.bytes, t->length, hash);
      g.bytes[at] = t->bytes[at];
    }
  guard_free(&g);
}

Test(rig_robust, cut_avatars) {
  text t = avatar_text();
  cut_everywhere(&t);
  text_free(&t);
}

Test(rig_robust, cut_rig_files) {
  text t = json_text();
  cut_everywhere(&t);
  text_free(&t);
}

Test(rig_robust, patched_avatars, .timeout = 280) {
  text t = avatar_text();
  patch_everywhere(&t);
  text_free(&t);
}

Test(rig_robust, patched_rig_files, .timeout = 280) {
  text t = json_text();
  patch_everywhere(&t);
  text_free(&t);
}

/* ---- memory ----------------------------------------------------------------------------------------------
 */

static int allocations_left;
static bool fails_on; /* from the first failure on, or that one alone */

static int permit(size_t byte_count) {
  (void)byte_count;
  if (allocations_left > 0) {
    allocations_left--;
    return 1;
  }
  if (!fails_on) allocations_left = 1 << 30;
  return 0;
}

static int fail_each(const text *t) {
  for (int n = 0;; n++) {
    sinew_rig *rig;
    sinew_error error = {0};
    allocations_left = n;
    heap_permit = permit;
    sinew_result result = sinew_rig_open_memory(t->bytes, t->length, NULL, NULL, &rig, &error);
    heap_permit = NULL;
    if (result == SINEW_OK) {
      sinew_rig_close(rig);
      return n;
    }
    cr_assert_eq(result, SINEW_ERROR_MEMORY, "allocation %d: %d, %s", n, result, error.message);
    cr_assert(error.code == result && error.message[0] && !rig);
  }
}

Test(rig_robust, each_allocation) {
  text avatar = avatar_text(), lists = made_small_avatar(AVATAR_LISTS | AVATAR_QUOTED), json = json_text();
  for (int on = 0; on < 2; on++) {
    fails_on = on;
    cr_expect_geq(fail_each(&avatar), 20);
    cr_expect_geq(fail_each(&lists), 20);
    cr_expect_geq(fail_each(&json), 5);
  }
  text_free(&json);
  text_free(&lists);
  text_free(&avatar);
}

static sinew_result save(const sinew_rig *rig, sinew_error *error) {
  json_out out = {0};
  rig_json_write(rig, &out);
  sinew_result result = out.failed ? SINEW_ERROR_MEMORY : SINEW_OK;
  json_release(&out);
  (void)error;
  return result;
}

Test(rig_robust, each_allocation_of_a_save) {
  text avatar = avatar_text();
  sinew_rig *rig;
  sinew_error error;
  cr_assert_eq(sinew_rig_open_memory(avatar.bytes, avatar.length, NULL, NULL, &rig, &error), SINEW_OK);
  fails_on = true;
  for (allocations_left = 0;; allocations_left++) {
    int n = allocations_left;
    heap_permit = permit;
    sinew_result result = save(rig, &error), file = SINEW_OK;
    if (result != SINEW_OK) {
      allocations_left = n;
      file = sinew_rig_save(rig, "/tmp/sinew-test-never-written.json", &error);
    }
    heap_permit = NULL;
    allocations_left = n;
    if (result == SINEW_OK) break;
    cr_assert_eq(file, SINEW_ERROR_MEMORY, "%s", error.message);
  }
  cr_expect_geq(allocations_left, 1);
  sinew_rig_close(rig);
  text_free(&avatar);
}
