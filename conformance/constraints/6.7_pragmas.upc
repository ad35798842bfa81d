// threads: dynamic 4
// Pragmas of UPC that are none; others are of no concern here.
#pragma upc strict
shared int a;
#pragma upc relaxed
#pragma pupc off
shared int b;
#pragma pupc on
#pragma upc stricter  /* warning: this pragma is not known and is ignored */
#pragma upc  /* warning: this pragma is not known and is ignored */
#pragma pupc maybe  /* warning: this pragma is not known and is ignored */
#pragma omp parallel
#pragma GCC diagnostic push
int main(void)
{
#pragma upc strict
    a = 1;
#pragma upc strickt  /* warning: this pragma is not known and is ignored */
    return 0;
}
