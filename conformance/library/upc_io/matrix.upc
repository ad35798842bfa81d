// threads: 1 2 3 4 7
// A matrix that all threads write by rows is read back in other distributions: cyclic, all on one thread, column by
// column into private memory, and transposed through lists of single elements.
#include <upc_relaxed.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define ROWS 12
#define COLUMNS 40
#define ALL (ROWS * COLUMNS * THREADS)

static shared [COLUMNS] double rows[ROWS * THREADS][COLUMNS];
static shared double cyclic[ROWS * THREADS][COLUMNS];
static shared [] double *shared whole;

static double element(long i)
{
    return 0.5 * i + 1;
}

int main(void)
{
    const upc_off_t bytes = ALL * sizeof(double);
    upc_file_t *file, *transposed;
    double column[ROWS];
    shared [] double *all;
    long i, j;

    make_directory();
    upc_forall (i = 0; i < ROWS * THREADS; i++; &rows[i][0])
        for (j = 0; j < COLUMNS; j++)
            rows[i][j] = element(i * COLUMNS + j);
    file = upc_all_fopen(in_directory("matrix"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);
    CHECK_EQUAL(upc_all_fpreallocate(file, bytes), 0);
    CHECK_EQUAL(upc_all_fwrite_shared(file, rows, upc_blocksizeof(rows), upc_elemsizeof(rows), ALL, 0), bytes);

    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_SET), 0);
    CHECK_EQUAL(upc_all_fread_shared(file, cyclic, 1, sizeof(double), ALL, 0), bytes);
    upc_forall (i = 0; i < ROWS * THREADS; i++; i)
        for (j = 0; j < COLUMNS; j++)
            CHECK(cyclic[i][j] == element(i * COLUMNS + j));

    if (MYTHREAD == THREADS - 1)
        whole = upc_alloc(bytes);
    upc_barrier;
    all = whole;
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_SET), 0);
    CHECK_EQUAL(upc_all_fread_shared(file, all, 0, sizeof(double), ALL, UPC_IN_NOSYNC), bytes);
    for (i = MYTHREAD; i < ALL; i += THREADS)
        CHECK(all[i] == element(i));

    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    for (j = 0; j < COLUMNS; j += 7) {
        for (i = 0; i < ROWS; i++) {
            upc_all_fseek(file, ((MYTHREAD * ROWS + i) * COLUMNS + j) * sizeof(double), UPC_SEEK_SET);
            CHECK_EQUAL(upc_all_fread_local(file, &column[i], sizeof(double), 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), 8);
        }
        for (i = 0; i < ROWS; i++)
            CHECK(column[i] == element((MYTHREAD * ROWS + i) * COLUMNS + j));
    }

    // Each thread writes the columns of its rows, one element each time, to where the transposed matrix has them.
    transposed = upc_all_fopen(in_directory("transposed"),
                               UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(transposed != NULL);
    {
        static upc_shared_memvec_t memory[ROWS * COLUMNS];
        static upc_filevec_t places[ROWS * COLUMNS];
        int n = 0;

        for (j = 0; j < COLUMNS; j++)
            for (i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++, n++) {
                memory[n].baseaddr = &rows[i][j];
                memory[n].len = places[n].len = sizeof(double);
                places[n].offset = (j * ROWS * THREADS + i) * sizeof(double);
            }
        CHECK_EQUAL(upc_all_fwrite_list_shared(transposed, n, memory, n, places, UPC_IN_MYSYNC | UPC_OUT_MYSYNC),
                    bytes / THREADS);
    }
    CHECK_EQUAL(upc_all_fsync(transposed), 0);
    CHECK_EQUAL(upc_all_fread_shared(transposed, cyclic, 1, sizeof(double), ALL, 0), bytes);
    upc_forall (i = 0; i < ALL; i++; i) {
        long row = i % (ROWS * THREADS), c = i / (ROWS * THREADS);

        CHECK(((shared double *)cyclic)[i] == element(row * COLUMNS + c));
    }
    CHECK_EQUAL(upc_all_fclose(transposed), 0);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    remove_directory();
    return finish();
}
