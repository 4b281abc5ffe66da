/* FBX, through assimp: another's library reads the file, here its scene is checked and taken over. What
 * assimp needs meanwhile is its own: neither limited nor counted. */
#include "read/fbx_model.h"
#include "base/utf8.h"
#include "read/affine.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

static const double centimetre_m = 0.01; /* the format's unit */

/* assimp keeps the reason of a failure in one place for all threads. */
static pthread_mutex_t import_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- shared by the parts ------------------------------------------------------------------------------ */

fbx_label fbx_show(const char *name) {
  fbx_label label;
  error_printable(name, strlen(name), label.text, sizeof label.text);
  return label;
}

sinew_result fbx_items(const fbx_reading *r, arena *memory, size_t count, size_t size, void *items) {
  void *made = arena_alloc(memory, count, size);
  SINEW_CHECK(made, r->error, SINEW_ERROR_MEMORY, "out of memory, or past the limit of %llu bytes",
              (unsigned long long)memory->byte_limit);
  memcpy(items, &made, sizeof made);
  return SINEW_OK;
}

sinew_result fbx_name(const fbx_reading *r, const struct aiString *name, const char **kept) {
  bool malformed;
  SINEW_CHECK(name->length <= r->limits->name_bytes, r->error, SINEW_ERROR_LIMIT,
              "a name of %u bytes, the limit is %u", name->length, r->limits->name_bytes);
  *kept = utf8_keep(&r->skeleton->memory, name->data, strnlen(name->data, name->length), &malformed);
  SINEW_CHECK(*kept, r->error, SINEW_ERROR_MEMORY, "out of memory, or past its limit, for a name");
  if (malformed)
    FBX_WARN(r, "the name '%s' is not UTF-8: what is malformed was replaced", fbx_show(*kept).text);
  return SINEW_OK;
}

void fbx_rows(const struct aiMatrix4x4 *from, double rows[3][4]) {
  const ai_real *const first[3] = {&from->a1, &from->b1, &from->c1};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) rows[r][c] = (double)first[r][c];
}

void fbx_multiply(double a[3][4], double b[3][4], double out[3][4]) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      out[r][c] = c == 3 ? a[r][3] : 0;
      for (int k = 0; k < 3; k++) out[r][c] += a[r][k] * b[k][c];
    }
}

const char *fbx_helper(const struct aiNode *node) {
  static const char mark[] = "_$AssimpFbx$_";
  const char *at = strstr(node->mName.data, mark);
  return at ? at + strlen(mark) : NULL;
}

/* ---- unit --------------------------------------------------------------------------------------------- */

/* Centimetres a unit of the file, 1 where it states nothing of use. */
static double unit_factor(const struct aiScene *scene) {
  const struct aiMetadata *data = scene->mMetaData;
  for (unsigned i = 0; data && i < data->mNumProperties; i++) {
    const struct aiMetadataEntry *entry = &data->mValues[i];
    if (strcmp(data->mKeys[i].data, "UnitScaleFactor") != 0 || !entry->mData) continue;
    float single;
    double factor = 0;
    if (entry->mType == AI_DOUBLE) memcpy(&factor, entry->mData, sizeof factor);
    if (entry->mType == AI_FLOAT) {
      memcpy(&single, entry->mData, sizeof single);
      factor = (double)single;
    }
    return factor > 1e-9 && factor < 1e9 ? factor : 1;
  }
  return 1;
}

/* Some versions of assimp scale the scene's root, which is no node of the file, by the unit: its children
 * then stand in centimetres already. */
static void set_unit(fbx_reading *r) {
  const double factor = unit_factor(r->scene), scale = fabs(r->skeleton->nodes[0].s[1]);
  const bool scaled = factor != 1 && fabs(scale / factor - 1) < 1e-5;
  r->skeleton->unit_m = scaled ? centimetre_m : centimetre_m * factor;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result take_scene(fbx_reading *r) {
  SINEW_CHECK(r->scene->mRootNode, r->error, SINEW_ERROR_UNSUPPORTED, "there are no nodes: no skeleton");
  SINEW_TRY(fbx_read_nodes(r));
  set_unit(r);
  SINEW_TRY(fbx_read_binds(r));
  return fbx_read_motions(r);
}

static struct aiPropertyStore *make_settings(void) {
  static const struct {
    const char *name;
    int value;
  } settings[] = {
      /* its own folding of them loses the movement of nodes with pivots */
      {AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1}, {AI_CONFIG_IMPORT_FBX_OPTIMIZE_EMPTY_ANIMATION_CURVES, 0},
      {AI_CONFIG_IMPORT_FBX_READ_MATERIALS, 0},  {AI_CONFIG_IMPORT_FBX_READ_TEXTURES, 0},
      {AI_CONFIG_IMPORT_FBX_READ_CAMERAS, 0},    {AI_CONFIG_IMPORT_FBX_READ_LIGHTS, 0},
      {AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1},
  };
  struct aiPropertyStore *store = aiCreatePropertyStore();
  for (size_t i = 0; store && i < sizeof settings / sizeof *settings; i++)
    aiSetImportPropertyInteger(store, settings[i].name, settings[i].value);
  return store;
}

static sinew_result import(const read_source *source, const struct aiScene **scene, sinew_error *error) {
  struct aiPropertyStore *settings = make_settings();
  SINEW_CHECK(settings, error, SINEW_ERROR_MEMORY, "out of memory");
  char reason[200] = "no reason given";
  pthread_mutex_lock(&import_lock);
  *scene =
      aiImportFileFromMemoryWithProperties(source->bytes, (unsigned)source->byte_count, 0, "fbx", settings);
  const char *said = *scene ? NULL : aiGetErrorString();
  if (said && *said) error_printable(said, strcspn(said, "\r\n"), reason, sizeof reason);
  pthread_mutex_unlock(&import_lock);
  aiReleasePropertyStore(settings);
  SINEW_CHECK(*scene, error, SINEW_ERROR_SYNTAX, "assimp cannot read this FBX: %s", reason);
  return SINEW_OK;
}

sinew_result read_fbx(const read_source *source, motion_file *file, sinew_error *error) {
  SINEW_CHECK(source->byte_count <= INT32_MAX, error, SINEW_ERROR_LIMIT,
              "an FBX of %zu bytes, the most that is read is %d", source->byte_count, INT32_MAX);
  fbx_reading r = {.limits = &source->limits, .file = file, .error = error};
  r.scratch.byte_limit = source->limits.memory_bytes;
  file->skeleton = r.skeleton = skeleton_new(source->limits.memory_bytes);
  SINEW_CHECK(r.skeleton, error, SINEW_ERROR_MEMORY, "out of memory");
  r.skeleton->kind = "fbx";
  SINEW_TRY(import(source, &r.scene, error));
  const sinew_result result = take_scene(&r);
  arena_release(&r.scratch);
  aiReleaseImport(r.scene);
  return result;
}
