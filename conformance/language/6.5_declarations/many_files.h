// part of: many_files.upc
#ifndef H_H
#define H_H
#include <upc_relaxed.h>
#define N 4
typedef struct {
    int v;
    shared [] double *d;
} rec_t;
shared rec_t recs[N * THREADS]; /* tentative in each file */
extern shared [N] int blocked[N * THREADS];
static shared int per_file[THREADS]; /* one for each file */
shared int *shared heads[THREADS];
int counter; /* private, common */
static inline int get(int i) { return blocked[i]; }
static int hidden(void)
{
    static shared int calls[THREADS];
    return ++calls[MYTHREAD];
}
struct node;
typedef shared struct node *node_p;
struct node {
    int v;
    node_p next;
};
extern node_p head;
extern shared node_p shead;
extern upc_lock_t *lock;
extern const shared int limit;
extern int f_a(shared int *), f_b(void);
extern int (*hook)(shared rec_t *);
extern shared [] int *table[];
extern strict shared int flag;
#endif
