/* Each length and each byte of small inputs, against a page that must not be touched: no crash, an error that
 * says where, or a clip that keeps every promise of clip.h. */
#include "support/step.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "readers/made_anim.h"
#include "readers/made_meta.h"

static const char patches[] = {0, 1, 0x20, 0x7f, (char)0x80, (char)0xff};

/* ---- clips ------------------------------------------------------------------------------------------------
 */

static void check_error(sinew_result result, const sinew_error *error, size_t length) {
  /* LIMIT: a quote that lost its end takes in more than a name may hold */
  bool known =
      result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_UNSUPPORTED || result == SINEW_ERROR_LIMIT;
  cr_assert(known, "code %d: %s", result, error->message);
  cr_assert_eq(error->code, result);
  cr_assert(error->message[0] && error->has_place && error->byte <= length, "%s", error->message);
}

static void check_curve(const sinew_clip *clip, const clip_curve *curve) {
  cr_assert(curve->attribute && curve->key_count >= 1 &&
            curve->first_key + curve->key_count <= clip->key_count);
  cr_assert(curve->channel >= CLIP_CHANNEL_FOREIGN && curve->channel < CLIP_CHANNEL_COUNT);
  cr_assert(curve->before_code <= 2 && curve->after_code <= 2);
  for (uint64_t k = curve->first_key; k < curve->first_key + curve->key_count; k++) {
    cr_assert(isfinite(clip->time_s[k]) && isfinite(clip->value[k]));
    cr_assert(k == curve->first_key || clip->time_s[k] > clip->time_s[k - 1]);
    cr_assert(!isnan(clip->in_slope[k]) && !isnan(clip->out_slope[k]) && clip->weighted_mode[k] <= 3);
    cr_assert(clip->in_weight[k] >= 0 && clip->in_weight[k] <= 1 && clip->out_weight[k] >= 0 &&
              clip->out_weight[k] <= 1);
  }
}

static void check_clip(const sinew_clip *clip) {
  cr_assert(clip->name && clip->name[0]);
  cr_assert(isfinite(clip->rate_hz) && clip->rate_hz > 0);
  cr_assert(isfinite(clip->start_s) && isfinite(clip->stop_s) && clip->start_s <= clip->stop_s);
  for (uint32_t i = 0; i < clip->curve_count; i++) check_curve(clip, &clip->curves[i]);
}

/* What a shorter file may not lose without a word. */
typedef struct extent {
  uint64_t keys;
  uint32_t clips;
  uint32_t curves;
  double stop_s;
} extent;

static extent measure(const sinew_clip_file *file) {
  extent e = {.clips = sinew_clip_file_count(file)};
  for (uint32_t i = 0; i < e.clips; i++) {
    const sinew_clip *clip = sinew_clip_file_clip(file, i);
    e.keys += clip->key_count;
    e.curves += clip->curve_count;
    e.stop_s += clip->stop_s;
  }
  return e;
}

static bool read_clips(const char *bytes, size_t length, extent *e) {
  sinew_clip_file *file;
  sinew_error error;
  sinew_result result = sinew_clip_file_open_memory(bytes, length, NULL, NULL, &file, &error);
  if (result != SINEW_OK) {
    cr_assert_null(file);
    check_error(result, &error, length);
    return false;
  }
  for (uint32_t i = 0; i < sinew_clip_file_count(file); i++) check_clip(sinew_clip_file_clip(file, i));
  *e = measure(file);
  sinew_clip_file_close(file);
  return true;
}

static text clip_text(unsigned form, int key_version) {
  made_options options = {
      .seed = 3, .form = form, .key_version = key_version, .documents = 1, .curves = 6, .keys = 12};
  return made_anim(&options);
}

/* A cut file is refused, or holds all of the whole one: with one exception that no reader can see, a file
 * that ends with the line of m_SampleRate, which a clip without settings may do. */
static void cut_everywhere(const text *t) {
  extent whole, cut;
  cr_assert(read_clips(t->bytes, t->length, &whole));
  const char *rate = strstr(t->bytes, "m_SampleRate");
  size_t open_end = (size_t)(strchr(rate, '\n') + 1 - t->bytes), next = open_end;
  while (strchr(" \n#\r", t->bytes[next])) next++;
  size_t sound = 0;
  guarded g = guard_bytes(t->bytes, t->length);
  for (size_t length = 0; length < t->length; length++) {
    guard_refill(&g, t->bytes, length);
    if (!read_clips(g.bytes, length, &cut)) continue;
    sound++;
    if (length >= open_end && length <= next) continue;
    cr_assert(cut.keys == whole.keys && cut.curves == whole.curves && cut.stop_s == whole.stop_s,
              "%zu of %zu bytes are taken for a whole clip of %llu keys to %g s", length, t->length,
              (unsigned long long)cut.keys, cut.stop_s);
  }
  cr_assert_gt(sound, 0);
  guard_free(&g);
}

static size_t patch_everywhere(const text *t) {
  guarded g = guard_bytes(t->bytes, t->length);
  size_t sound = 0;
  extent e;
  for (size_t at = 0; at < t->length; at += test_step())
    for (size_t i = 0; i < sizeof patches; i++) {
      g.bytes[at] = patches[i];
      sound += read_clips(g.bytes, t->length, &e);
      g.bytes[at] = t->bytes[at];
    }
  guard_free(&g);
  return sound;
}

Test(reader_robust, cut_clips) {
  for (int version = 1; version <= 3; version++) {
    text t = clip_text(0, version);
    cr_expect_geq(t.length, 4000);
    cut_everywhere(&t);
    text_free(&t);
  }
  text t =
      clip_text(MADE_CRLF | MADE_QUOTED | MADE_FOLDED | MADE_WRAPPED | MADE_MIXED | MADE_DASH_VERSION, 3);
  cut_everywhere(&t);
  text_free(&t);
}

Test(reader_robust, cut_editor_clips) {
  text t = clip_text(MADE_EDITOR_ONLY, 3);
  cut_everywhere(&t);
  text_free(&t);
}

Test(reader_robust, patched_clips) {
  text t = clip_text(MADE_MIXED, 3);
  cr_expect_geq(t.length, 8000);
  cr_expect_gt(patch_everywhere(&t), 0);
  text_free(&t);
}

Test(reader_robust, patched_clips_of_other_forms) {
  text t =
      clip_text(MADE_CRLF | MADE_QUOTED | MADE_FOLDED | MADE_WRAPPED | MADE_MIXED | MADE_DASH_VERSION, 2);
  cr_expect_gt(patch_everywhere(&t), 0);
  text_free(&t);
}

/* ---- rigs -------------------------------------------------------------------------------------------------
 */

static void check_description(const rig_description *d, const sinew_read_options *limits) {
  cr_assert(d->name && d->node_count >= 1 && d->node_count <= limits->nodes);
  for (uint32_t i = 0; i < d->node_count; i++) {
    const rig_node *n = &d->nodes[i];
    cr_assert(n->name && n->name[0] && n->parent >= -1 && n->parent < (int32_t)i);
    double norm = n->q[0] * n->q[0] + n->q[1] * n->q[1] + n->q[2] * n->q[2] + n->q[3] * n->q[3];
    cr_assert(fabs(norm - 1) < 1e-12);
    for (int k = 0; k < 3; k++) cr_assert(isfinite(n->t[k]) && isfinite(n->s[k]) && n->s[k] != 0);
  }
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    cr_assert(d->node_of_bone[b] >= -1 && d->node_of_bone[b] < (int32_t)d->node_count);
    for (int k = 0; k < 3; k++) cr_assert(d->limit[b].min_deg[k] <= d->limit[b].max_deg[k]);
  }
  const double shares[] = {d->arm_twist, d->fore_arm_twist, d->upper_leg_twist, d->leg_twist};
  for (int i = 0; i < 4; i++) cr_assert(shares[i] >= 0 && shares[i] <= 1);
  for (uint32_t i = 0; i < d->warning_count; i++) cr_assert(d->warnings[i] && d->warnings[i][0]);
}

static bool read_rig(const char *bytes, size_t length, uint32_t *nodes) {
  read_source source = {bytes, length, read_limits_complete(NULL)};
  arena memory = {0};
  rig_description d;
  sinew_error error;
  sinew_result result = read_fbx_meta(&source, &memory, &d, &error);
  if (result == SINEW_OK)
    check_description(&d, &source.limits);
  else
    check_error(result, &error, length);
  *nodes = result == SINEW_OK ? d.node_count : 0;
  arena_release(&memory);
  return result == SINEW_OK;
}

static void disturb_rig(const char *bytes, size_t length) {
  uint32_t whole, nodes;
  cr_assert(read_rig(bytes, length, &whole));
  guarded g = guard_bytes(bytes, length);
  size_t sound = 0;
  for (size_t cut = 0; cut < length; cut++) {
    guard_refill(&g, bytes, cut);
    if (!read_rig(g.bytes, cut, &nodes)) continue;
    sound++;
    cr_assert_eq(nodes, whole, "%zu of %zu bytes are taken for a whole rig of %u nodes", cut, length, nodes);
  }
  cr_expect_gt(sound, 0);
  guard_refill(&g, bytes, length);
  for (size_t at = 0; at < length; at += test_step())
    for (size_t i = 0; i < sizeof patches; i++) {
      g.bytes[at] = patches[i];
      read_rig(g.bytes, length, &nodes);
      g.bytes[at] = bytes[at];
    }
  guard_free(&g);
}

Test(reader_robust, disturbed_rigs) {
  disturb_rig(made_meta_base, strlen(made_meta_base));
  text chain = made_meta_chain(40);
  cr_expect_geq(chain.length, 7000);
  disturb_rig(chain.bytes, chain.length);
  text_free(&chain);
}

/* ---- memory
 * ------------------------------------------------------------------------------------------------- */

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

static sinew_result read_clip_once(const text *t, sinew_error *error) {
  sinew_clip_file *file;
  sinew_result result = sinew_clip_file_open_memory(t->bytes, t->length, NULL, NULL, &file, error);
  sinew_clip_file_close(file);
  return result;
}

static sinew_result read_rig_once(const text *t, sinew_error *error) {
  read_source source = {t->bytes, t->length, read_limits_complete(NULL)};
  arena memory = {0};
  rig_description d;
  sinew_result result = read_fbx_meta(&source, &memory, &d, error);
  arena_release(&memory);
  return result;
}

static int fail_each(const text *t, sinew_result (*read)(const text *, sinew_error *)) {
  for (int n = 0;; n++) {
    cr_assert_lt(n, 10000);
    sinew_error error = {0};
    allocations_left = n;
    heap_permit = permit;
    sinew_result result = read(t, &error);
    heap_permit = NULL;
    if (result == SINEW_OK) return n;
    cr_assert_eq(result, SINEW_ERROR_MEMORY, "allocation %d: %s", n, error.message);
    cr_assert(error.code == result && error.message[0]);
    cr_assert_eq(read(t, &error), SINEW_OK);
  }
}

Test(reader_robust, each_allocation) {
  made_options options = {.seed = 9,
                          .form = MADE_QUOTED | MADE_FOLDED | MADE_MIXED,
                          .key_version = 3,
                          .documents = 3,
                          .curves = 150,
                          .keys = 120};
  text clip = made_anim(&options), rig = made_meta_chain(200);
  for (int on = 0; on < 2; on++) {
    fails_on = on;
    cr_expect_geq(fail_each(&clip, read_clip_once), 10);
    cr_expect_geq(fail_each(&rig, read_rig_once), 4);
  }
  text_free(&clip);
  text_free(&rig);
}
