/* Berkeley UPC's casts to and from plain pointers, under another name of their header. */
#include <bupc_pointers.h>
