// threads: 1 2 3 4 7
// Handles of files wherever programs keep them: in shared variables, arrays, structures, arguments, as pointers to
// shared void; many files at once, each with an operation outstanding; functions of the library through pointers; lists
// with addresses of shared and private objects in their initialisers.
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

#define FILES 20

#ifndef __UPC_IO__
#error "__UPC_IO__ is to be defined"
#endif

typedef upc_off_t (*mover)(upc_file_t *, shared void *, size_t, size_t, size_t, upc_flag_t);
struct stream {
    upc_file_t *file;
    upc_off_t moved;
};

static upc_file_t *shared common;
static shared [2] char blocks[20 * THREADS];
static char private_bytes[12] = "abcdefghijk";
static struct upc_local_memvec pieces[2] = {{&private_bytes[0], 4}, {&private_bytes[7], 3}};
static upc_shared_memvec_t shared_pieces[1] = {{&blocks[2], 2, 7}};
static upc_filevec_t place = {30, 7};

static int move_shared(file, move, n)
    upc_file_t *file;
    mover move;
    int n;
{
    return (int)move(file, blocks, 2, 1, n, 0);
}

static int close_any(shared void *file)
{
    return upc_all_fclose((upc_file_t *)file);
}

int main(void)
{
    upc_file_t *files[FILES];
    struct stream stream = {0};
    char name[20], text[8] = "";
    int i, number;

    make_directory();
    for (i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file%d", i);
        files[i] = upc_all_fopen(in_directory(name), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0,
                                 (struct upc_hint *)NULL);
        CHECK(files[i] && (i == 0 || files[i] != files[i - 1]));
        upc_all_fseek(files[i], MYTHREAD * sizeof number, UPC_SEEK_SET);
    }
    for (i = 0; i < FILES; i++) {
        number = i * THREADS + MYTHREAD;
        upc_all_fwrite_local_async(files[i], &number, sizeof number, 1, 0);
    }
    for (i = FILES - 1; i >= 0; i--)
        CHECK_EQUAL(upc_all_fwait_async(files[i]), (upc_off_t)sizeof number);
    for (i = 0; i < FILES; i++) {
        stream.file = files[i];
        upc_all_fseek(stream.file, (MYTHREAD + 1) % THREADS * sizeof number, UPC_SEEK_SET);
        stream.moved += upc_all_fread_local(stream.file, &number, sizeof number, 1, 0);
        CHECK_EQUAL(number, i * THREADS + (MYTHREAD + 1) % THREADS);
    }
    CHECK_EQUAL(stream.moved, (upc_off_t)(FILES * sizeof number));

    if (MYTHREAD == 0)
        common = files[2];
    upc_barrier;
    CHECK(common == files[2]);
    CHECK_EQUAL(upc_all_fwrite_list_local(common, MYTHREAD == 0 ? 2 : 0, pieces, MYTHREAD == 0, &place, 0),
                MYTHREAD == 0 ? 7 : 0);
    CHECK_EQUAL(upc_all_fread_list_shared(common, MYTHREAD == 0, shared_pieces, MYTHREAD == 0, &place, 0),
                MYTHREAD == 0 ? 7 : 0);
    for (i = 0; i < 7; i++)
        text[i] = blocks[2 + i];
    CHECK(strcmp(text, "abcdhij") == 0);
    CHECK_EQUAL(upc_all_fcntl(common, UPC_SET_COMMON_FP, NULL), 0);
    CHECK_EQUAL(upc_all_fseek(common, 30, UPC_SEEK_SET), 30);
    CHECK_EQUAL(move_shared(common, upc_all_fread_shared, 20), 7);
    CHECK_EQUAL(blocks[6], 'j');
    upc_barrier;

    for (i = 0; i < FILES; i++)
        CHECK_EQUAL(close_any(files[i]), 0);
    remove_directory();
    return finish();
}
