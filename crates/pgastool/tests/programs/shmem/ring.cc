// OpenSHMEM from C++: a sum goes around the ring, each PE adds its number.
#include <complex>
#include <cstdio>
#include <vector>

#include <shmem.h>

namespace {

class Ring {
public:
  Ring() : sum(static_cast<long *>(shmem_calloc(1, sizeof(long)))) {}
  ~Ring() { shmem_free(sum); }

  long go_around(int me, int pes) {
    if (me > 0) shmem_long_wait_until(sum, SHMEM_CMP_NE, 0);
    long mine = *sum + me + 1;
    if (me + 1 < pes) shmem_long_p(sum, mine, me + 1);
    return mine;
  }

private:
  long *sum;
};

} // namespace

int main() {
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes(), is_right;
  {
    Ring ring;
    shmem_barrier_all();
    is_right = ring.go_around(me, pes) == static_cast<long>(me + 1) * (me + 2) / 2;
    std::vector<double> values(10, me);
    double *shared = static_cast<double *>(shmem_malloc(10 * sizeof(double)));
    shmem_double_put(shared, values.data(), values.size(), (me + 1) % pes);
    shmem_barrier_all();
    is_right &= shared[9] == (me + pes - 1) % pes;
    shmem_free(shared);
  }
  if (me == pes - 1) std::puts(is_right ? "verified" : "wrong");
  shmem_finalize();
  return !is_right;
}
