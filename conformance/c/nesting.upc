// threads: 1
// modes: dynamic
// Thousands of parentheses, cases and blocks within each other, as macros produce them.
#include <upc.h>
#include "check.h"

#define OPEN ( ( ( ( ( ( ( ( ( (
#define OPEN2 OPEN OPEN OPEN OPEN OPEN OPEN OPEN OPEN OPEN OPEN
#define OPEN3 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2 OPEN2
#define OPEN4 OPEN3 OPEN3 OPEN3
#define CLOSE ) ) ) ) ) ) ) ) ) )
#define CLOSE2 CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE CLOSE
#define CLOSE3 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2 CLOSE2
#define CLOSE4 CLOSE3 CLOSE3 CLOSE3
#define BEGIN { { { { { { { { { {
#define BEGIN2 BEGIN BEGIN BEGIN BEGIN BEGIN BEGIN BEGIN BEGIN BEGIN BEGIN
#define BEGIN3 BEGIN2 BEGIN2 BEGIN2 BEGIN2 BEGIN2 BEGIN2 BEGIN2 BEGIN2 BEGIN2 BEGIN2
#define END } } } } } } } } } }
#define END2 END END END END END END END END END END
#define END3 END2 END2 END2 END2 END2 END2 END2 END2 END2 END2
#define C10(x) case x##0: case x##1: case x##2: case x##3: case x##4: case x##5: case x##6: case x##7: case x##8: case x##9:
#define C100(x) C10(x##0) C10(x##1) C10(x##2) C10(x##3) C10(x##4) C10(x##5) C10(x##6) C10(x##7) C10(x##8) C10(x##9)
#define C1000(x) C100(x##0) C100(x##1) C100(x##2) C100(x##3) C100(x##4) C100(x##5) C100(x##6) C100(x##7) C100(x##8) C100(x##9)

shared int x;

int main(void)
{
    int found = 0;
    x = 1999;
    switch (OPEN4 x CLOSE4) {
        C1000(1) C1000(2)
        found = 1;
    }
    BEGIN3 found++; END3
    CHECK_EQUAL(found, 2);
    return finish();
}
