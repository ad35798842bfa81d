/*
 * The library as far as the kernels use it, for one thread in plain C: what their serial builds are compiled with, so
 * that the cost of UPC can be told from that of the algorithm. serial.sed takes the words of the language out.
 */
#ifndef SERIAL_UPC_H
#define SERIAL_UPC_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 1
#define MYTHREAD 0

typedef int upc_lock_t;
typedef int upc_flag_t;

enum { UPC_ADD, UPC_MAX };
enum { UPC_IN_ALLSYNC = 1, UPC_OUT_ALLSYNC = 2 };

#define upc_global_exit(status) exit(status)
#define upc_alloc(bytes) malloc(bytes)
#define upc_all_alloc(blocks, bytes) calloc(blocks, bytes)
#define upc_free(memory) free(memory)
#define upc_memget(to, from, bytes) memcpy(to, from, bytes)
#define upc_memput(to, from, bytes) memcpy(to, from, bytes)
#define upc_all_lock_alloc() ((upc_lock_t *)NULL)
#define upc_lock(lock) ((void)(lock))
#define upc_unlock(lock) ((void)(lock))
#define upc_lock_free(lock) ((void)(lock))
/* There is one value. */
#define upc_all_reduceD(to, from, operation, count, block, function, flags) ((void)(*(to) = *(from)))
#define upc_all_reduceL(to, from, operation, count, block, function, flags) ((void)(*(to) = *(from)))

#endif
