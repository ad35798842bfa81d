# Speed of compiled UPC programs and of the compiler: `scripts/bench upc`, which reads this with `.`.
class=A lines=20000 most_seconds=10
[ "$runs" -gt 0 ] || runs=5
repetitions=400
if [ -n "$short" ]; then
    repetitions=2 runs=1 class=S lines=2000
fi
upcc=$(upc_compiler)

for mode in static dynamic; do
    options=
    [ "$mode" = dynamic ] || options="-T 2"
    printf '%s number of threads, 2 threads\n' "$mode"
    for program in own_elements remote_reads synchronisation transfers; do
        # shellcheck disable=SC2086
        "$upcc" -O2 $options -DREPETITIONS=$repetitions -o "$scratch/$program" "bench/upc/$program.upc"
        PGAS_THREADS=2 "$scratch/$program" >"$scratch/lines"
        table <"$scratch/lines"
    done
done

printf 'kernels of class %s against the serial C build, 1 thread, median of %s runs, at most 1.15 times\n' "$class" "$runs"
UPCC=$upcc scripts/kernels --classes "$class" --threads 1 --ratio "$runs" >"$scratch/kernels" || {
    cat "$scratch/kernels"
    exit 1
}
awk 'NR > 1 { printf "%s, %s\t%s\t%s\t1.15\tratio\ts\n", $1, $3, $5, $6 }' "$scratch/kernels" | table

printf 'compiler\n'
awk -v lines=$lines -f bench/upc/program.awk >"$scratch/program.upc"
for optimisation in -O0 -O2; do
    start=$(date +%s%N)
    "$upcc" $optimisation -c -o "$scratch/program.o" "$scratch/program.upc"
    end=$(date +%s%N)
    awk -v ns=$((end - start)) -v name="program of $lines lines, $optimisation" -v most=$most_seconds \
        'BEGIN { printf "%s\t%s\t-\t%s\tfigure\ts\n", name, ns / 1e9, most }' | table
done
