// threads: 2
// modes: dynamic
// status: 1
// expect: said in time
// unchecked: the checks write their messages in two steps
// The thread that ends a program with a message gets the time to say it, also when another ends meanwhile.
#include <upc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int slow;

// Takes the place of the C library's, which the runtime writes its messages with.
int vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    char all[4000];
    int length = vsprintf(all, format, arguments);

    if (slow) {
        // The end signal would end a longer sleep.
        for (slow = 0; slow < 500; slow++)
            usleep(1000);
        slow = 0;
        length = sprintf(all, "\nsaid in time");
    }
    if (size > 0) {
        strncpy(text, all, size - 1);
        text[size - 1] = 0;
    }
    return length;
}

int main(void)
{
    upc_lock_t *lock = upc_global_lock_alloc();

    upc_lock(lock);
    upc_barrier;
    slow = MYTHREAD == 1;
    if (MYTHREAD == 0)
        usleep(100000);
    upc_lock(lock); // wrong: this thread holds it
    return 0;
}
