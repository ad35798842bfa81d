# Writes a UPC program of about `lines` lines, for the time that compiling takes: functions with loops, pointers-to-shared
# and accesses of all layouts, as programs have them.
function out(text) {
    print text
    written++
}

BEGIN {
    out("#include <upc_relaxed.h>")
    out("#include <stdio.h>")
    out("#include <math.h>")
    out("struct item { int key; double value; shared struct item *next; };")
    out("shared double cyclic[1000 * THREADS];")
    out("shared [10] int blocked[1000 * THREADS];")
    out("shared [] double *shared parts[THREADS];")
    out("shared struct item items[100 * THREADS];")
    for (n = 0; written < lines - 10; n++) {
        out("double function_" n "(int first, shared [10] int *p, double *own)")
        out("{")
        out("    double sum = 0;")
        out("    int i, j;")
        out("    upc_forall (i = first; i < 1000 * THREADS; i++; &cyclic[i]) {")
        out("        cyclic[i] = cyclic[i] * " n ".5 + i;")
        out("        if (cyclic[i] > 100)")
        out("            sum += sqrt(cyclic[i]);")
        out("    }")
        out("    for (i = 0; i < 100; i++) {")
        out("        for (j = 0; j < 10; j++)")
        out("            own[j] += blocked[i * 10 + j] + p[j];")
        out("        p++;")
        out("    }")
        out("    switch (first % 3) {")
        out("    case 0:")
        out("        items[first].key = " n ";")
        out("        items[first].value += own[0];")
        out("        break;")
        out("    case 1:")
        out("        parts[MYTHREAD] = upc_alloc(100 * sizeof(double));")
        out("        sum += parts[(MYTHREAD + 1) % THREADS][first];")
        out("        break;")
        out("    default:")
        out("        for (shared struct item *at = &items[0]; at != NULL; at = at->next)")
        out("            sum += at->value;")
        out("    }")
        out("    upc_barrier " n ";")
        out("    return sum;")
        out("}")
        out("")
    }
    out("int main(void)")
    out("{")
    out("    double own[10] = {0}, sum = 0;")
    for (k = 0; k < n; k += 100)
        out("    sum += function_" k "(" k ", &blocked[0], own);")
    out("    printf(\"%g\\n\", sum);")
    out("    return 0;")
    out("}")
}
