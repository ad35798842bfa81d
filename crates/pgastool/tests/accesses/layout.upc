/* Arrays whose data lies with another thread than the one that uses it, in four ways, and a halo exchange, in which it lies
   right. Lines are found by their comments. */
#include <upc.h>

#define N 3000
#define ROUNDS 300

shared [N] double shifted[N * THREADS];
shared [N] double gathered[N * THREADS];
shared [2] double halo[2 * THREADS];
shared double dealt_out[N * THREADS];
shared [N] double in_blocks[N * THREADS];
double sum;

/* The index is off by one block. */
void work_on_the_next_block(void) {
    for (int i = 0; i < N; i++)
        shifted[(MYTHREAD + 1) % THREADS * N + i] = i; /* SHIFTED */
}

/* One thread does everybody's work. */
void one_for_all(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++)
            sum += gathered[i]; /* GATHERED */
}

/* A piece for each thread, of an array that is dealt out element by element. */
void use_a_piece(void) {
    for (int i = MYTHREAD * N; i < (MYTHREAD + 1) * N; i++)
        dealt_out[i] = i; /* PIECE */
}

/* Every THREADS-th element, of an array in blocks. */
void use_in_turn(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        in_blocks[i] = i; /* TURN */
}

void neighbours(void) {
    int left = (MYTHREAD + THREADS - 1) % THREADS;
    int right = (MYTHREAD + 1) % THREADS;
    for (int round = 0; round < ROUNDS; round++) {
        sum += halo[2 * left + 1]; /* HALO LEFT */
        sum += halo[2 * right];    /* HALO RIGHT */
    }
}

int main(int argc, char **argv) {
    int which = argc > 1 ? argv[1][0] : 's';
    if (which == 's')
        work_on_the_next_block();
    else if (which == 'g')
        one_for_all();
    else if (which == 'p')
        use_a_piece();
    else if (which == 't')
        use_in_turn();
    else
        neighbours();
    upc_barrier;
    return sum < 0;
}
