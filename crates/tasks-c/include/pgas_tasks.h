/* Tasks and channels: tasks are functions that run at the same time, have data of their own and
 * send each other messages through channels.
 *
 *     #include <pgas_tasks.h>
 *
 *     struct ports { pgas_input *numbers; pgas_output *squares; };
 *
 *     static void square(void *arguments) {
 *       struct ports *ports = arguments;
 *       long number;
 *       while (pgas_receive(ports->numbers, &number)) {
 *         number *= number;
 *         pgas_send(ports->squares, &number);
 *       }
 *       pgas_input_delete(ports->numbers);
 *       pgas_output_delete(ports->squares);
 *     }
 *
 * For C, C++ and UPC. Arguments and messages are bytes that are copied. They may contain ports:
 * the receiver owns them, and deletes them or passes them on; the sender must not use them any
 * more. All functions but pgas_tasks_run may only be called by tasks. */
#ifndef PGAS_TASKS_H
#define PGAS_TASKS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends of channels. A channel has one input, and any number of outputs. */
typedef struct pgas_output pgas_output;
typedef struct pgas_input pgas_input;

typedef void pgas_task(void *arguments);

/* Runs a main task, until it and all tasks have ended. 0, or 1 if a task failed or all that were
 * left waited for each other; standard error then says which, and where. The environment variables
 * PGAS_TASK_PROCESSORS and PGAS_TASK_MAP say where tasks run. */
#define pgas_tasks_run(task, arguments, bytes) \
  pgas_tasks_run_at(task, #task, arguments, bytes, __FILE__, __LINE__)

/* Creates a task that runs `task` with a copy of the arguments. */
#define pgas_task_create(task, arguments, bytes) \
  pgas_task_create_at(task, #task, arguments, bytes, __FILE__, __LINE__)

/* Creates a channel for messages of this many bytes, whose senders never wait. */
#define pgas_channel(bytes, output, input) \
  pgas_channel_at(bytes, PGAS_UNBOUNDED, output, input, __FILE__, __LINE__)

/* Creates a channel that holds `capacity` messages: the sender of one more waits until that is
 * among the first `capacity`. */
#define pgas_channel_bounded(bytes, capacity, output, input) \
  pgas_channel_at(bytes, capacity, output, input, __FILE__, __LINE__)

/* Sends a message. 1, or 0 if nobody will receive it. */
#define pgas_send(output, message) pgas_send_at(output, message, __FILE__, __LINE__)

/* Receives the oldest message, and waits for one if there is none. 1, or 0 if the channel is closed
 * and all messages were received. */
#define pgas_receive(input, message) pgas_receive_at(input, message, __FILE__, __LINE__)

/* Waits until one of several inputs has a message or is closed: its position. Null pointers are
 * left out; `count` if there are no others. Of several inputs, that one which this task has
 * selected least recently. */
#define pgas_select(inputs, count) pgas_select_at(inputs, count, __FILE__, __LINE__)

/* Another output of the same channel. */
pgas_output *pgas_output_copy(const pgas_output *output);
/* Closes the channel for all outputs; the receiver gets what was sent before. */
void pgas_output_close(const pgas_output *output);
/* Deletes a port. Null is ignored. A channel closes when its last output is gone. */
void pgas_output_delete(pgas_output *output);
void pgas_input_delete(pgas_input *input);

/* What the macros above call, with the place in the source. */
#define PGAS_UNBOUNDED ((size_t)-1)
int pgas_tasks_run_at(pgas_task *task, const char *name, const void *arguments, size_t bytes,
                      const char *file, unsigned line);
void pgas_task_create_at(pgas_task *task, const char *name, const void *arguments, size_t bytes,
                         const char *file, unsigned line);
void pgas_channel_at(size_t bytes, size_t capacity, pgas_output **output, pgas_input **input,
                     const char *file, unsigned line);
int pgas_send_at(const pgas_output *output, const void *message, const char *file, unsigned line);
int pgas_receive_at(pgas_input *input, void *message, const char *file, unsigned line);
size_t pgas_select_at(pgas_input *const *inputs, size_t count, const char *file, unsigned line);

#ifdef __cplusplus
}
#endif

#endif
