/* The atomic memory operations of UPC 1.3 (optional): a domain says which operations its variables
 * will see, and every access to a variable goes through a domain for as long as threads compete for
 * it. */
#ifndef UPCR_UPC_ATOMIC_H
#define UPCR_UPC_ATOMIC_H

#include "upcr_upc_types.h"

/* ---- Operations, besides UPC_ADD to UPC_XOR, UPC_MIN and UPC_MAX of upc_types.h ---- */

#define UPC_GET 2048
#define UPC_SET 4096
#define UPC_CSWAP 8192
#define UPC_SUB 16384
#define UPC_INC 32768
#define UPC_DEC 65536

/* ---- What a domain shall be good at; here all are alike ---- */

typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

/* ---- Answers of upc_atomic_isfast ---- */

#define UPC_ATOMIC_PERFORMANCE_NOT_FAST 0
#define UPC_ATOMIC_PERFORMANCE_FAST 1

#ifdef __UPC__

#include <stddef.h>

typedef shared struct upcr_domain upc_atomicdomain_t;

/* By all threads together; `ops` are operations combined with |. */
extern upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t __type, upc_op_t __ops,
                                                      upc_atomichint_t __hints);
extern void upc_all_atomicdomain_free(upc_atomicdomain_t *__domain);

/* Stores the old value at `fetch` unless that is null. UPC_SET, UPC_ADD and so on take `operand1`;
 * UPC_CSWAP compares with `operand1` and writes `operand2`. */
extern void upc_atomic_strict(upc_atomicdomain_t *__domain, void *__restrict __fetch, upc_op_t __op,
                              shared void *__restrict __target, const void *__restrict __operand1,
                              const void *__restrict __operand2);
extern void upc_atomic_relaxed(upc_atomicdomain_t *__domain, void *__restrict __fetch,
                               upc_op_t __op, shared void *__restrict __target,
                               const void *__restrict __operand1,
                               const void *__restrict __operand2);

/* Whether all of these operations on a variable there (anywhere, if `addr` is null) are done by the
 * processor. */
extern int upc_atomic_isfast(upc_type_t __type, upc_op_t __ops, shared void *__addr);
/* The name of upc_atomic_isfast in drafts of the specification. */
extern int upc_atomic_query(upc_type_t __type, upc_op_t __ops, shared void *__addr);

#endif
#endif
