#ifndef TWO_FILES_H
#define TWO_FILES_H

struct value {
    int value;
};
shared struct value common[THREADS]; /* tentative in both files: one object */
extern shared int defined_here[THREADS];
extern shared [4] int blocked_here[];
extern shared int defined_there[];
extern shared int initialised_there;
extern int private_global;

int sum_defined_here(void);
int sum_common(void);
long address_of_common(void);
int other_same_name(void);
int get_blocked(int i);
int get_private_global(void);
int other_counter(void);
void set_defined_there(void);

#endif
