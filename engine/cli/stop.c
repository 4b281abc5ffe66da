#include "stop.h"

#include "args.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t deferred;
static volatile sig_atomic_t asked;

static void on_signal(int number) {
  (void)number;
  asked = 1;
  if (!deferred) _exit(EXIT_STOPPED);
}

void stop_watch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction before;
    /* what the parent chose to ignore stays ignored, as for a job in the background of a plain shell */
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(numbers[i], &action, NULL);
  }
  /* a closed pipe is an error of a write, told like any other */
  signal(SIGPIPE, SIG_IGN);
  /* and so is a file that may not grow any more */
  signal(SIGXFSZ, SIG_IGN);
}

void stop_defer(bool defer) {
  deferred = defer;
}

bool stop_asked(void) {
  return asked != 0;
}
