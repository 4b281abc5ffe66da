#include "bench_report.h"

#include "console.h"
#include "json_line.h"

#include <stdio.h>
#include <string.h>

/* The system's name of the CPU; "" where it tells none, as on most of 64-bit ARM. */
static void cpu_name(char *name, size_t size) {
  static const char key[] = "model name";
  char line[512];
  *name = 0;
  FILE *file = fopen("/proc/cpuinfo", "re");
  while (file && !*name && fgets(line, sizeof line, file)) {
    const char *value = strncmp(line, key, sizeof key - 1) == 0 ? strchr(line, ':') : NULL;
    if (value)
      snprintf(name, size, "%.*s", (int)strcspn(value + 1, "\n"), value + 1 + strspn(value + 1, " \t"));
  }
  if (file) fclose(file);
  name[strcspn(name, "\n")] = 0;
}

static double per_hour(const sinew_clip_speed *clips) {
  return (double)clips->clips / clips->seconds * 3600;
}
static double frames_per_s(const sinew_clip_speed *clips) {
  return (double)clips->clips / clips->seconds * (double)clips->frames;
}
static double glb_bytes_per_s(const sinew_clip_speed *clips) {
  return (double)clips->clips / clips->seconds * (double)clips->glb_bytes;
}

void bench_report_say(const bench_report *report) {
  char cpu[256];
  cpu_name(cpu, sizeof cpu);
  const sinew_memory_speed *memory = &report->memory;
  const sinew_clip_speed *clips = &report->clips;
  say("CPU: %s", *cpu ? cpu : "unknown");
  say("kernels, one thread, ns a pose of 55 bones (and the share of the multiply-add limit reached)");
  say("  %-8s %-16s %-16s %-12s %s", "", "muscles", "joints", "whole pose", "whole poses/s");
  for (uint32_t i = 0; i < report->isa_count; i++) {
    const sinew_kernel_speed *k = &report->kernels[i];
    say("  %-8s %7.1f (%3.0f%%)   %7.1f (%3.0f%%)   %7.1f      %.3g", k->isa, k->muscles_ns,
        100 * k->muscles_share, k->joints_ns, 100 * k->joints_share, k->pose_ns, 1e9 / k->pose_ns);
  }
  say("memory, one thread");
  say("  limits: read %.1f GB/s, write %.1f GB/s, write past the caches %.1f GB/s", memory->read_gb_per_s,
      memory->store_gb_per_s, memory->stream_gb_per_s);
  say("  muscles to rotations, %s, from memory to memory: %.1f ns a pose, %.0f%% of the write limit",
      memory->isa, memory->muscles_ns, 100 * memory->muscles_share);
  say("clips of 5 s at 30 frames a second, 130 curves with a key every 3 frames, text to verified GLB in %s",
      report->folder);
  say("  %u thread%s: %.3g clips an hour, %.3g frames/s, %.3g bytes/s written", clips->threads,
      clips->threads == 1 ? "" : "s", per_hour(clips), frames_per_s(clips), glb_bytes_per_s(clips));
}

static json_t *json_of_kernels(const bench_report *report) {
  json_t *list = or_die(json_array());
  for (uint32_t i = 0; i < report->isa_count; i++) {
    const sinew_kernel_speed *k = &report->kernels[i];
    json_t *entry = or_die(json_object());
    json_put(entry, "isa", json_of_text(k->isa));
    json_put(entry, "musclesNs", json_of_number(k->muscles_ns));
    json_put(entry, "jointsNs", json_of_number(k->joints_ns));
    json_put(entry, "poseNs", json_of_number(k->pose_ns));
    json_put(entry, "posesPerS", json_of_number(1e9 / k->pose_ns));
    json_put(entry, "arithmeticGops", json_of_number(k->arithmetic_gops));
    json_put(entry, "musclesShare", json_of_number(k->muscles_share));
    json_put(entry, "jointsShare", json_of_number(k->joints_share));
    json_add(list, entry);
  }
  return list;
}

static json_t *json_of_memory(const sinew_memory_speed *memory) {
  json_t *object = or_die(json_object());
  json_put(object, "isa", json_of_text(memory->isa));
  json_put(object, "readGBPerS", json_of_number(memory->read_gb_per_s));
  json_put(object, "storeGBPerS", json_of_number(memory->store_gb_per_s));
  json_put(object, "streamGBPerS", json_of_number(memory->stream_gb_per_s));
  json_put(object, "musclesNs", json_of_number(memory->muscles_ns));
  json_put(object, "musclesShare", json_of_number(memory->muscles_share));
  return object;
}

static json_t *json_of_clips(const bench_report *report) {
  const sinew_clip_speed *clips = &report->clips;
  json_t *object = or_die(json_object());
  json_put(object, "folder", json_of_text(report->folder));
  json_put(object, "threads", json_of_count(clips->threads));
  json_put(object, "clips", json_of_count(clips->clips));
  json_put(object, "seconds", json_of_number(clips->seconds));
  json_put(object, "clipFrames", json_of_count(clips->frames));
  json_put(object, "clipTextBytes", json_of_count(clips->text_bytes));
  json_put(object, "clipGlbBytes", json_of_count(clips->glb_bytes));
  json_put(object, "clipsPerHour", json_of_number(per_hour(clips)));
  json_put(object, "framesPerS", json_of_number(frames_per_s(clips)));
  json_put(object, "bytesPerS", json_of_number(glb_bytes_per_s(clips)));
  return object;
}

void bench_report_json(const bench_report *report) {
  char cpu[256];
  cpu_name(cpu, sizeof cpu);
  json_t *object = json_begin();
  json_put(object, "bench", json_of_count(1));
  json_put(object, "cpu", json_of_text(*cpu ? cpu : NULL));
  json_put(object, "kernels", json_of_kernels(report));
  json_put(object, "memory", json_of_memory(&report->memory));
  json_put(object, "clips", json_of_clips(report));
  json_say(object);
}
