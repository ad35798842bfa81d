// threads: 1
// modes: dynamic
// Thousands of parentheses, cases and blocks within each other, as macros produce them.
#include <upc.h>
#include "check.h"

#define TEN(x) x x x x x x x x x x
#define MANY(x) TEN(TEN(TEN(x))) TEN(TEN(TEN(x))) TEN(TEN(TEN(x)))
#define OPEN (
#define CLOSE )
#define C10(x) case x##0: case x##1: case x##2: case x##3: case x##4: case x##5: case x##6: case x##7: case x##8: case x##9:
#define C100(x) C10(x##0) C10(x##1) C10(x##2) C10(x##3) C10(x##4) C10(x##5) C10(x##6) C10(x##7) C10(x##8) C10(x##9)
#define C1000(x) C100(x##0) C100(x##1) C100(x##2) C100(x##3) C100(x##4) C100(x##5) C100(x##6) C100(x##7) C100(x##8) C100(x##9)

shared int x;

int main(void)
{
    int found = 0;
    x = 1999;
    switch (MANY(OPEN) x MANY(CLOSE)) {
        C1000(1) C1000(2)
        found = 1;
    }
    MANY({) found++; MANY(})
    CHECK_EQUAL(found, 2);
    return finish();
}
