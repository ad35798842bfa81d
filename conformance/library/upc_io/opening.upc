// threads: 1 2 3 4 7
// What upc_all_fopen makes of every combination of flags, what it refuses, and with which errno.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <upc.h>
#include <upc_io.h>
#include "check.h"
#include "temporary.h"

static const char text[] = "0123456789";

// A file with ten bytes.
static void make(const char *path)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        FILE *file = fopen(path, "w");

        CHECK(file != NULL && fputs(text, file) >= 0);
        fclose(file);
    }
    upc_barrier;
}

static long size_of(const char *path)
{
    struct stat status;
    long size;

    upc_barrier;
    size = stat(path, &status) == 0 ? (long)status.st_size : -1;
    upc_barrier;
    return size;
}

static void refused(const char *path, int flags, size_t count, struct upc_hint const *hints, int error)
{
    upc_file_t *file;

    errno = 0;
    file = upc_all_fopen(path, flags, count, hints);
    CHECK(file == NULL);
    CHECK_EQUAL(errno, error);
}

int main(void)
{
    static const int access[] = {UPC_RDONLY, UPC_WRONLY, UPC_RDWR}, pointers[] = {UPC_INDIVIDUAL_FP, UPC_COMMON_FP};
    const char *path, *missing;
    upc_file_t *file, *other;
    int a, p, rest;

    make_directory();
    path = strdup(in_directory("file"));
    missing = strdup(in_directory("missing"));

    for (a = 0; a < 3; a++)
        for (p = 0; p < 2; p++)
            for (rest = 0; rest < 64; rest++) {
                int flags = access[a] | pointers[p] | (rest & 1 ? UPC_APPEND : 0) | (rest & 2 ? UPC_CREATE : 0) |
                            (rest & 4 ? UPC_EXCL : 0) | (rest & 8 ? UPC_STRONG_CA : 0) | (rest & 16 ? UPC_TRUNC : 0) |
                            (rest & 32 ? UPC_DELETE_ON_CLOSE : 0);
                int invalid = (flags & (UPC_CREATE | UPC_EXCL)) == UPC_EXCL ||
                              ((flags & UPC_TRUNC) && (flags & UPC_RDONLY));
                char byte = 'x';

                // A file that exists.
                make(path);
                if (invalid || (flags & UPC_EXCL)) {
                    refused(path, flags, 0, NULL, invalid ? EINVAL : EEXIST);
                    CHECK_EQUAL(size_of(path), 10);
                } else {
                    long begin = flags & UPC_TRUNC ? 0 : 10;

                    file = upc_all_fopen(path, flags, 0, NULL);
                    CHECK(file != NULL);
                    CHECK_EQUAL(upc_all_fget_size(file), begin);
                    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_CUR), flags & UPC_APPEND ? begin : 0);
                    CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_FL, NULL), flags);
                    if (flags & UPC_INDIVIDUAL_FP) {
                        upc_all_fseek(file, 0, UPC_SEEK_SET);
                        errno = 0;
                        CHECK_EQUAL(upc_all_fread_local(file, &byte, 1, 1, 0), flags & UPC_WRONLY ? -1 : begin != 0);
                        CHECK_EQUAL(errno, flags & UPC_WRONLY ? EBADF : 0);
                        errno = 0;
                        CHECK_EQUAL(upc_all_fwrite_local(file, &byte, 1, 1, 0), flags & UPC_RDONLY ? -1 : 1);
                        CHECK_EQUAL(errno, flags & UPC_RDONLY ? EBADF : 0);
                    }
                    errno = 0;
                    CHECK_EQUAL(upc_all_fset_size(file, 12), flags & UPC_RDONLY ? -1 : 0);
                    CHECK_EQUAL(errno, flags & UPC_RDONLY ? EBADF : 0);
                    errno = 0;
                    CHECK_EQUAL(upc_all_fpreallocate(file, 14), flags & UPC_RDONLY ? -1 : 0);
                    CHECK_EQUAL(errno, flags & UPC_RDONLY ? EBADF : 0);
                    CHECK_EQUAL(upc_all_fclose(file), 0);
                    CHECK_EQUAL(size_of(path), flags & UPC_DELETE_ON_CLOSE ? -1 : flags & UPC_RDONLY ? 10 : 14);
                }

                // One that does not exist.
                if (invalid || !(flags & UPC_CREATE)) {
                    refused(missing, flags, 0, NULL, invalid ? EINVAL : ENOENT);
                } else {
                    file = upc_all_fopen(missing, flags, 0, NULL);
                    CHECK(file != NULL);
                    CHECK_EQUAL(size_of(missing), 0);
                    CHECK_EQUAL(upc_all_fclose(file), 0);
                    CHECK_EQUAL(size_of(missing), flags & UPC_DELETE_ON_CLOSE ? -1 : 0);
                    if (MYTHREAD == 0)
                        unlink(missing);
                }
                upc_barrier;
            }

    // No access or no file pointer, two of them, unknown flags, no name, no hints where there should be some.
    make(path);
    refused(path, 0, 0, NULL, EINVAL);
    refused(path, UPC_RDONLY, 0, NULL, EINVAL);
    refused(path, UPC_COMMON_FP, 0, NULL, EINVAL);
    refused(path, UPC_RDONLY | UPC_WRONLY | UPC_COMMON_FP, 0, NULL, EINVAL);
    refused(path, UPC_RDONLY | UPC_INDIVIDUAL_FP | UPC_COMMON_FP, 0, NULL, EINVAL);
    refused(path, UPC_RDONLY | UPC_COMMON_FP | 1 << 29, 0, NULL, EINVAL);
    refused(NULL, UPC_RDONLY | UPC_COMMON_FP, 0, NULL, EINVAL);
    refused(path, UPC_RDONLY | UPC_COMMON_FP, 1, NULL, EINVAL);
    // Directories that do not exist, a directory, and a permission that one does not have.
    refused(in_directory("no/file"), UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL, ENOENT);
    refused(directory, UPC_RDWR | UPC_COMMON_FP, 0, NULL, EISDIR);
    refused(in_directory("file/file"), UPC_RDONLY | UPC_COMMON_FP, 0, NULL, ENOTDIR);
    if (geteuid() != 0) {
        upc_barrier;
        if (MYTHREAD == 0)
            chmod(path, 0444);
        upc_barrier;
        refused(path, UPC_WRONLY | UPC_COMMON_FP, 0, NULL, EACCES);
        upc_barrier;
        if (MYTHREAD == 0)
            chmod(path, 0644);
    }
    // A name that only one thread has wrong, and names of different files.
    refused(MYTHREAD == THREADS - 1 ? missing : path, UPC_RDONLY | UPC_COMMON_FP, 0, NULL, ENOENT);
    if (THREADS > 1) {
        make(in_directory("other"));
        refused(MYTHREAD == THREADS - 1 ? in_directory("other") : path, UPC_RDONLY | UPC_COMMON_FP, 0, NULL, EINVAL);
        upc_barrier;
        if (MYTHREAD == 0)
            unlink(in_directory("other"));
    }
    // Where there is no going to another place.
    upc_barrier;
    if (MYTHREAD == 0)
        CHECK(mkfifo(in_directory("pipe"), 0600) == 0);
    upc_barrier;
    refused(in_directory("pipe"), UPC_RDONLY | UPC_COMMON_FP, 0, NULL, ESPIPE);
    if (MYTHREAD == 0)
        unlink(in_directory("pipe"));

    // Permissions of a new file, which the threads open before they hold.
    {
        struct upc_hint hints[] = {{"access_style", "write_once,sequential"}, {"file_perm", "0440"}};
        const struct upc_hint *kept;
        struct stat status;

        file = upc_all_fopen(missing, UPC_RDWR | UPC_CREATE | UPC_EXCL | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 2, hints);
        CHECK(file != NULL);
        upc_barrier;
        CHECK(stat(missing, &status) == 0);
        CHECK_EQUAL(status.st_mode & 0777, 0440);
        CHECK_EQUAL(upc_all_fcntl(file, UPC_GET_HINTS, &kept), 2);
        CHECK(strcmp(kept[1].key, "file_perm") == 0 && strcmp(kept[1].value, "0440") == 0);
        CHECK_EQUAL(upc_all_fclose(file), 0);
    }

    // Two handles of one file.
    file = upc_all_fopen(path, UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
    other = upc_all_fopen(path, UPC_RDONLY | UPC_COMMON_FP | UPC_APPEND, 0, NULL);
    CHECK(file != other && file != NULL && other != NULL);
    CHECK_EQUAL(upc_all_fseek(file, 3, UPC_SEEK_SET), 3);
    CHECK_EQUAL(upc_all_fseek(other, 0, UPC_SEEK_CUR), 10);
    CHECK_EQUAL(upc_all_fclose(file), 0);
    // What is closed, and what never was open.
    errno = 0;
    CHECK_EQUAL(upc_all_fseek(file, 0, UPC_SEEK_SET), -1);
    CHECK_EQUAL(errno, EBADF);
    CHECK_EQUAL(upc_all_fclose(file), -1);
    CHECK_EQUAL(upc_all_fclose(NULL), -1);
    CHECK_EQUAL(upc_all_fsync(NULL), -1);
    CHECK_EQUAL(upc_all_fget_size(NULL), -1);
    CHECK_EQUAL(upc_all_fcntl(NULL, UPC_GET_FL, NULL), -1);
    CHECK_EQUAL(upc_all_fwait_async(NULL), -1);
    CHECK_EQUAL(upc_all_fclose(other), 0);

    upc_barrier;
    if (MYTHREAD == 0)
        unlink(path);
    remove_directory();
    return finish();
}
