// Frames per second as on a screen of 60 Hz, on a machine whose virtual display copies each picture instead: a
// preloaded glfwSwapBuffers that returns when the frame before is shown, one frame in the queue, as drivers do. It
// writes the times, in seconds, at which frames are shown.
//     gcc -shared -fPIC -O2 -o paced_swap.so assets/benchmarks/paced_swap.c -lm
//     LD_PRELOAD=./paced_swap.so SHOWN=shown.txt pericenter --scene collision -n 100000000 --size 1920x1080
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double kRefresh = 1.0 / 60;                  // seconds
static const long kCopied = 1800;                         // every so many frames one goes to the display
enum { kCommandsComplete = 0x9117, kFlushCommands = 1 };  // GL_SYNC_GPU_COMMANDS_COMPLETE, GL_SYNC_FLUSH_COMMANDS_BIT

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_until(double moment) {
  const double rest = moment - now();
  if (rest > 0) nanosleep(&(struct timespec){0, (long)(1e9 * rest)}, NULL);
}

void glfwSwapBuffers(void* window) {
  static void (*swap)(void*);
  static void (*flush)(void);
  static void* (*fence)(unsigned, unsigned);
  static unsigned (*wait)(void*, unsigned, unsigned long);
  static void (*forget)(void*);
  static FILE* out;
  static double start, shown;
  static void* before;  // fence of the frame before
  static long frames;
  if (!swap) {
    void* (*function)(const char*) = dlsym(RTLD_NEXT, "glfwGetProcAddress");
    swap = dlsym(RTLD_NEXT, "glfwSwapBuffers");
    flush = function("glFlush");
    fence = function("glFenceSync");
    wait = function("glClientWaitSync");
    forget = function("glDeleteSync");
    const char* const path = getenv("SHOWN");
    out = fopen(path ? path : "shown.txt", "w");
    if (!out) {
      perror("paced_swap: the times of frames cannot be written");
      exit(1);
    }
    start = now();
  }
  if (frames++ % kCopied == 0) swap(window);
  void* const mine = fence(kCommandsComplete, 0);
  flush();
  if (before) {
    wait(before, kFlushCommands, 10000000000ul);
    forget(before);
    const double refresh = kRefresh * ceil((now() - start) / kRefresh);
    shown = refresh > shown + 0.5 * kRefresh ? refresh : shown + kRefresh;
    sleep_until(start + shown);
    fprintf(out, "%.5f\n", shown);
    fflush(out);
  }
  before = mine;
}
