// threads: 4
// With a static number of threads THREADS is a constant like others.
shared int a1[100], a2[THREADS + 1], a3[THREADS][THREADS];
shared [THREADS] int a4[100];
shared [] int a5[THREADS];
shared [*] int a6[10];
int p1[THREADS];
enum { E = THREADS };
int main(void)
{
    switch (a1[0]) {
    case THREADS:
        return 1;
    }
    return sizeof(a1);
}
