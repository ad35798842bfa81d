// threads: 1 2 3 4 7
// A binary tree of shared nodes that all threads insert into, with recursion over it.
#include <upc.h>
#include "check.h"

typedef shared struct tree_s tree_t;
typedef tree_t *tree_p;

struct tree_s {
    int key;
    tree_p left, right;
    shared [] char *label;
};

tree_p shared root;
upc_lock_t *lock;

static tree_p new_node(int k)
{
    tree_p t = (tree_p)upc_alloc(sizeof(struct tree_s));
    t->key = k;
    t->left = t->right = NULL;
    t->label = NULL;
    return t;
}

static void insert(tree_p shared *where, int k)
{
    if (*where == NULL) {
        *where = new_node(k);
        return;
    }
    if (k < (*where)->key)
        insert((tree_p shared *)&(*where)->left, k);
    else
        insert((tree_p shared *)&(*where)->right, k);
}

static int count(tree_p t) { return t ? 1 + count(t->left) + count(t->right) : 0; }

static int depth(tree_p t)
{
    int a, b;
    if (!t)
        return 0;
    a = depth(t->left);
    b = depth(t->right);
    return 1 + (a > b ? a : b);
}

static long sum(tree_p t)
{
    if (t == NULL)
        return 0;
    return sum(t->left) + t->key + sum(t->right);
}

static void destroy(tree_p t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    upc_free(t);
}

int main()
{
    int i;
    unsigned x = 7 * MYTHREAD + 1;
    long s = 0;
    static shared long total;
    lock = upc_all_lock_alloc();
    for (i = 0; i < 50; i++) {
        x = x * 1103515245u + 12345u;
        int k = (x >> 16) % 1000;
        s += k;
        upc_lock(lock);
        insert(&root, k);
        upc_unlock(lock);
    }
    upc_lock(lock);
    total += s;
    upc_unlock(lock);
    upc_barrier;
    CHECK_EQUAL(count(root), 50 * THREADS);
    CHECK_EQUAL(sum(root), total);
    CHECK(depth(root) > 4);
    upc_barrier;
    if (MYTHREAD == 0) {
        destroy(root);
        root = NULL;
        upc_lock_free(lock);
    }
    return finish();
}
