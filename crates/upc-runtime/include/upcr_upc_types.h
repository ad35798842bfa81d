/* Types and constants that several parts of the UPC library share: operations, synchronisation
 * flags, codes of types. Plain C, so that tools can include it too. */
#ifndef UPCR_UPC_TYPES_H
#define UPCR_UPC_TYPES_H

/* How a collective operation is synchronised at its begin and at its end. Without a flag for one of
 * them it is ALLSYNC. */
typedef int upc_flag_t;
#define UPC_IN_NOSYNC 1
#define UPC_IN_MYSYNC 2
#define UPC_IN_ALLSYNC 4
#define UPC_OUT_NOSYNC 8
#define UPC_OUT_MYSYNC 16
#define UPC_OUT_ALLSYNC 32

/* Operation of a reduction. */
typedef int upc_op_t;
#define UPC_ADD 1
#define UPC_MULT 2
#define UPC_AND 4
#define UPC_OR 8
#define UPC_XOR 16
#define UPC_LOGAND 32
#define UPC_LOGOR 64
#define UPC_MIN 128
#define UPC_MAX 256
#define UPC_FUNC 512
#define UPC_NONCOMM_FUNC 1024

/* Codes of types. */
typedef int upc_type_t;
#define UPC_CHAR 1
#define UPC_UCHAR 2
#define UPC_SHORT 3
#define UPC_USHORT 4
#define UPC_INT 5
#define UPC_UINT 6
#define UPC_LONG 7
#define UPC_ULONG 8
#define UPC_LLONG 9
#define UPC_ULLONG 10
#define UPC_INT8 11
#define UPC_UINT8 12
#define UPC_INT16 13
#define UPC_UINT16 14
#define UPC_INT32 15
#define UPC_UINT32 16
#define UPC_INT64 17
#define UPC_UINT64 18
#define UPC_FLOAT 19
#define UPC_DOUBLE 20
#define UPC_LDOUBLE 21
#define UPC_PTS 22

#endif
