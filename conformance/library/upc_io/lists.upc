// threads: 1 2 3 4 7
// Lists of pieces of memory and of a file: holes in both, pieces of other sizes on the two sides, empty pieces, single
// bytes, blocks over all threads, the end of the file, and what does not fit together.
#include <errno.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define COLUMNS 40
#define ROWS 60

static shared [5] char blocked[5 * 30 * THREADS];
static char matrix[ROWS][COLUMNS];

static char at(int row, int column)
{
    return (char)(row * 3 + column * 5 + 1);
}

int main(void)
{
    upc_file_t *file;
    char column[ROWS], other[ROWS + 10];
    int row, c, i;

    make_directory();
    file = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);

    // Thread t writes columns t, t + THREADS, ...: bytes with gaps between them.
    for (c = MYTHREAD; c - MYTHREAD < COLUMNS; c += THREADS) {
        upc_local_memvec_t memory[ROWS / 2];
        upc_filevec_t places[ROWS];
        int n = c < COLUMNS ? ROWS : 0;

        for (row = 0; row < n; row++) {
            matrix[row][c] = at(row, c);
            column[row] = matrix[row][c];
            places[row].offset = (upc_off_t)row * COLUMNS + c;
            places[row].len = 1;
        }
        for (row = 0; row < n / 2; row++) {
            memory[row].baseaddr = &column[2 * row];
            memory[row].len = 2;
        }
        CHECK_EQUAL(upc_all_fwrite_list_local(file, n / 2, memory, n, places, 0), n);
    }
    CHECK_EQUAL(upc_all_fget_size(file), ROWS * COLUMNS);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 0);

    // Every thread reads every column, in two pieces of memory, with empty pieces between.
    for (c = 0; c < COLUMNS; c++) {
        upc_local_memvec_t memory[3] = {{other, 7}, {NULL, 0}, {other + 17, ROWS - 7}};
        upc_filevec_t places[2 * ROWS];

        for (row = 0; row < ROWS; row++) {
            places[2 * row] = (upc_filevec_t){(upc_off_t)row * COLUMNS + c, 1};
            places[2 * row + 1] = (upc_filevec_t){row % 2 == 0 ? 0 : -1, 0};
        }
        memset(other, 0, sizeof other);
        CHECK_EQUAL(upc_all_fread_list_local(file, 3, memory, 2 * ROWS, places, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), ROWS);
        for (row = 0; row < ROWS; row++)
            CHECK_EQUAL(other[row < 7 ? row : row + 10], at(row, c));
        CHECK_EQUAL(other[8], 0);
    }

    // Rows into blocks of shared memory that go round the threads, each thread one third of the rows and backwards.
    {
        static shared [5] char *area;
        upc_shared_memvec_t memory[2];
        upc_filevec_t places[2];

        area = upc_all_alloc(THREADS * 2 * THREADS, 5 * 10);
        // Each thread's area: 2 * THREADS blocks of 5 bytes, on all threads.
        memory[0].baseaddr = area + MYTHREAD * 5 * 2 * THREADS;
        memory[0].blocksize = 5;
        memory[0].len = 7;
        memory[1].baseaddr = area + 5 * 2 * THREADS * THREADS + MYTHREAD * 5;
        memory[1].blocksize = 0;
        memory[1].len = 5;
        places[0].offset = MYTHREAD % ROWS * COLUMNS;
        places[0].len = 4;
        places[1].offset = places[0].offset + 20;
        places[1].len = 8;
        CHECK_EQUAL(upc_all_fread_list_shared(file, 2, memory, 2, places, 0), 12);
        for (i = 0; i < 12; i++) {
            long place = places[i >= 4].offset + (i < 4 ? i : i - 4);
            char found = i < 7 ? area[MYTHREAD * 5 * 2 * THREADS + i]
                               : area[5 * 2 * THREADS * THREADS + MYTHREAD * 5 + (i - 7)];

            CHECK_EQUAL(found, at(place / COLUMNS, place % COLUMNS));
        }
        // And from there to behind the end of the file.
        places[0].offset = ROWS * COLUMNS + MYTHREAD * 20;
        places[1].offset = places[0].offset + 6;
        CHECK_EQUAL(upc_all_fwrite_list_shared(file, 2, memory, 2, places, 0), 12);
        CHECK_EQUAL(upc_all_fget_size(file), ROWS * COLUMNS + (THREADS - 1) * 20 + 14);
        memset(other, 0, sizeof other);
        {
            upc_local_memvec_t whole = {other, 20};
            upc_filevec_t place = {ROWS * COLUMNS + MYTHREAD * 20, 20};

            CHECK_EQUAL(upc_all_fread_list_local(file, 1, &whole, 1, &place, 0), MYTHREAD == THREADS - 1 ? 14 : 20);
            for (i = 0; i < 12; i++) {
                long source = (upc_off_t)(MYTHREAD % ROWS) * COLUMNS + (i < 4 ? i : 20 + i - 4);

                CHECK_EQUAL(other[i < 4 ? i : i + 2], at(source / COLUMNS, source % COLUMNS));
            }
        }
    }

    // What lies behind the end of the file leaves its part of the memory alone.
    {
        long end = upc_all_fget_size(file);
        char a[4] = "abc", b[4] = "def";
        upc_local_memvec_t memory[2] = {{a, 3}, {b, 3}};
        upc_filevec_t places[2] = {{end - 2, 4}, {end + 100, 2}};

        CHECK_EQUAL(upc_all_fread_list_local(file, 2, memory, 2, places, 0), 2);
        CHECK_EQUAL(a[2], 'c');
        CHECK_EQUAL(b[0], 'd');
        // Nothing at all.
        CHECK_EQUAL(upc_all_fread_list_local(file, 0, NULL, 0, NULL, 0), 0);
        CHECK_EQUAL(upc_all_fwrite_list_shared(file, 0, NULL, 0, NULL, 0), 0);
        // Unequal lengths, a negative offset, a missing list, a null pointer.
        errno = 0;
        places[1].len = 3;
        CHECK_EQUAL(upc_all_fread_list_local(file, 2, memory, 2, places, 0), -1);
        CHECK_EQUAL(errno, EINVAL);
        places[1].len = 2;
        places[1].offset = -1;
        CHECK_EQUAL(upc_all_fread_list_local(file, 2, memory, 2, places, 0), -1);
        CHECK_EQUAL(upc_all_fread_list_local(file, 2, NULL, 2, places, 0), -1);
        errno = 0;
        places[1].offset = 0;
        memory[1].baseaddr = NULL;
        CHECK_EQUAL(upc_all_fread_list_local(file, 2, memory, 2, places, 0), -1);
        CHECK_EQUAL(errno, EFAULT);
    }
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 0);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    (void)blocked;
    remove_directory();
    return finish();
}
