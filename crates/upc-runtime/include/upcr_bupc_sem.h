/* Berkeley UPC's semaphores between threads: a value that posts raise and waits lower, waiting
 * until they can. A post orders what the thread did before, a wait what it does after. */
#ifndef UPCR_BUPC_SEM_H
#define UPCR_BUPC_SEM_H

/* Flags of bupc_sem_alloc, combined with |. A boolean one is 0 or 1, however often it is posted.
 * How many threads post and wait is a hint. */
#define BUPC_SEM_BOOLEAN 1
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16
#define BUPC_SEM_MCONSUMER 32
/* The largest value of one that is not boolean. */
#define BUPC_SEM_MAXVALUE 0x7fffffff

#ifdef __UPC__

#include <stddef.h>

typedef shared struct upcr_semaphore bupc_sem_t;

/* By one thread, with affinity to it, of the value 0. */
extern bupc_sem_t *bupc_sem_alloc(int __flags);
extern void bupc_sem_free(bupc_sem_t *__sem);
extern void bupc_sem_post(bupc_sem_t *__sem);
extern void bupc_sem_postN(bupc_sem_t *__sem, size_t __n);
extern void bupc_sem_wait(bupc_sem_t *__sem);
extern void bupc_sem_waitN(bupc_sem_t *__sem, size_t __n);
/* 1 if the value was lowered, 0 if it was too low. */
extern int bupc_sem_try(bupc_sem_t *__sem);
extern int bupc_sem_tryN(bupc_sem_t *__sem, size_t __n);

/* upc_memput, then bupc_sem_postN. */
extern void bupc_memput_signal(shared void *__dst, const void *__src, size_t __nbytes,
                               bupc_sem_t *__sem, size_t __n);
extern void bupc_memput_signal_async(shared void *__dst, const void *__src, size_t __nbytes,
                                     bupc_sem_t *__sem, size_t __n);

#endif
#endif
