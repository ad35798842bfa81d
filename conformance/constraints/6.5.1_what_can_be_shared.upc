// threads: dynamic 4
// What cannot be shared: automatic variables, parameters, members, results, functions.
shared int ok;
struct s {
    int a;
    shared int b;                       /* error: a member of a structure or union cannot be shared */
    shared int *fine;
};
union u { shared char c; int i; };      /* error: a member of a structure or union cannot be shared */
shared int f(void);                     /* error: a function cannot return a shared type */
shared int *fine(void);
void g(shared int p);                   /* error: a parameter cannot be shared */
void g2(shared int p[], shared int *q);
typedef int fn(void);
shared fn h;                            /* error: a function type cannot be shared */
struct nested { struct { shared int deep; } inner; }; /* error: a member of a structure or union cannot be shared */
struct layout { shared [4] int array[4]; };     /* error: a member of a structure or union cannot be shared */
shared int defined(void) { return 0; }  /* error: a function cannot return a shared type */
shared int *two(void), one_of(void);    /* error: a function cannot return a shared type */
shared int *shared in_shared(void);     /* error: a function cannot return a shared type */
typedef shared int *shared sp;
sp by_name(void);                       /* error: a function cannot return a shared type */
int *shared private_target(void);       /* error: a function cannot return a shared type */
sp *fine_too(void), of_type;
shared void nothing;                    /* error: an object of type shared void */
shared void procedure(void);            /* error: a function cannot return a shared type */
shared void *generic, *allocate(void);
void old1(x) shared int *x; { }
void old2(x) shared int x[10]; { }
void old3(a, b) int a; shared [2] int b;    /* error: a parameter cannot be shared */
{ }
struct incomplete;
shared struct incomplete object;        /* error: a shared object of an incomplete type */
extern shared struct incomplete elsewhere;
shared struct incomplete *pointer;
auto shared int automatic_outside;      /* error: an automatic variable cannot be shared */
register shared int register_outside;   /* error: an automatic variable cannot be shared */
_Thread_local shared int of_thread;     /* error: an object of one thread alone cannot be shared */
inline shared int in_line;              /* error: this belongs to functions only */
extern static shared int both;          /* error: static and extern in one declaration */
int main(void)
{
    auto shared int automatic;          /* error: an automatic variable cannot be shared */
    register shared int in_register;    /* error: an automatic variable cannot be shared */
    shared int *shared_pointer, *shared pointer_in_shared; /* error: an automatic variable cannot be shared */
    shared int a;                       /* error: an automatic variable cannot be shared */
    static shared int b;
    extern shared int ok;
    typedef shared int sint;
    sint c;                             /* error: an automatic variable cannot be shared */
    for (shared int i = 0; ;) break;    /* error: an automatic variable cannot be shared */
    return b;
}
