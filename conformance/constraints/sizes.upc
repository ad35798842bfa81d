// threads: dynamic
// Operands of the size operators.
shared [2] int a[2 * THREADS];
shared int x;
extern shared int open[];
int priv[4];
struct incomplete;
typedef shared struct incomplete hidden;
struct bits { unsigned f : 3; };
shared struct bits b;
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
