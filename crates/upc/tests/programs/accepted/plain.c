// unchanged: yes
// The C that programs and headers consist of passes through.
#include <stdio.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
typedef int T; typedef struct S { T T; int y:3, :0, z:2; union { int a; float b; }; } S;
int kr(a, b, p) int a; char *b; T *p; { return a + *b + *p; }
static int old();
main_helper(x) { return x; }
int old(int x) { return x; }
typedef int (*fp_t)(int, char *(*)(void));
int (*ff(int a))(int) { return old; }
int arr[] = { [0] = 1, [3 ... 5] = 7, 9 };
S s1 = { .T = 3, .y = 1, .a = 5 }, s2 = { y: 2 };
enum E { A, B = 5, C = B << 2, D } e = C;
extern __typeof__(arr) arr2;
__extension__ typedef long long ll_t;
struct __attribute__((packed)) P { char c; int i; } __attribute__((aligned(8)));
_Static_assert(sizeof(struct P) == 8, "x");
_Thread_local int tl; static __thread int tl2;
_Alignas(16) char buf[32];
__attribute__((noinline)) static int attr(int x) __attribute__((unused));
static int attr(int x) { return x; }
void asmf(int a) { int b; __asm__ volatile ("mov %1, %0" : "=r"(b) : "r"(a + 1) : "memory"); asm(""); }
int va(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); char *c = va_arg(ap, char *); va_end(ap); return x; }
#define max(a,b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int gen(void) { return _Generic(1.0, float: 1, double: 2, default: 3) + __builtin_offsetof(S, T); }
int labels(int i) { static void *t[] = { &&l1, &&l2 }; goto *t[i]; l1: return 1; l2: ; return 2; }
int sw(int c) { switch (c) { case 'a' ... 'z': return 1; case 1: case 2: { int x = 2; return x; } default: ; } return 0; }
int nested(int n) { int in(int k) { return k + n; } return in(3); }
int vla(int n, int a[n][n], double m[restrict static 3]) { int b[n][2*n]; return sizeof b / sizeof b[0] + a[1][2] + (int)m[0]; }
int cl(void) { S *p = &(S){ 1, 2 }; int *q = (int[]){1, 2, 3}; return p->T + q[1] + ((S){3}).T; }
__int128 big; _Complex double z; __complex__ float zf; _Float128 f128; long double ld = 1.0L;
unsigned long long int ull = 18446744073709551615ULL; long unsigned lu; int long signed unsigned_;
const volatile int *const *volatile cv;
int (*fpa[3])(void), *(*pfa)[3], (*(*crazy)(int))[4];
char const *const names[] = { "a" "b", u8"x", "c\"\n" };
int x1 = sizeof(int[3]), x2 = sizeof x1, x3 = _Alignof(double);
void proto(int, char *, int (int), int [], S);
void use(void) { T (T1) = 3; T *T2 = &T1; { int T = 3; T = T * 2; (T) + 1; } (void)T2; for (int i = 0, j = 1; i < j; i++, j--) continue; do { } while (0); if (T1) ; else if (!T1) { } else ; }
typedef struct lst lst; struct lst { lst *next; };
inline __attribute__((always_inline)) int il(void) { return 0; }
_Noreturn void die(void);
int q = '\'' + '\\' + L'a' + '\x41' + '\0';
float hex = 0x1.8p3f; double dd = .5e-3, de = 1e10;
int cond = 1 ? 2 : 3 ? 4 : 5; int tern(int a) { return a ?: 3; }
static int (*const table[])(int) = { attr, [1] = attr };
int entry(argc, argv) char **argv; { T x = (T)3; int y = (x) + (-3) - (T)-1; printf("%d %s\n" , max(x, y), __func__); return (sizeof (int)) * 0 + 0 * sizeof(T) * x & 1; }
int attr_end __attribute__((section("foo"))) = 3, another __asm__("another_name");
struct flex { int n; char d[]; }; struct flex fl = { 2, "ab" };
struct bits { unsigned a : 3; unsigned : 0; signed char b : 2; };
int strange[sizeof(struct { int a; })]; 
void fnull(void (*cb)(void *), void *d) { cb ? cb(d) : (void)0; (*cb)(d); (**cb)(d); }
int abstract(int (*)[3], int (*)(int), int *[], int (*[2])(void));
int arr_of_ptr_to_fn_ret_ptr(void) { char *(*(*x)[2])(int) = 0; return x == 0; }
int sizeofcast(void) { return sizeof (int) + (int) sizeof (char) * 2 + sizeof "abc" + sizeof(arr)[0]; }
void sigh(void) { __label__ foo; goto foo; foo:; }
register_test() { register int i, j; auto int k = 0; register z = 2; const w = 3; static sx; i = j = k; return i + z + w + sx; }
__int128_t wide; __uint128_t unsigned_wide[2]; typedef __builtin_sysv_va_list list_of_arguments;
struct rather { __int128_t unused[4]; };
