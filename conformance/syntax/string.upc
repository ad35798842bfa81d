// threads: dynamic
// A syntax error.
char *s = "abc; /* error: a string or character constant that does not end on its line */
