/* A header that is C, and does not know UPC. */
struct options {
    int shared;
    int strict[2];
    unsigned relaxed : 1;
};
enum { COUNT_OF_THREADS = 16 };
int in_c(struct options *options, int relaxed);
int without_words(int n);
int declared(int strict, char *shared);

static inline int in_header(struct options *shared)
{
    int strict = shared->strict[0];
    return strict + shared->strict[1] + shared->shared;
}
