/*
 * A measurement that checks instead of recording: every end of an event must belong to the last beginning, the thread
 * must have been set up before, and source positions must be there. What is wrong is printed at once.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { START, END, ATOMIC, DEPTH = 100000 };

struct context {
    unsigned tags[DEPTH];
    int depth;
};

static struct context the_context;
static int set_up;

static void complain(const char *what, unsigned tag, const char *file, int line)
{
    printf("GASP: %s, event %u at %s:%d\n", what, tag, file != NULL ? file : "?", line);
    fflush(stdout);
}

void *gasp_init(int model, int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (model != 0 || set_up)
        complain("gasp_init called twice or for another model", 0, NULL, 0);
    set_up = 1;
    return &the_context;
}

void gasp_event_notifyVA(void *context, unsigned tag, int type, const char *file, int line, int column, va_list arguments)
{
    struct context *c = context;

    (void)column, (void)arguments;
    if (!set_up || c != &the_context) {
        complain("event without gasp_init", tag, file, line);
        return;
    }
    if (file == NULL || line < 0)
        complain("no source position", tag, file, line);
    if (type == START) {
        if (c->depth < DEPTH)
            c->tags[c->depth] = tag;
        c->depth++;
    } else if (type == END) {
        if (c->depth == 0 || (c->depth <= DEPTH && c->tags[c->depth - 1] != tag))
            complain("the end of what was not begun last", tag, file, line);
        else
            c->depth--;
    } else if (type != ATOMIC) {
        complain("no such type of event", tag, file, line);
    }
}

void gasp_event_notify(void *context, unsigned tag, int type, const char *file, int line, int column, ...)
{
    va_list arguments;

    va_start(arguments, column);
    gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
    va_end(arguments);
}

int gasp_control(void *context, int on)
{
    (void)context, (void)on;
    return 1;
}

/* Accesses that the program counts by itself. */
int pgas_takes_counts(void *context)
{
    return context != NULL;
}

void pgas_counted_accesses(void *context, int is_put, const char *file, int line, int thread, unsigned long accesses,
                           unsigned long bytes)
{
    if (context != &the_context || accesses == 0 || bytes == 0 || thread < 0 || file == NULL || line <= 0)
        complain("a count that cannot be", is_put, file, line);
}

unsigned gasp_create_event(void *context, const char *name, const char *description)
{
    static unsigned next = 100;

    (void)context, (void)name, (void)description;
    return next++;
}
