// threads: 1 2 3 4 7
// File pointers, sizes and everything that upc_all_fcntl can ask and set.
#include <errno.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

int main(void)
{
    upc_file_t *file;
    const char *name;
    const struct upc_hint *hints;
    struct upc_hint hint = {"cb_nodes", "2"};
    char buffer[10];
    int value;
    upc_off_t size;

    make_directory();
    file = upc_all_fopen(in_directory("file"), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    CHECK(file != NULL);

    // Individual: each thread its own offset and origin.
    CHECK_EQUAL(upc_all_fseek(file, 100 + MYTHREAD, UPC_SEEK_SET), 100 + MYTHREAD);
    CHECK_EQUAL(upc_all_fget_size(file), 0);
    value = MYTHREAD;
    CHECK_EQUAL(upc_all_fwrite_local(file, &value, sizeof value, 1, 0), (upc_off_t)sizeof value);
    CHECK_EQUAL(upc_all_fget_size(file), 100 + THREADS - 1 + sizeof value);
    size = upc_all_fget_size(file);
    upc_barrier;
    CHECK_EQUAL(upc_all_fseek(file, MYTHREAD % 2 ? -3 : 7, MYTHREAD % 2 ? UPC_SEEK_END : UPC_SEEK_SET),
                MYTHREAD % 2 ? size - 3 : 7);
    CHECK_EQUAL(upc_all_fseek(file, 5, UPC_SEEK_CUR), MYTHREAD % 2 ? size + 2 : 12);
    // What is refused changes nothing.
    errno = 0;
    CHECK_EQUAL(upc_all_fseek(file, -1, UPC_SEEK_SET), -1);
    CHECK_EQUAL(errno, EINVAL);
    CHECK_EQUAL(upc_all_fseek(file, 0, 77), -1);
    CHECK_EQUAL(upc_all_fseek(file, -size - 1, UPC_SEEK_END), -1);
    CHECK_EQUAL(upc_all_fseek(file, 0x7fffffffffffffff, UPC_SEEK_CUR), -1);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), MYTHREAD % 2 ? size + 2 : 12);

    // Sizes; the file pointers stay where they are.
    CHECK_EQUAL(upc_all_fset_size(file, 50), 0);
    CHECK_EQUAL(upc_all_fget_size(file), 50);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), MYTHREAD % 2 ? size + 2 : 12);
    CHECK_EQUAL(upc_all_fpreallocate(file, 30), 0);
    CHECK_EQUAL(upc_all_fget_size(file), 50);
    CHECK_EQUAL(upc_all_fpreallocate(file, 5000), 0);
    CHECK_EQUAL(upc_all_fget_size(file), 5000);
    CHECK_EQUAL(upc_all_fpreallocate(file, 0), 0);
    CHECK_EQUAL(upc_all_fset_size(file, -1), -1);
    CHECK_EQUAL(upc_all_fpreallocate(file, -1), -1);
    CHECK_EQUAL(upc_all_fset_size(file, 20), 0);
    // At most up to the end, and nothing behind it.
    CHECK_EQUAL(upc_all_fseek(file, 15, UPC_SEEK_SET), 15);
    CHECK_EQUAL(upc_all_fread_local(file, buffer, 1, 10, 0), 5);
    CHECK_EQUAL(upc_all_fread_local(file, buffer, 1, 10, 0), 0);
    CHECK_EQUAL(upc_all_fseek(file, 30, UPC_SEEK_SET), 30);
    CHECK_EQUAL(upc_all_fread_local(file, buffer, 1, 10, 0), 0);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 30);
    CHECK_EQUAL(upc_all_fget_size(file), 20);
    CHECK_EQUAL(upc_all_fread_local(file, NULL, 1, 0, 0), 0);
    CHECK_EQUAL(upc_all_fread_local(file, buffer, 0, 5, 0), 0);
    errno = 0;
    CHECK_EQUAL(upc_all_fread_local(file, NULL, 1, 1, 0), -1);
    CHECK_EQUAL(errno, EFAULT);
    CHECK_EQUAL(upc_all_fread_local(file, buffer, (size_t)-1, 2, 0), -1);
    CHECK_EQUAL(errno, EINVAL);

    // Questions.
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_ASYNC_OUTSTANDING, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FN, &name), 0);
    CHECK(strcmp(name, in_directory("file")) == 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FN, NULL), -1);
    CHECK_EQUAL(upc_all_fcntl(file, 4711, NULL), -1);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_HINTS, &hints), 0);

    // Settings.
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_STRONG_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_CA_SEMANTICS, NULL), UPC_STRONG_CA);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FL, NULL),
                UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE | UPC_STRONG_CA);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_WEAK_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_CA_SEMANTICS, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_HINT, &hint), 0);
    hint.value = "many";
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_HINT, &hint), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_HINTS, &hints), 1);
    CHECK(strcmp(hints[0].key, "cb_nodes") == 0 && strcmp(hints[0].value, "many") == 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_HINT, NULL), -1);

    // The other kind of file pointer begins at the begin; private buffers are not for it.
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_COMMON_FP, NULL), 0);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FP, NULL), UPC_COMMON_FP);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FL, NULL), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 0);
    CHECK_EQUAL(upc_all_fseek(file, 4, UPC_SEEK_SET), 4);
    CHECK_EQUAL(upc_all_fseek(file, 4, UPC_SEEK_CUR), 8);
    CHECK_EQUAL(upc_all_fseek(file, -4, UPC_SEEK_END), 16);
    errno = 0;
    CHECK_EQUAL(upc_all_fread_local(file, buffer, 1, 1, 0), -1);
    CHECK_EQUAL(errno, EINVAL);
    CHECK_EQUAL(upc_all_fwrite_local(file, buffer, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC), -1);
    CHECK_EQUAL(upc_all_fread_shared(file, NULL, 1, 1, 1, 0), -1);
    CHECK_EQUAL(errno, EFAULT);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 16);
    CHECK_EQUAL(upc_all_fcntl(file, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), 0);
    CHECK_EQUAL(upc_all_fsync(file), 0);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    remove_directory();
    return finish();
}
