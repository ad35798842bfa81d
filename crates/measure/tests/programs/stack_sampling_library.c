/* A library that a program loads and unloads. */
double compute(long steps);

__attribute__((noinline)) static double step(double x) { return x * 1.0000001 + 0.5; }

double compute(long steps) {
  double x = 1;
  for (long i = 0; i < steps; i++) x = step(x);
  return x;
}
