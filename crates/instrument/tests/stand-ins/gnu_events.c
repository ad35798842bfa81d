/* Makes the events of the embedded runtime those that GNU's and Clang's runtimes report: under their numbers, without
 * collective operations. Linked with --wrap=gasp_init, gasp_event_notify and gasp_event_notifyVA. */
#pragma pupc off
#include <stdarg.h>

struct _gasp_context_S;
typedef struct _gasp_context_S *context_of;

context_of __real_gasp_init(int model, int *argc, char ***argv);
void __real_gasp_event_notifyVA(context_of, unsigned tag, int type, const char *file, int line, int column, va_list);
int gasp_control(context_of, int on);
unsigned gasp_create_event(context_of, const char *name, const char *description);

/* The embedded runtime's number, the other one. Those that are not listed are not reported. */
static const unsigned numbers[][2] = {
  {1023, 1},  {1020, 2},  {1021, 3},  {1022, 4},  {1210, 5},  {1211, 6},  {1100, 7},  {1101, 8},  {1102, 9},
  {1103, 10}, {1001, 12}, {1002, 13}, {1000, 14}, {1003, 15}, {1004, 15}, {1010, 16}, {1011, 17}, {1012, 18},
  {1016, 18}, {1014, 19}, {1013, 20}, {1015, 21}, {1032, 22}, {1030, 23}, {1031, 24}, {1033, 25}, {1111, 26},
  {1110, 27}, {1120, 28}, {1121, 30}, {1122, 32},
};

static context_of own;

context_of __wrap_gasp_init(int model, int *argc, char ***argv) {
  return own = __real_gasp_init(model, argc, argv);
}

void __wrap_gasp_event_notifyVA(context_of context, unsigned tag, int type, const char *file, int line, int column,
                                va_list arguments) {
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (numbers[i][0] == tag)
      __real_gasp_event_notifyVA(context, numbers[i][1], type, file, line, column, arguments);
}

void __wrap_gasp_event_notify(context_of context, unsigned tag, int type, const char *file, int line, int column, ...) {
  va_list arguments;
  va_start(arguments, column);
  __wrap_gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
  va_end(arguments);
}

/* What their libraries have for programs that include pupc.h. */
int pupc_control(int on) { return own ? gasp_control(own, on) : 0; }
unsigned pupc_create_event(const char *name, const char *description) {
  return own ? gasp_create_event(own, name, description) : 0;
}
#define USER_EVENT(name, type)                                                              \
  void name(unsigned event, const char *file, int line, ...) {                              \
    va_list arguments;                                                                      \
    if (!own) return;                                                                       \
    va_start(arguments, line);                                                              \
    __real_gasp_event_notifyVA(own, event, type, file, line, 0, arguments);                 \
    va_end(arguments);                                                                      \
  }
USER_EVENT(pupc_event_startg, 0)
USER_EVENT(pupc_event_endg, 1)
USER_EVENT(pupc_event_atomicg, 2)
