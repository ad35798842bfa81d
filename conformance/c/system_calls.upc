// threads: 1 2 3 4 7
// Threads are processes: signals, fork, system, popen, files; the headers that numerical programs include.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <math.h>
#include <limits.h>
#include <float.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <inttypes.h>
#include <locale.h>
#include <wchar.h>
#include <regex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <netdb.h>
#include <dirent.h>
#include <getopt.h>
#include <tgmath.h>
#include <stdatomic.h>
#include "check.h"
static volatile sig_atomic_t got;

static void on(int s) { got = s; }

shared double secs[THREADS];

double get_time(void)
{
    struct timeval tv;
    gettimeofday(&tv, 0);
    return tv.tv_sec + tv.tv_usec * 1e-6;
}

static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

shared [] int *arr;
shared uint64_t words[THREADS];

int main(int argc, char **argv)
{
    int i, st;
    double t0 = get_time();
    char buf[64];
    FILE *f;
    struct tm tm;
    signal(SIGUSR1, on);
    raise(SIGUSR1);
    CHECK_EQUAL(got, SIGUSR1);
    signal(SIGALRM, on);
    alarm(0);
    st = system("exit 3");
    CHECK_EQUAL(WEXITSTATUS(st), 3);
    f = popen("echo hi", "r");
    CHECK(f && fgets(buf, 64, f) && buf[0] == 'h');
    pclose(f);
    pid_t pid = fork();
    if (pid == 0)
        _exit(7);
    waitpid(pid, &st, 0);
    CHECK_EQUAL(WEXITSTATUS(st), 7);
    f = tmpfile();
    fprintf(f, "%d %s\n", MYTHREAD, "x");
    rewind(f);
    CHECK(fscanf(f, "%d %63s", &i, buf) == 2 && i == MYTHREAD);
    fclose(f);
    arr = upc_alloc(100 * sizeof(int));
    srand(5);
    for (i = 0; i < 100; i++)
        arr[i] = rand() % 1000;
    qsort((int *)arr, 100, sizeof(int), cmp);
    for (i = 1; i < 100; i++)
        CHECK(arr[i - 1] <= arr[i]);
    int key = arr[50];
    CHECK(bsearch(&key, (void *)arr, 100, sizeof(int), cmp) != NULL);
    words[MYTHREAD] = UINT64_C(1) << 40;
    printf("%" PRIu64 " %zu %ld %d %s\n", words[MYTHREAD], sizeof words, (long)upc_addrfield(&words[0]),
           THREADS, argv[0]);
    sscanf("12 3.5", "%d %lf", &i, &t0);
    CHECK(i == 12 && t0 == 3.5);
    secs[MYTHREAD] = get_time();
    CHECK(secs[MYTHREAD] > 1e9);
    atoi("1");
    CHECK(strtod("2.5", NULL) == 2.5);
    setlocale(LC_ALL, "C");
    srand48(1);
    CHECK(drand48() < 1);
    time_t now = time(NULL);
    localtime_r(&now, &tm);
    CHECK(clock() != (clock_t)-1);
    struct timespec ts = {0, 1000};
    nanosleep(&ts, NULL);
    usleep(1);
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    CHECK(ru.ru_maxrss > 0);
    gethostname(buf, sizeof buf);
    srandom(1);
    (void)random();
    setvbuf(stdout, NULL, _IOLBF, 0);
    CHECK(INT_MAX == 2147483647 && DBL_MAX > 1e300);
    double r = sqrt(secs[MYTHREAD]) + pow(2.0, 10) + fabs(-1.0) + floor(1.5);
    CHECK(r > 1000);
    putenv("A=b");
    CHECK(getenv("A")[0] == 'b');
    mkstemp(strcpy(buf, "/tmp/upcXXXXXX"));
    unlink(buf);
    optind = 1;
    CHECK(getopt(argc, argv, "x") == -1);
    _Atomic int at = 0;
    atomic_fetch_add(&at, 2);
    CHECK_EQUAL(at, 2);
    perror;
    CHECK(atexit(0 ? 0 : (void (*)(void))tzset) == 0);
    return finish();
}
