/* Places in symmetric memory: what has to be known once, at the program's begin. */
#ifndef PGAS_SHMEM_MEMORY_H
#define PGAS_SHMEM_MEMORY_H

void pgas_shmem_find_image(void);

#endif
