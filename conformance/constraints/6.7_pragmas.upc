// threads: dynamic 4
// Pragmas of UPC that are none, or in the wrong place; others are of no concern here.
#pragma upc strict
shared int a;
#pragma upc relaxed
#pragma pupc off
shared int b;
#pragma pupc on
#pragma upc stricter  /* warning: this pragma is not known and is ignored */
#pragma upc  /* warning: this pragma is not known and is ignored */
#pragma pupc maybe  /* warning: this pragma is not known and is ignored */
#pragma upc strict junk  /* warning: what follows the pragma on its line is ignored */
#pragma upc relaxed;  /* warning: this pragma is not known and is ignored */
#pragma upc relaxed relaxed  /* warning: what follows the pragma on its line is ignored */
#pragma omp parallel
#pragma GCC diagnostic push
int f(int x,
#pragma upc strict  /* warning: this pragma is neither outside of declarations nor at the beginning of a block */
      int y)
{
#pragma upc relaxed
#pragma upc strict
    { ; }
    return x + y;
}
int main(void)
{
#pragma upc strict
    a = 1;
#pragma upc strickt  /* warning: this pragma is not known and is ignored */
#pragma upc relaxed  /* warning: this pragma is neither outside of declarations nor at the beginning of a block */
#pragma pupc off
    a = 2;
#pragma pupc on
    {
#pragma upc relaxed
        a = 3;
    }
    return 0;
}
