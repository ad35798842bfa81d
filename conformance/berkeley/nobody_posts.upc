// threads: 1
// status: 1
// expect: pgas: all threads wait for each other: thread 0 waits for a bupc_sem_post
// A wait that nobody can end is noticed.
#include <upc.h>

int main(void)
{
    bupc_sem_t *sem = bupc_sem_alloc(0);

    bupc_sem_wait(sem);
    return 0;
}
