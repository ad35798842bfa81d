// threads: 1 2 3 4 7
// A computation that is interrupted goes on from its checkpoint to the same result; a log grows with every step.
#include <upc_relaxed.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define EACH 37

typedef struct {
    int step, threads;
    double time;
} header_t;

static shared [EACH] double now[EACH * THREADS], result[EACH * THREADS];
static shared header_t header;
static shared [16] char lines[16 * THREADS];

static void advance(int step)
{
    char line[17];
    upc_file_t *log;
    int i;

    upc_forall (i = 0; i < EACH * THREADS; i++; &now[i])
        now[i] = now[i] * 0.5 + i;
    snprintf(line, sizeof line, "s%04d thread%4d\n", step, MYTHREAD);
    upc_memput(&lines[16 * MYTHREAD], line, 16);
    log = upc_all_fopen(in_directory("log"), UPC_WRONLY | UPC_CREATE | UPC_APPEND | UPC_COMMON_FP, 0, NULL);
    CHECK_EQUAL(upc_all_fwrite_shared(log, lines, 16, 1, 16 * THREADS, 0), 16 * THREADS);
    CHECK_EQUAL(upc_all_fclose(log), 0);
}

static void save(int step)
{
    upc_file_t *file = upc_all_fopen(in_directory("checkpoint"),
                                     UPC_WRONLY | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP, 0, NULL);

    CHECK(file != NULL);
    if (MYTHREAD == 0) {
        header_t h = {step, THREADS, step * 0.1};

        header = h;
    }
    CHECK_EQUAL(upc_all_fwrite_shared(file, &header, 0, sizeof header, 1, 0), (upc_off_t)sizeof header);
    CHECK_EQUAL(upc_all_fwrite_shared(file, now, EACH, sizeof(double), EACH * THREADS, 0),
                (upc_off_t)sizeof(double) * EACH * THREADS);
    CHECK_EQUAL(upc_all_fclose(file), 0);
}

static int restore(void)
{
    upc_file_t *file = upc_all_fopen(in_directory("checkpoint"), UPC_RDONLY | UPC_COMMON_FP, 0, NULL);

    CHECK(file != NULL);
    CHECK_EQUAL(upc_all_fread_shared(file, &header, 0, sizeof header, 1, 0), (upc_off_t)sizeof header);
    CHECK_EQUAL(header.threads, THREADS);
    CHECK_EQUAL(upc_all_fread_shared(file, now, EACH, sizeof(double), EACH * THREADS + 1, 0),
                (upc_off_t)sizeof(double) * EACH * THREADS);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    return header.step;
}

int main(void)
{
    int i, step;

    make_directory();
    upc_forall (i = 0; i < EACH * THREADS; i++; &now[i])
        now[i] = i;
    for (step = 1; step <= 8; step++) {
        advance(step);
        if (step % 3 == 0)
            save(step);
    }
    upc_forall (i = 0; i < EACH * THREADS; i++; &now[i])
        result[i] = now[i];
    step = restore();
    CHECK_EQUAL(step, 6);
    while (step < 8)
        advance(++step);
    upc_forall (i = 0; i < EACH * THREADS; i++; &now[i])
        CHECK(now[i] == result[i]);

    if (MYTHREAD == 0) {
        FILE *log = fopen(in_directory("log"), "r");
        char expected[17], found[17] = "";
        int t, n;

        for (n = 0; n < 10; n++)
            for (t = 0; t < THREADS; t++) {
                snprintf(expected, sizeof expected, "s%04d thread%4d\n", n < 8 ? n + 1 : n - 1, t);
                CHECK(fread(found, 1, 16, log) == 16 && strcmp(found, expected) == 0);
            }
        CHECK(fgetc(log) == EOF);
        fclose(log);
        unlink(in_directory("log"));
        unlink(in_directory("checkpoint"));
    }
    remove_directory();
    return finish();
}
