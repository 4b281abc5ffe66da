#include "stage/workers.h"
#include "base/heap.h"

#include <pthread.h>

typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  int open;
} gate;

static void *wait_at(void *argument) {
  gate *g = argument;
  pthread_mutex_lock(&g->lock);
  while (!g->open) pthread_cond_wait(&g->opened, &g->lock);
  pthread_mutex_unlock(&g->lock);
  return NULL;
}

uint32_t workers_startable(uint32_t wanted) {
  if (wanted <= 1) return 1;
  pthread_t *threads = heap_alloc(wanted, sizeof *threads);
  if (!threads) return 1;
  gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
  uint32_t started = 0;
  while (started + 1 < wanted && pthread_create(&threads[started], NULL, wait_at, &g) == 0) started++;
  pthread_mutex_lock(&g.lock);
  g.open = 1;
  pthread_cond_broadcast(&g.opened);
  pthread_mutex_unlock(&g.lock);
  for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  heap_free(threads);
  return started + 1;
}
