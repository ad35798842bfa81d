/* The other half of a program in old style. */
int common_to_both;
int common_array[10];

undeclared_elsewhere(i)
{
    return i + common_to_both + common_array[9];
}
