/* Header of a small SHMEM library of one processing element. */
#ifndef STAND_IN_SHMEM_H
#define STAND_IN_SHMEM_H
extern void shmem_init(void);
extern void shmem_finalize(void);
extern void shmem_barrier_all(void);
extern int shmem_extra(int value);
#endif
