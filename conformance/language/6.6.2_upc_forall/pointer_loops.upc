// threads: 1 2 3 4
// Pointers-to-shared as variables of loops, several in one head; post-increment of a register variable.
#include <upc.h>
#include <stdio.h>
#include <assert.h>
shared [2] int a[2*THREADS]; struct n { shared struct n *next; int v; }; shared struct n nodes[THREADS];
int main(void) {
  int n = 0, i;
  for (shared [2] int *p = a, *q = &a[2 * THREADS - 1]; p - q < 0; p++) n++;
  assert(n == 2 * THREADS - 1);
  register shared [2] int *r = a; n = *r++; assert(r - a == 1); assert(r && r != NULL);
  if (n) for (shared [] int *x = 0, *y = 0; x == y; x++) { n++; } else n = 2;
  assert(n == 2);
  n = 0;
  upc_forall (shared [2] int *p = a, *e = &a[0] + 2 * THREADS; p < e; ++p; p) { assert(upc_threadof(p) == MYTHREAD); n++; }
  assert(n == 2); upc_barrier;
  upc_forall (shared [2] int *p = a, *e = &a[0] + 2 * THREADS; p < e; ++p; ) n++;
  assert(n == 2 + 2 * THREADS);
  for (struct n *p = &(struct n){ &nodes[0], 3 }, *q = p; q; q = 0) { assert(p->next == nodes); }
  printf("%p %d\n", a, 17); fflush(stdout);
  upc_forall (i = 0; i < THREADS; i++; &nodes[i]) { nodes[i].v = i; nodes[i].next = &nodes[(i + 1) % THREADS]; }
  upc_barrier;
  shared struct n *w = nodes; for (i = 0; i < 10; i++) w = w->next; assert(w->v == 10 % THREADS);
  printf("OK\n"); return 0; }
