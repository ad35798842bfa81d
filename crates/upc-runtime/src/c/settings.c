/* Settings of a program's user: the number of threads and the size of the shared heap, as the
 * first arguments of the program, in our environment variables, or in those that scripts for other
 * compilers set. The first of them that is given counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

#define SEGMENT (1ul << UPCR_SHIFT)
#define MIB 1048576.0

/* Bytes of each thread's shared heap that the link asked for. */
extern const unsigned long upcr_default_heap __attribute__((weak));

static const char *threads_argument, *heap_argument;

/* The value of an argument `-fupc-threads=4` or `-fupc-threads-4`, null if it is another one. */
static const char *value_of(const char *argument, const char *option) {
  size_t length = strlen(option);
  if (strncmp(argument, option, length) != 0) return NULL;
  return argument[length] == '=' || argument[length] == '-' ? argument + length + 1 : NULL;
}

int upcr_allocations_synchronize = 1;

static void read_synchronization(void) {
  const char *text = getenv("PGAS_ALLOC_SYNC");
  if (text == NULL || *text == 0 || strcmp(text, "1") == 0 || strcmp(text, "yes") == 0) return;
  if (strcmp(text, "0") != 0 && strcmp(text, "no") != 0) {
    upcr_say("PGAS_ALLOC_SYNC is '%.60s', but yes or no is expected", text);
    exit(2);
  }
  upcr_allocations_synchronize = 0;
}

void upcr_settings_start(int *argc, char **argv) {
  read_synchronization();
  int taken = 0;
  while (taken + 1 < *argc) {
    const char *argument = argv[taken + 1], *value;
    if ((value = value_of(argument, "-fupc-threads")) != NULL) threads_argument = value;
    else if ((value = value_of(argument, "-fupc-heap")) != NULL) heap_argument = value;
    else break;
    taken++;
  }
  if (taken == 0) return;
  /* With the null pointer at the end. */
  memmove(argv + 1, argv + 1 + taken, (size_t)(*argc - taken) * sizeof *argv);
  *argc -= taken;
}

/* The first of an argument and some environment variables that is given, and its name. */
static const char *given(const char *argument, const char *option, const char *const *variables,
                         const char **name) {
  *name = option;
  if (argument != NULL) return argument;
  for (; *variables != NULL; variables++) {
    const char *text = getenv(*variables);
    *name = *variables;
    if (text != NULL && *text != 0) return text;
  }
  return NULL;
}

int upcr_threads_asked_for(const char **from) {
  static const char *const variables[] = {"PGAS_THREADS", "UPC_NUM_THREADS", NULL};
  const char *text = given(threads_argument, "-fupc-threads", variables, from);
  if (text == NULL) return 0;
  char *end;
  long number = strtol(text, &end, 10); /* what is too large for a long becomes its largest */
  while (*end == ' ') end++;
  if (end == text || *end != 0 || number < 1 || number > UPCR_MAX_THREADS) {
    upcr_say("%s is '%.60s', but a number of threads from 1 to %d is expected", *from, text,
             UPCR_MAX_THREADS);
    exit(2);
  }
  return (int)number;
}

/* A number with a unit, in bytes; 0 if it is none. Without a unit it is in megabytes, as Berkeley
 * UPC has it, unless there cannot be that many: then it is in bytes. */
static double size_of(const char *text) {
  if ((*text < '0' || *text > '9') && *text != '.') return 0;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) return 0;
  char *end;
  double number = strtod(text, &end), unit;
  while (*end == ' ') end++;
  switch (*end) {
    case 'k':
    case 'K':
      unit = 1024;
      end++;
      break;
    case 'm':
    case 'M':
      unit = MIB;
      end++;
      break;
    case 'g':
    case 'G':
      unit = 1024 * MIB;
      end++;
      break;
    case 't':
    case 'T':
      unit = 1024 * 1024 * MIB;
      end++;
      break;
    case 'b':
    case 'B': unit = 1; break;
    default: unit = number > (double)SEGMENT / MIB ? 1 : MIB;
  }
  if (unit > 1 && *end == 'i') end++;
  if (*end == 'b' || *end == 'B') end++;
  while (*end == ' ') end++;
  number *= unit;
  return *end == 0 && number >= 1 ? number : 0;
}

unsigned long upcr_heap_asked_for(const char **from) {
  static const char *const variables[] = {"PGAS_SHARED_HEAP", "UPC_SHARED_HEAP_SIZE", NULL};
  const char *text = given(heap_argument, "-fupc-heap", variables, from);
  if (text == NULL) {
    *from = "-shared-heap at the link";
    return &upcr_default_heap != NULL ? upcr_default_heap : 0;
  }
  double bytes = size_of(text);
  if (bytes == 0 || bytes > (double)SEGMENT) {
    upcr_say(
        "%s is '%.60s', but a size per thread such as 512MB or 4GB is expected, at most %.0fGB",
        *from, text, (double)SEGMENT / 1024 / MIB);
    exit(2);
  }
  return (unsigned long)bytes;
}
