#include "files.h"
#include "base/os.h"
#include "base/heap.h"
#include "measure/timing.h"

#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- folders --------------------------------------------------------------------------------------------
 */

bool files_folder_make(const char *parent, files_folder *folder) {
  const int length = snprintf(folder->path, sizeof folder->path, "%s/sinew-bench-XXXXXX", parent);
  return length > 0 && (size_t)length < sizeof folder->path && mkdtemp(folder->path);
}

void files_folder_remove(const files_folder *folder) {
  DIR *entries = opendir(folder->path);
  const struct dirent *entry;
  while (entries && (entry = readdir(entries)))
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(entries), entry->d_name, 0);
  if (entries) closedir(entries);
  rmdir(folder->path);
}

typedef struct file_path {
  char text[512];
} file_path;

static file_path path_in(const files_folder *folder, const char *name) {
  file_path path;
  snprintf(path.text, sizeof path.text, "%s/%s", folder->path, name);
  return path;
}
static file_path path_of_clip(const files_folder *folder, uint64_t index, const char *suffix) {
  file_path path;
  snprintf(path.text, sizeof path.text, "%s/%06u.%s", folder->path, (unsigned)index, suffix);
  return path;
}

/* ---- one long file ----------------------------------------------------------------------------------------
 */

/* Not by the clock: what a file before left to be done by the system. */
static void remove_file(const files_folder *folder, const char *name) {
  unlink(path_in(folder, name).text);
  const int fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

enum { PIECE_BYTES = 1 << 20 };

static bool write_pieces(int fd, const char *bytes, size_t byte_count, size_t step) {
  for (size_t at = 0; at < byte_count; at += PIECE_BYTES, bytes += step) {
    const size_t left = byte_count - at;
    if (!os_write_all(fd, bytes, left < PIECE_BYTES ? left : PIECE_BYTES, at)) return false;
  }
  return true;
}

static bool publish(int fd, const char *from, const char *to, const char *folder) {
  const int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool ok = folder_fd >= 0 && fsync(fd) == 0 && rename(from, to) == 0 && fsync(folder_fd) == 0;
  if (folder_fd >= 0) close(folder_fd);
  return ok;
}

/* The next piece stands `step` bytes on. */
static double write_s(const files_folder *folder, const void *bytes, size_t byte_count, size_t step) {
  const file_path temporary = path_in(folder, ".alone.tmp"), path = path_in(folder, "alone.glb");
  remove_file(folder, "alone.glb");
  const double begin_s = timing_now_s();
  const int fd = open(temporary.text, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool ok = fd >= 0 && ftruncate(fd, (off_t)byte_count) == 0 && write_pieces(fd, bytes, byte_count, step);
  ok = ok && publish(fd, temporary.text, path.text, folder->path);
  if (fd >= 0) close(fd);
  const double end_s = timing_now_s();
  unlink(path.text);
  return ok ? end_s - begin_s : -1;
}

double files_write_alone_s(const files_folder *folder, const void *bytes, size_t byte_count) {
  return write_s(folder, bytes, byte_count, PIECE_BYTES);
}

double files_write_cached_s(const files_folder *folder, size_t byte_count) {
  static char piece[PIECE_BYTES];
  memset(piece, 1, sizeof piece);
  return write_s(folder, piece, byte_count, 0);
}

double files_bake_s(const files_bake *bake, bool verify) {
  const file_path path = path_in(bake->folder, "baked.glb");
  const sinew_bake_options options = {.format = bake->format, .no_verify = !verify};
  sinew_error error;
  remove_file(bake->folder, "baked.glb");
  const double begin_s = timing_now_s();
  const sinew_result result =
      sinew_bake(bake->context, bake->clip, bake->rig, &options, path.text, NULL, &error);
  const double end_s = timing_now_s();
  if (result == SINEW_OK) return end_s - begin_s;
  fprintf(stderr, "%s: %s\n", path.text, error.message);
  return -1;
}

void *files_bytes(const files_folder *folder, const char *name, size_t *byte_count) {
  os_file file;
  if (os_file_open(path_in(folder, name).text, UINT64_C(1) << 32, &file, NULL) != SINEW_OK) return NULL;
  void *bytes = heap_alloc_unset(file.byte_count);
  if (bytes) memcpy(bytes, file.bytes, file.byte_count);
  *byte_count = file.byte_count;
  os_file_close(&file);
  return bytes;
}

/* ---- many clips
 * --------------------------------------------------------------------------------------------- */

bool files_put_clips(const files_folder *folder, made_clip_shape shape, uint32_t count, size_t *byte_count) {
  char *text = made_clip_text(shape, byte_count);
  bool ok = text != NULL;
  for (uint32_t i = 0; ok && i < count; i++) {
    FILE *file = fopen(path_of_clip(folder, i, "anim").text, "wb");
    ok = file && fwrite(text, 1, *byte_count, file) == *byte_count;
    if (file) ok = fclose(file) == 0 && ok;
  }
  heap_free(text);
  *byte_count *= count;
  return ok;
}

double files_scan_s(const files_folder *folder, uint32_t count, uint32_t threads) {
  int failed = 0;
  const double begin_s = timing_now_s();
#pragma omp parallel for num_threads((int)threads) schedule(dynamic) reduction(+ : failed)
  for (uint32_t i = 0; i < count; i++) {
    sinew_clip_file *file;
    failed += sinew_clip_file_open(path_of_clip(folder, i, "anim").text, NULL, &file, NULL) != SINEW_OK;
    sinew_clip_file_close(file);
  }
  const double end_s = timing_now_s();
  return failed ? -1 : end_s - begin_s;
}

typedef struct conversion {
  const files_folder *folder;
  const sinew_rig *rig;
  bool verify;
  struct conversion_job {
    sinew_clip_file *file;
    file_path path;
  } * jobs;
  uint32_t failed;
} conversion;

static sinew_result open_job(void *user, uint64_t index, sinew_bake_job *job, sinew_error *error) {
  const conversion *c = user;
  struct conversion_job *mine = &c->jobs[index];
  mine->path = path_of_clip(c->folder, index, "glb");
  job->rig = c->rig;
  job->path = mine->path.text;
  job->options.no_verify = !c->verify;
  const sinew_result result =
      sinew_clip_file_open(path_of_clip(c->folder, index, "anim").text, NULL, &mine->file, error);
  job->clip = sinew_clip_file_clip(mine->file, 0);
  return result;
}

static void close_job(void *user, uint64_t index, const sinew_bake_job *job, const sinew_bake_report *report,
                      const sinew_error *error) {
  (void)job, (void)report;
  conversion *c = user;
  sinew_clip_file_close(c->jobs[index].file);
  if (error) c->failed++;
}

double files_convert_s(const sinew_context *context, const sinew_rig *rig, const files_folder *folder,
                       uint32_t count, bool verify) {
  conversion c = {.folder = folder, .rig = rig, .verify = verify, .jobs = heap_alloc(count, sizeof *c.jobs)};
  if (!c.jobs) return -1;
  for (uint32_t i = 0; i < count; i++) unlink(path_of_clip(folder, i, "glb").text);
  const sinew_batch batch = {.job_count = count, .open = open_job, .done = close_job, .user = &c};
  sinew_error error;
  const double begin_s = timing_now_s();
  const sinew_result result = sinew_bake_batch(context, &batch, &error);
  const double end_s = timing_now_s();
  heap_free(c.jobs);
  return result == SINEW_OK && c.failed == 0 ? end_s - begin_s : -1;
}

/* ---- the program
 * ---------------------------------------------------------------------------------------------- */

/* What it prints is thrown away. */
static double any_program_s(const char *program, const char *const *arguments) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int status = -1;
  const double begin_s = timing_now_s();
  const bool spawned = posix_spawnp(&child, program, &actions, NULL, (char *const *)arguments, environ) == 0;
  const bool ended = spawned && waitpid(child, &status, 0) == child;
  const double end_s = timing_now_s();
  posix_spawn_file_actions_destroy(&actions);
  return ended && status == 0 ? end_s - begin_s : -1;
}

/* BENCH_PROGRAM: the program's path, given by the build. */
static double program_s(const char *const *arguments) {
  return any_program_s(BENCH_PROGRAM, arguments);
}

double files_start_s(void) {
  const char *const arguments[] = {"sinew", "--version", NULL};
  return program_s(arguments);
}

double files_program_s(const files_program *program, uint32_t threads, bool verify) {
  file_path path = path_in(program->folder, "program.glb");
  char thread_text[16];
  snprintf(thread_text, sizeof thread_text, "%u", threads);
  const char *const arguments[] = {"sinew",
                                   "convert",
                                   program->clip,
                                   "--rig",
                                   program->rig,
                                   "--fps",
                                   program->rate_hz,
                                   "-q",
                                   "-j",
                                   thread_text,
                                   "-o",
                                   path.text,
                                   verify ? NULL : "--no-verify",
                                   NULL};
  remove_file(program->folder, "program.glb");
  return program_s(arguments);
}

double files_bvh_s(const files_folder *folder, const char *bvh, uint32_t threads, bool verify) {
  const file_path path = path_in(folder, "out.glb");
  char thread_text[16];
  snprintf(thread_text, sizeof thread_text, "%u", threads);
  const char *arguments[10] = {"sinew", "convert", bvh, "-q", "-o", path.text};
  int count = 6;
  if (!verify) arguments[count++] = "--no-verify";
  if (threads) arguments[count++] = "-j", arguments[count++] = thread_text;
  remove_file(folder, "out.glb");
  return program_s(arguments);
}

double files_assimp_s(const files_folder *folder, const char *bvh) {
  const file_path path = path_in(folder, "out.glb");
  const char *const arguments[] = {"assimp", "export", bvh, path.text, "-fglb2", NULL};
  remove_file(folder, "out.glb");
  return any_program_s("assimp", arguments);
}

bool files_have_assimp(void) {
  const char *const arguments[] = {"assimp", "version", NULL};
  return any_program_s("assimp", arguments) > 0;
}
