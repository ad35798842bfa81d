/* Transfers and copies that walk, jump and forget their addresses, by chance; it prints what it did. */
#include <pgas_measure.h>
#include "program.h"

static pgas_recorder *recorder;

static unsigned long state = 1;
static unsigned below(unsigned n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(state >> 33) % n;
}

static void transfer(int line, int partner, unsigned long address, unsigned long bytes) {
  printf("%d %d %lu %lu\n", line, partner, address, bytes);
  pgas_enter_transfer_at(recorder, PGAS_GET, "a.upc", line, partner, address, bytes);
  pgas_exit(recorder, PGAS_GET, NULL);
}

static void copy(int line, int source, unsigned long from, int destination, unsigned long to, unsigned long bytes) {
  printf("%d %d %lu %d %lu %lu\n", line, source, from, destination, to, bytes);
  pgas_enter_copy_at(recorder, PGAS_MEMCPY, "a.upc", line, source, from, destination, to, bytes);
  pgas_exit(recorder, PGAS_MEMCPY, NULL);
}

int main(void) {
  recorder = pgas_open(0, 4);
  pgas_enter(recorder, PGAS_FUNCTION, "a.upc", 1, "main");
  unsigned long at[8] = {0};
  for (int i = 0; i < 4000; i++) {
    int site = (int)below(8);
    unsigned long stride = 8ul << (site % 3);
    at[site] += site % 2 ? -stride : stride;
    switch (below(40)) {
      case 0: at[site] = (unsigned long)state; break;
      case 1: at[site] = 0; break;
      case 2: at[site] += 4096; break;
      case 3: /* the site, without any attributes */
        pgas_enter(recorder, PGAS_GET, "a.upc", 10 + site, NULL);
        pgas_exit(recorder, PGAS_GET, NULL);
        printf("%d\n", 10 + site);
        break;
      case 4: /* the same operation in the same place, as one who does not know addresses says it */
        pgas_enter_transfer(recorder, PGAS_GET, "a.upc", 10 + site, 1, 8);
        pgas_exit(recorder, PGAS_GET, NULL);
        printf("%d 1 0 8\n", 10 + site);
        break;
    }
    int partner = (int)(below(20) == 0 ? below(4) : 1);
    unsigned long bytes = below(30) == 0 ? 1ul << below(60) : 8;
    if (site < 6) transfer(10 + site, partner, at[site], bytes);
    else copy(10 + site, partner, at[site] & 0xffffffffffff, 2, 2 * at[site - 1] & 0xffffffffffff, bytes & 0xffffffffffff);
  }
  pgas_exit(recorder, PGAS_FUNCTION, "main");
  pgas_finish(recorder);
  return 0;
}
