/* The compiler, as it names itself. */
#ifndef PGAS_UPC_IMPLEMENTATION_H
#define PGAS_UPC_IMPLEMENTATION_H

#include <upc.h>

#define PGAS_QUOTED_AS_IT_IS(text) #text
#define PGAS_QUOTED(text) PGAS_QUOTED_AS_IT_IS(text)

#if defined(UPCR_UPC_H) && defined(UPCR_MPI)
#define PGAS_EMBEDDED_UPC 1
#define PGAS_UPC_IMPLEMENTATION "pgas-upcc -network=mpi"
#elif defined(UPCR_UPC_H)
#define PGAS_EMBEDDED_UPC 1
#define PGAS_UPC_IMPLEMENTATION "pgas-upcc -network=smp"
#elif defined(__BERKELEY_UPC__)
#define PGAS_UPC_IMPLEMENTATION                                  \
  "Berkeley UPC " PGAS_QUOTED(__BERKELEY_UPC__) "." PGAS_QUOTED( \
      __BERKELEY_UPC_MINOR__) "." PGAS_QUOTED(__BERKELEY_UPC_PATCHLEVEL__)
#elif defined(__clang__)
#define PGAS_UPC_IMPLEMENTATION "Clang UPC " __clang_version__
#elif defined(__GNUC__)
#define PGAS_UPC_IMPLEMENTATION "GNU UPC " __VERSION__
#elif defined(_CRAYC)
#define PGAS_UPC_IMPLEMENTATION "Cray C " _RELEASE_STRING
#else
#define PGAS_UPC_IMPLEMENTATION "UPC " PGAS_QUOTED(__UPC_VERSION__)
#endif

#endif
