// Waits for a flag and for a semaphore, and the posts that end them:
//
//     pgastool compile --upcc embedded -O1 -T 2 program.upc
//     pgastool run -n 2 --compress none -o flags ./a.out
#include <bupc_sem.h>
#include <unistd.h>
#include <upc.h>

static strict shared int flag;
static bupc_sem_t *shared semaphore;

int main(void) {
    if (MYTHREAD == 0) semaphore = bupc_sem_alloc(BUPC_SEM_INTEGER);
    upc_barrier;
    if (MYTHREAD == 1) {
        usleep(5000);
        flag = 1;
        usleep(5000);
        bupc_sem_postN(semaphore, 3);
    } else {
        while (!flag)
            ;
        bupc_sem_waitN(semaphore, 2);
        bupc_sem_waitN(semaphore, 1);
    }
    upc_barrier;
    return 0;
}
