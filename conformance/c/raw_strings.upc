// threads: 1
// Raw strings, which may go over lines and hold quotes, and the lines after them.
#include <upc.h>
#include <string.h>
#include "check.h"

shared int x;

int main(void)
{
    const char *s = R"(a "quoted" \n
shared int y;)", *t = R"end()")end" "x";
    x = __LINE__;
    CHECK_EQUAL(x, 13);
    CHECK(!strcmp(s, "a \"quoted\" \\n\nshared int y;") && !strcmp(t, ")\"x"));
    CHECK(sizeof LR"(\)" == 2 * sizeof(int) && sizeof u8R"x(é)x" == 3);
    return finish();
}
