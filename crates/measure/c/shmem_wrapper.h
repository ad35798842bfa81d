/* What every wrapper of an OpenSHMEM function is made of.
 *
 * The files shmem_*.c are compiled on the user's machine with its oshcc, against its shmem.h, and
 * linked into the program before the SHMEM library. Each function that a program calls is defined
 * here once more: it reports the call and calls the library's.
 *
 * Recipe, for a compiler CC (oshcc, or what stands for it):
 *
 *  1. Find out what the header declares. `CC -E` of a file that has only `#include <shmem.h>` gives
 *     text without macros and comments; every identifier directly before a `(` (spaces allowed) is
 *     a candidate. For each one that matches `shmem_[a-z0-9_]+`, or is one of `start_pes`,
 *     `shmalloc`, `shmemalign`, `shrealloc`, `shfree`, write a line `#define HAVE_<name> 1` into a
 *     file shmem_have.h. Names that have no wrapper here do no harm.
 *  2. Compile all shmem_*.c: `CC -O2 -g0 -fno-lto -c -I<where shmem_have.h is>
 *     -I<where pgas_measure.h is>`, without the user's flags (and without -finstrument-functions).
 *     -fPIC is not needed unless the program's own objects have it.
 *  3. Link a program `int main(void) { return 0; }` with these objects and the recorder. If it
 *     fails, take every word `pshmem_...` (or `pstart_pes`, `pshmalloc`, ...) of the linker's
 *     messages. These, without their p, the library cannot record. If shmem_init is among them, go
 *     to 4. If none of them is in shmem_have.h, give up. Else remove their lines from shmem_have.h
 *     and go back to 2. Only names count, whatever the messages say and in whatever language; some
 *     linkers stop after 20 messages, so that it may take several rounds.
 *  4. The library has no profiling interface. Take the list of step 1 again and add
 *     -DPGAS_SHMEM_WITHOUT_PROFILING in step 2: the library's functions are looked up while the
 *     program runs, for which the library must be a shared one. With a static library, step 3 fails
 *     with multiple definitions, or the program ends with a message at its first call.
 *  5. Link programs with these objects before the SHMEM library, and the recorder and -ldl after
 *     them.
 *
 * Definitions bypass the header's declarations by their symbols (__asm__): implementations disagree
 * on `volatile` and `const`, which does not matter to a call but would to the compiler. */
#ifndef PGAS_SHMEM_WRAPPER_H
#define PGAS_SHMEM_WRAPPER_H

#include <stddef.h>
#include <stdint.h>

#include <shmem.h>

#include "call_recorder.h"
#include "pgas_measure.h"
#include "shmem_have.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* ---- Functions that there are ---- */

/* IF_HAVE(name)(text): the text if shmem_have.h has the name, nothing otherwise. PROBE_1 brings a
 * comma along, which moves KEEP to where DROP would be. */
#define IF_HAVE(name) IF_HAVE_VALUE(HAVE_##name)
#define IF_HAVE_VALUE(value) IF_HAVE_PROBE(value)
#define IF_HAVE_PROBE(value) IF_HAVE_CHOICE(PROBE_##value)
#define IF_HAVE_CHOICE(probe) IF_HAVE_SECOND(probe, DROP, ~)
#define IF_HAVE_SECOND(first, second, ...) second
#define PROBE_1 ~, KEEP
#define KEEP(...) __VA_ARGS__
#define DROP(...)

/* What is behind the names of the functions that a file defines: nothing for those of C. */
#ifndef SUFFIX
#define SUFFIX
#endif

/* REAL declares the library's own function, CALL is it. */
#ifdef PGAS_SHMEM_WITHOUT_PROFILING
#define REAL(result, name, parameters)      \
  typedef result type_of_##name parameters; \
  static void *place_of_##name;
#define CALL(name) ((type_of_##name *)pgas_shmem_find(&place_of_##name, #name SUFFIX))
extern void *pgas_shmem_look_up(void **place, const char *name);
static inline void *pgas_shmem_find(void **place, const char *name) {
  return LIKELY(*place) ? *place : pgas_shmem_look_up(place, name);
}
#else
#define REAL(result, name, parameters) \
  extern result real_##name parameters __asm__("p" #name SUFFIX);
#define CALL(name) real_##name
#endif

/* The head of a function that takes the place of the library's. */
#define WRAPPER(result, name, parameters)                           \
  REAL(result, name, parameters)                                    \
  extern result wrapper_of_##name parameters __asm__(#name SUFFIX); \
  result wrapper_of_##name parameters

/* ---- Whose calls are recorded ---- */

struct pgas_shmem_program {
  int my_pe, n_pes;
  /* The program in memory with its variables, of which the global and static ones are symmetric,
   * and the page of the heap in which the program's first block of memory is. */
  uintptr_t image, heap;
  uint64_t image_bytes;
  /* There are contexts of teams, in which PEs have other numbers. */
  int team_contexts;
  /* A test has failed that was not followed by any other call. */
  int is_polling;
};
extern struct pgas_shmem_program pgas_shmem;

extern void pgas_shmem_end_polling(pgas_recorder *);

/* Begin and end of the program, whatever the language that it calls them in: after the library is
 * initialised, before it closes down. */
extern void pgas_shmem_begin(void);
extern void pgas_shmem_finalize(const void *caller);
extern void pgas_shmem_global_exit(const void *caller, int status);

static inline pgas_recorder *begin_call(void) {
  pgas_recorder *recorder = pgas_call_recorder;
  if (LIKELY(recorder)) {
    pgas_call_recorder = NULL;
    if (!LIKELY(!pgas_shmem.is_polling)) pgas_shmem_end_polling(recorder);
  }
  return recorder;
}

static inline void end_call(pgas_recorder *recorder) {
  if (LIKELY(recorder)) pgas_call_recorder = recorder;
}

/* The kind of region and the name of a call, whose wrapper this is used in. */
#define THIS_CALL(region, name) {region, #name, __builtin_return_address(0)}

/* ---- Places in symmetric memory ---- */

/* Offsets from where the program's image begins, and from the first block of the heap, which are
 * the same on all PEs. Blocks may come to lie before the first one. What is far from both, as the
 * stack is, has no such place: 0. */
#define SYMMETRIC_HEAP (UINT64_C(1) << 36)
#define BEFORE_FIRST_BLOCK (UINT64_C(1) << 35)
#define LARGEST_HEAP (UINT64_C(1) << 42)

static inline uint64_t symmetric_address(const void *pointer) {
  uintptr_t address = (uintptr_t)pointer;
  if (address - pgas_shmem.image < pgas_shmem.image_bytes) return address - pgas_shmem.image;
  uint64_t from_first = (uint64_t)address - pgas_shmem.heap;
  return from_first + BEFORE_FIRST_BLOCK < LARGEST_HEAP && pgas_shmem.heap
             ? SYMMETRIC_HEAP + from_first
             : 0;
}

/* ---- PEs of contexts ---- */

#ifdef HAVE_shmem_ctx_create
extern int pgas_shmem_world_pe(shmem_ctx_t ctx, int pe);
static inline int world_pe(shmem_ctx_t ctx, int pe) {
  return LIKELY(!pgas_shmem.team_contexts) ? pe : pgas_shmem_world_pe(ctx, pe);
}
#endif

#endif
