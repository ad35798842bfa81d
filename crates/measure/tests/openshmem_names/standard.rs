//! The functions of OpenSHMEM 1.4 and 1.5, by the families of the standard's text and its tables of
//! types.

use std::collections::BTreeSet;

/// Table of the types of puts and gets.
const TYPES: &str = "float double longdouble char schar short int long longlong uchar ushort uint \
                     ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size \
                     ptrdiff";
/// Types of atomic operations: the standard ones, those extended, and those with bits.
const ATOMIC: &str =
    "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff";
const EXTENDED: &str = "float double int long longlong uint ulong ulonglong int32 int64 uint32 \
                        uint64 size ptrdiff";
const BITWISE: &str = "uint ulong ulonglong int32 int64 uint32 uint64";
/// Types of waits and tests, with those that only 1.4 has.
const WAITS: &str = "short int long longlong ushort uint ulong ulonglong int32 int64 uint32 uint64 \
                     size ptrdiff";
/// Types of reductions over teams by `and`, `or` and `xor`.
const REDUCED_BITS: &str = "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 uint16 \
                            uint32 uint64 size";
const COMPLEX: &str = "complexf complexd";
const SIZES: &str = "8 16 32 64 128";

/// Families of functions: each name is a pattern in which `T` is one of the types or sizes, and for
/// a name that begins with `*` there is one for contexts, too.
const FAMILIES: [(&str, &str); 16] = [
    (
        TYPES,
        "*T_put *T_p *T_iput *T_get *T_g *T_iget *T_put_nbi *T_get_nbi *T_put_signal \
         *T_put_signal_nbi T_alltoall T_alltoalls T_broadcast T_collect T_fcollect T_max_reduce \
         T_min_reduce T_sum_reduce T_prod_reduce",
    ),
    (
        SIZES,
        "*putT *iputT *getT *igetT *putT_nbi *getT_nbi *putT_signal *putT_signal_nbi",
    ),
    (
        "mem",
        "*putT *getT *putT_nbi *getT_nbi *putT_signal *putT_signal_nbi",
    ),
    (
        EXTENDED,
        "*T_atomic_fetch *T_atomic_set *T_atomic_swap *T_atomic_fetch_nbi *T_atomic_swap_nbi",
    ),
    (
        ATOMIC,
        "*T_atomic_compare_swap *T_atomic_fetch_inc *T_atomic_inc *T_atomic_fetch_add \
         *T_atomic_add *T_atomic_compare_swap_nbi *T_atomic_fetch_inc_nbi *T_atomic_fetch_add_nbi",
    ),
    (
        BITWISE,
        "*T_atomic_and *T_atomic_or *T_atomic_xor *T_atomic_fetch_and *T_atomic_fetch_or \
         *T_atomic_fetch_xor *T_atomic_fetch_and_nbi *T_atomic_fetch_or_nbi \
         *T_atomic_fetch_xor_nbi",
    ),
    (
        WAITS,
        "T_wait_until T_wait_until_all T_wait_until_any T_wait_until_some T_wait_until_all_vector \
         T_wait_until_any_vector T_wait_until_some_vector T_test T_test_all T_test_any T_test_some \
         T_test_all_vector T_test_any_vector T_test_some_vector",
    ),
    (REDUCED_BITS, "T_and_reduce T_or_reduce T_xor_reduce"),
    (
        COMPLEX,
        "T_sum_reduce T_prod_reduce T_sum_to_all T_prod_to_all",
    ),
    // Deprecated by 1.4 or 1.5.
    ("short int long longlong", "T_wait"),
    ("float double int long longlong", "T_fetch T_set T_swap"),
    ("int long longlong", "T_cswap T_finc T_inc T_fadd T_add"),
    (
        "short int long longlong",
        "T_and_to_all T_or_to_all T_xor_to_all",
    ),
    (
        "short int long longlong float double longdouble",
        "T_max_to_all T_min_to_all T_sum_to_all T_prod_to_all",
    ),
    (
        "32 64 mem",
        "alltoallT alltoallsT broadcastT collectT fcollectT",
    ),
    (
        "",
        "init finalize global_exit init_thread malloc free realloc align calloc \
         malloc_with_hints team_split_strided team_split_2d team_destroy team_sync \
         team_create_ctx ctx_create ctx_destroy signal_fetch signal_wait_until barrier_all \
         barrier sync_all sync *fence *quiet clear_lock set_lock test_lock pcontrol wait \
         wait_until",
    ),
];

/// Names from before version 1.2 that the standard still lists.
const OLD: [&str; 5] = ["start_pes", "shmalloc", "shfree", "shrealloc", "shmemalign"];

/// Functions that only ask, or that do nothing on machines with coherent caches: programs call them
/// unrecorded. Those of 1.6 that only ask, too.
pub const UNRECORDED: &str = "shmem_my_pe shmem_n_pes shmem_pe_accessible shmem_addr_accessible \
                              shmem_ptr shmem_info_get_version shmem_info_get_name \
                              shmem_query_thread shmem_team_my_pe shmem_team_n_pes \
                              shmem_team_get_config shmem_team_translate_pe shmem_ctx_get_team \
                              shmem_set_cache_inv shmem_set_cache_line_inv shmem_clear_cache_inv \
                              shmem_clear_cache_line_inv shmem_udcflush shmem_udcflush_line \
                              shmem_initialized shmem_finalized";

/// The names of all functions that communicate, synchronise, allocate, begin or end.
pub fn functions() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = OLD.iter().map(|name| (*name).to_owned()).collect();
    for (types, patterns) in FAMILIES {
        // A family without types has each name once.
        for of_type in types.split(' ') {
            for pattern in patterns.split_whitespace() {
                let name = pattern.trim_start_matches('*').replace('T', of_type);
                if pattern.starts_with('*') {
                    names.insert(format!("shmem_ctx_{name}"));
                }
                names.insert(format!("shmem_{name}"));
            }
        }
    }
    names
}
