/* Functions that longjmp leaves, which report no end: setjmp notes how many regions are open, and
 * longjmp leaves those that are open beyond that. The linker leads both to here (--wrap).
 *
 * The file that includes this defines RECORDER, the variable with the recorder of the thread or
 * null: it is null within a call of the library, which a jump may leave, too. */
#ifndef PGAS_FUNCTION_JUMPS_H
#define PGAS_FUNCTION_JUMPS_H

#ifdef __x86_64__

#include <stddef.h>
#include <stdint.h>

/* Places to return to that are remembered; one that another one has taken the place of is
 * unknown: then regions end with the function around them. */
#define JUMPS 64
static __thread struct {
  const void *place;
  pgas_recorder *recorder;
  size_t regions;
} jumps[JUMPS];

static size_t number_of_jump(const void *place) { return ((uintptr_t)place >> 4) % JUMPS; }

extern void pgas_note_jump(const void *place) __attribute__((visibility("hidden")));
void pgas_note_jump(const void *place) {
  size_t number = number_of_jump(place);
  jumps[number].place = place;
  jumps[number].recorder = RECORDER;
  jumps[number].regions = RECORDER ? pgas_open_regions(RECORDER) : 0;
}

static void return_to(const void *place) {
  size_t number = number_of_jump(place);
  if (jumps[number].place != place || !jumps[number].recorder) return;
  RECORDER = jumps[number].recorder;
  pgas_return_to(RECORDER, jumps[number].regions);
}

/* It returns twice, so it must be the caller itself that the function of the system returns to. */
#define SETJMP(name)                            \
  __asm__(".text\n"                             \
          ".globl __wrap_" #name "\n"           \
          ".type __wrap_" #name ", @function\n" \
          "__wrap_" #name ":\n"                 \
          ".cfi_startproc\n"                    \
          "push %rdi\n"                         \
          ".cfi_adjust_cfa_offset 8\n"          \
          "push %rsi\n"                         \
          ".cfi_adjust_cfa_offset 8\n"          \
          "sub $8, %rsp\n"                      \
          ".cfi_adjust_cfa_offset 8\n"          \
          "call pgas_note_jump\n"               \
          "add $8, %rsp\n"                      \
          ".cfi_adjust_cfa_offset -8\n"         \
          "pop %rsi\n"                          \
          ".cfi_adjust_cfa_offset -8\n"         \
          "pop %rdi\n"                          \
          ".cfi_adjust_cfa_offset -8\n"         \
          "jmp __real_" #name "@PLT\n"          \
          ".cfi_endproc\n"                      \
          ".size __wrap_" #name ", .-__wrap_" #name "\n");

#define LONGJMP(name)                                                          \
  extern void __real_##name(void *place, int value) __attribute__((noreturn)); \
  extern void __wrap_##name(void *place, int value) __attribute__((noreturn)); \
  void __wrap_##name(void *place, int value) {                                 \
    return_to(place);                                                          \
    __real_##name(place, value);                                               \
  }

SETJMP(setjmp)
SETJMP(_setjmp)
SETJMP(__sigsetjmp)
LONGJMP(longjmp)
LONGJMP(_longjmp)
LONGJMP(siglongjmp)
#ifdef __GLIBC__
LONGJMP(__longjmp_chk)
#endif

#endif
#endif
