// threads: dynamic 4
// Operands of the size operators.
shared [2] int a[2 * THREADS];
shared int x;
extern shared int open[];
int priv[4];
struct incomplete;
typedef shared struct incomplete hidden;
struct bits { unsigned f : 3; };
shared struct bits b;
shared int *pointer;
unsigned long g(void)
{
    unsigned long s = sizeof(x) + sizeof(pointer) + upc_localsizeof(*pointer) + sizeof(shared [2] int[2]);
    s += upc_localsizeof(pointer);      /* error: 'upc_localsizeof' on something that is not shared */
    s += upc_elemsizeof(int);           /* error: 'upc_elemsizeof' on something that is not shared */
    s += upc_blocksizeof(g);            /* error: 'upc_blocksizeof' on something that is not shared */
    s += upc_localsizeof(3);            /* error: 'upc_localsizeof' on something that is not shared */
    s += upc_blocksizeof(shared void);  /* error: 'upc_blocksizeof' on shared void */
    s += upc_localsizeof(shared void);  /* error: 'upc_localsizeof' on shared void */
    s += sizeof(open);                  /* error: 'sizeof' on an incomplete type */
    s += sizeof(hidden);                /* error: 'sizeof' on an incomplete type */
    s += upc_elemsizeof(hidden);        /* error: 'upc_elemsizeof' on an incomplete type */
    return s + upc_elemsizeof(open[0]);
}
int main(void)
{
    unsigned long s = sizeof(a) + upc_localsizeof(a) + upc_blocksizeof(a) + upc_elemsizeof(a) + upc_elemsizeof a;
    s += upc_localsizeof(shared int) + upc_blocksizeof(shared [3] char) + upc_elemsizeof(x);
    s += upc_localsizeof(priv);         /* error: 'upc_localsizeof' on something that is not shared */
    s += upc_blocksizeof(int);          /* error: 'upc_blocksizeof' on something that is not shared */
    s += upc_elemsizeof(shared void);   /* error: 'upc_elemsizeof' on shared void */
    s += upc_localsizeof(open);         /* error: 'upc_localsizeof' on an incomplete type */
    s += upc_localsizeof(hidden);       /* error: 'upc_localsizeof' on an incomplete type */
    s += sizeof(b.f);                   /* error: a size operator on a bit field */
    return &b.f != 0;                   /* error: the address of a bit field */
}
