/* Events that a program defines itself (pupc.h): their numbers, and the names of the regions that
 * they become.
 *
 * The description of an event is a printf format for its arguments. Integers, characters and
 * strings among them distinguish regions, so that "level" with "%d" becomes "level (1)", "level
 * (2)" and so on; numbers with a fraction and addresses would give each event its own region, so
 * they are read and not shown. The program's arguments may not fit the description; nothing here
 * may fail because of that. */
#ifndef PGAS_USER_EVENTS_H
#define PGAS_USER_EVENTS_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

/* Numbers that events may have. The last one is given to none: it stands for numbers that no event
 * has. The one before is shared by all events for which there is no other. */
#define USER_EVENTS (GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1)
#define SHARED_EVENT (USER_EVENTS - 2)
/* Regions that one event may become by its arguments; more are one region. */
#define MOST_REGIONS 64
#define REGION_SLOTS (2 * MOST_REGIONS)
/* Arguments that are read. */
#define MOST_ARGUMENTS 8
/* Bytes of a string that are shown, and of a region's name. */
#define TEXT_BYTES 48
#define NAME_BYTES 256
/* Events of which it is remembered which region they have begun. */
#define MOST_OPEN 1024

enum argument {
  ARG_INT,
  ARG_LONG,
  ARG_LONG_LONG,
  ARG_TEXT,
  ARG_DOUBLE,
  ARG_LONG_DOUBLE,
  ARG_POINTER
};

struct user_event {
  const char *name, *description;
  /* Arguments of the description, and whether one of them is shown. */
  int arguments, is_shown;
  unsigned char kinds[MOST_ARGUMENTS];
  /* By a hash of the arguments that are shown; null until there is one. */
  struct {
    uint64_t key;
    const char *name;
  } *regions;
  int region_count;
  const char *other_region;
};

struct user_events {
  unsigned count;
  int said_no_memory;
  struct user_event events[USER_EVENTS];
  unsigned open_count;
  struct {
    unsigned number;
    const char *region;
  } open[MOST_OPEN];
};

static void user_say_no_memory(int *said, const char *consequence) {
  if (!*said) pgas_no_memory(consequence);
  *said = 1;
}

struct user_argument {
  long long integer;
  char text[TEXT_BYTES];
};

/* Finds the end of the conversion that begins at `at`, a percent sign, and its kind: -1 for one
 * that has no argument, -2 for one that is not understood, so that it is not known what follows. */
static const char *user_conversion(const char *at, int *kind) {
  const char *p = at + 1;
  int longs = 0, is_long_double = 0;
  *kind = -2;
  p += strspn(p, "-+ #0'");
  p += strspn(p, "0123456789");
  if (*p == '.') p += 1 + strspn(p + 1, "0123456789");
  for (;; p++) {
    if (*p == 'l') longs++;
    else if (*p == 'z' || *p == 't') longs = sizeof(size_t) > sizeof(int) ? 1 : 0;
    else if (*p == 'j' || *p == 'q') longs = 2;
    else if (*p == 'L') is_long_double = 1;
    else if (*p != 'h') break;
  }
  if (*p == 0 || p - at > 15) return p;
  if (*p == '%') *kind = -1;
  else if (strchr("diuoxXc", *p))
    *kind = longs == 0 || *p == 'c' ? ARG_INT : longs == 1 ? ARG_LONG : ARG_LONG_LONG;
  else if (*p == 's' && longs == 0) *kind = ARG_TEXT;
  else if (strchr("fFeEgGaA", *p)) *kind = is_long_double ? ARG_LONG_DOUBLE : ARG_DOUBLE;
  else if (*p == 'p') *kind = ARG_POINTER;
  return p + 1;
}

static int user_is_shown(int kind) { return kind <= ARG_TEXT; }

static void user_read_description(struct user_event *event) {
  for (const char *p = event->description; (p = strchr(p, '%')) != NULL;) {
    int kind;
    p = user_conversion(p, &kind);
    if (kind == -1) continue;
    if (kind == -2 || event->arguments == MOST_ARGUMENTS) break;
    event->kinds[event->arguments++] = (unsigned char)kind;
    event->is_shown |= user_is_shown(kind);
  }
}

/* The string at `from`, as far as there is memory at all. */
static void user_copy_text(char *to, const char *from) {
#if defined __linux__ && defined SYS_process_vm_readv
  /* An address without memory gives an error instead of a crash. The call reads whole pieces only,
   * hence one for each page. */
  size_t page = 4096, first = page - (uintptr_t)from % page;
  if (first > TEXT_BYTES - 1) first = TEXT_BYTES - 1;
  struct iovec local = {to, TEXT_BYTES - 1};
  struct iovec remote[2] = {{(void *)from, first},
                            {(void *)((uintptr_t)from + first), TEXT_BYTES - 1 - first}};
  long length = syscall(SYS_process_vm_readv, (long)getpid(), &local, 1L, remote, 2L, 0L);
  if (length > 0) to[length] = 0;
  else strcpy(to, "..");
#else
  (void)from;
  strcpy(to, "..");
#endif
}

static void user_read_arguments(const struct user_event *event, struct user_argument *values,
                                va_list arguments) {
  for (int i = 0; i < event->arguments; i++) {
    switch (event->kinds[i]) {
      case ARG_INT: values[i].integer = va_arg(arguments, int); break;
      case ARG_LONG: values[i].integer = va_arg(arguments, long); break;
      case ARG_LONG_LONG: values[i].integer = va_arg(arguments, long long); break;
      case ARG_TEXT: user_copy_text(values[i].text, va_arg(arguments, const char *)); break;
      case ARG_DOUBLE: (void)va_arg(arguments, double); break;
      case ARG_LONG_DOUBLE: (void)va_arg(arguments, long double); break;
      case ARG_POINTER: (void)va_arg(arguments, void *); break;
    }
  }
}

/* Never zero. */
static uint64_t user_key(const struct user_event *event, const struct user_argument *values) {
  uint64_t key = 0xcbf29ce484222325u;
  for (int i = 0; i < event->arguments; i++) {
    if (event->kinds[i] == ARG_TEXT) {
      for (const char *p = values[i].text; *p; p++)
        key = (key ^ (unsigned char)*p) * 0x100000001b3u;
      key = (key ^ 256) * 0x100000001b3u;
    } else if (user_is_shown(event->kinds[i])) {
      key = (key ^ (uint64_t)values[i].integer) * 0x9e3779b97f4a7c15u;
      key ^= key >> 32;
    }
  }
  return key | 1;
}

/* "name (description with the arguments)", or without the name where the description begins with
 * it. */
static void user_format(const struct user_event *event, const struct user_argument *values,
                        char *out) {
  size_t begins = strlen(event->name);
  int repeats = begins > 0 && strncmp(event->description, event->name, begins) == 0;
  size_t used = 0, room = NAME_BYTES - 2;
#define APPEND(...)                                                                          \
  do {                                                                                       \
    int length = snprintf(out + used, room - used, __VA_ARGS__);                             \
    if (length > 0) used += (size_t)length < room - used ? (size_t)length : room - used - 1; \
  } while (0)
  out[0] = 0;
  if (!repeats) APPEND("%s (", event->name);
  int i = 0;
  for (const char *p = event->description; *p;) {
    size_t plain = strcspn(p, "%");
    APPEND("%.*s", (int)(plain < NAME_BYTES ? plain : NAME_BYTES), p);
    p += plain;
    if (*p == 0) break;
    int kind;
    const char *end = user_conversion(p, &kind);
    char conversion[20] = "";
    if (end - p < (long)sizeof conversion) memcpy(conversion, p, (size_t)(end - p));
    p = end;
    if (kind == -1) {
      APPEND("%%");
      continue;
    }
    if (kind == -2 || i == event->arguments) {
      APPEND("..");
      break;
    }
    switch (kind) {
      case ARG_INT: APPEND(conversion, (int)values[i].integer); break;
      case ARG_LONG: APPEND(conversion, (long)values[i].integer); break;
      case ARG_LONG_LONG: APPEND(conversion, values[i].integer); break;
      case ARG_TEXT: APPEND(conversion, values[i].text); break;
      default: APPEND("..");
    }
    i++;
  }
#undef APPEND
  if (!repeats) memcpy(out + used, ")", 2);
}

/* The region that an event with these arguments is. */
static const char *user_region(struct user_events *events, struct user_event *event,
                               va_list arguments) {
  if (!event->is_shown) return event->name;
  int before = errno;
  const char *region = event->name;
  struct user_argument values[MOST_ARGUMENTS];
  user_read_arguments(event, values, arguments);
  uint64_t key = user_key(event, values);
  if (!event->regions && !(event->regions = calloc(REGION_SLOTS, sizeof *event->regions)))
    user_say_no_memory(&events->said_no_memory,
                       "events of the program are recorded without their arguments");
  if (event->regions) {
    unsigned slot = (unsigned)(key >> 1) % REGION_SLOTS;
    while (event->regions[slot].key != 0 && event->regions[slot].key != key)
      slot = (slot + 1) % REGION_SLOTS;
    if (event->regions[slot].key == key) {
      region = event->regions[slot].name;
    } else if (event->region_count < MOST_REGIONS) {
      char name[NAME_BYTES];
      user_format(event, values, name);
      char *copy = strdup(name);
      if (!copy) {
        user_say_no_memory(&events->said_no_memory,
                           "events of the program are recorded without their arguments");
      } else {
        event->regions[slot].key = key;
        event->regions[slot].name = region = copy;
        event->region_count++;
      }
    } else {
      if (!event->other_region) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.200s (others)", event->name);
        event->other_region = strdup(name);
      }
      if (event->other_region) region = event->other_region;
    }
  }
  errno = before;
  return region;
}

/* A name for the event of this number, whether or not there is one. */
static struct user_event *user_event_of(struct user_events *events, unsigned number) {
  static struct user_event unknown = {.name = "(unknown user event)", .description = ""};
  return number < events->count ? &events->events[number] : &unknown;
}

/* The region that event `number` begins. */
static const char *user_begin(struct user_events *events, unsigned number, va_list arguments) {
  struct user_event *event = user_event_of(events, number);
  const char *region = user_region(events, event, arguments);
  if (event->is_shown) {
    if (events->open_count == MOST_OPEN) {
      /* Most of these were left without an end. */
      events->open_count = MOST_OPEN / 2;
      memmove(events->open, events->open + MOST_OPEN / 2, MOST_OPEN / 2 * sizeof *events->open);
    }
    events->open[events->open_count].number = number;
    events->open[events->open_count++].region = region;
  }
  return region;
}

/* The region that the end of event `number` is of: the arguments of an end do not count, and may be
 * left out. */
static const char *user_end(struct user_events *events, unsigned number) {
  struct user_event *event = user_event_of(events, number);
  for (unsigned i = event->is_shown ? events->open_count : 0; i-- > 0;) {
    if (events->open[i].number == number) {
      events->open_count = i;
      return events->open[i].region;
    }
  }
  return event->name;
}

/* The number of the event of this name and description, a new one if there is none yet. */
static unsigned user_create(struct user_events *events, const char *name, const char *description) {
  if (!name) name = "user event";
  if (!description) description = "";
  unsigned number = 0;
  while (number < events->count && (strcmp(events->events[number].name, name) != 0 ||
                                    strcmp(events->events[number].description, description) != 0))
    number++;
  if (number < events->count) return number;
  if (number >= SHARED_EVENT) {
    if (events->count == SHARED_EVENT) {
      events->events[events->count].description = "";
      events->events[events->count++].name = "(further user events)";
    }
    return SHARED_EVENT;
  }
  int before = errno;
  char *name_copy = strdup(name), *description_copy = strdup(description);
  errno = before;
  if (!name_copy || !description_copy) {
    free(name_copy), free(description_copy);
    user_say_no_memory(&events->said_no_memory,
                       "events of the program are recorded without their names");
    return USER_EVENTS - 1;
  }
  events->events[number].name = name_copy;
  events->events[number].description = description_copy;
  user_read_description(&events->events[number]);
  events->count++;
  return number;
}

#endif
