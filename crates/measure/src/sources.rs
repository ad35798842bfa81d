//! The C files that are compiled when a program is linked, for the command line to hand to the C
//! compiler.

/// Name of the decoder's file.
pub const GASP_DECODER_NAME: &str = "gasp_decoder.c";
/// Decodes GASP events; compile it against `gasp.h` and `gasp_upc.h` of the UPC compiler and
/// [`HEADERS`].
pub const GASP_DECODER_C: &str = include_str!("../c/gasp_decoder.c");
/// The headers that the decoder includes beside those of the compiler, each with its name: the
/// recorder's C interface, and parts of the decoder.
pub const HEADERS: &[(&str, &str)] = &[
    ("call_recorder.h", include_str!("../c/call_recorder.h")),
    ("pgas_measure.h", include_str!("../include/pgas_measure.h")),
    (
        "gasp_decoder_table.h",
        include_str!("../c/gasp_decoder_table.h"),
    ),
    (
        "gasp_decoder_thread.h",
        include_str!("../c/gasp_decoder_thread.h"),
    ),
    ("function_hooks.h", include_str!("../c/function_hooks.h")),
    ("user_events.h", include_str!("../c/user_events.h")),
];

/// The recorder's functions that other code of a program calls, or that take the place of the
/// system's. All others are its own affair and stay hidden where it is linked in advance.
pub const EXPORTS: &[&str] = &[
    "pgas_collect",
    "pgas_compare_clocks",
    "pgas_control",
    "pgas_count_accesses",
    "pgas_count_calls",
    "pgas_enter",
    "pgas_enter_allocation",
    "pgas_enter_barrier",
    "pgas_enter_call",
    "pgas_enter_call_allocation",
    "pgas_enter_call_barrier",
    "pgas_enter_call_copy",
    "pgas_enter_call_end",
    "pgas_enter_call_group",
    "pgas_enter_call_lock",
    "pgas_enter_call_message",
    "pgas_enter_call_object",
    "pgas_enter_call_transfer",
    "pgas_enter_copy",
    "pgas_enter_copy_at",
    "pgas_enter_end",
    "pgas_enter_function",
    "pgas_enter_function_of",
    "pgas_enter_lock",
    "pgas_enter_object",
    "pgas_enter_task",
    "pgas_enter_transfer",
    "pgas_enter_transfer_at",
    "pgas_exit",
    "pgas_exit_call",
    "pgas_exit_call_collective",
    "pgas_exit_call_lock_attempt",
    "pgas_exit_call_message",
    "pgas_exit_collective",
    "pgas_exit_function",
    "pgas_exit_function_of",
    "pgas_exit_lock_attempt",
    "pgas_exit_task",
    "pgas_finish",
    "pgas_function_lines",
    "pgas_is_recording",
    "pgas_is_short_leaf",
    "pgas_name_runtime",
    "pgas_next_sample_of",
    "pgas_no_memory",
    "pgas_note_signal",
    "pgas_open",
    "pgas_open_regions",
    "pgas_open_rehearsed",
    "pgas_record_channel_create",
    "pgas_record_channel_message",
    "pgas_record_channel_operation",
    "pgas_record_clock",
    "pgas_record_select_wait",
    "pgas_record_task_create",
    "pgas_recorder_metric",
    "pgas_recorder_metric_add",
    "pgas_recorder_metric_attach",
    "pgas_recorder_metric_define",
    "pgas_recorder_metric_run",
    "pgas_recorder_metric_set",
    "pgas_recorder_metric_value",
    "pgas_return_to",
    "pgas_sample",
    "pgas_sample_counted",
    "pgas_shared_array",
    "pgas_wants_addresses",
    "prctl",
];

#[cfg(test)]
mod tests {
    use super::EXPORTS;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// One that was forgotten would be missing when a program is linked.
    #[test]
    fn all_functions_of_the_interface_are_listed() {
        let mut defined = BTreeSet::new();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let list = |directory| {
            std::fs::read_dir(directory)
                .unwrap()
                .map(|e| e.unwrap().path())
        };
        let all = list(sources.clone()).chain(list(sources.join("metrics")));
        for path in all.filter(|path| path.is_file() && !path.ends_with("sources.rs")) {
            let text = std::fs::read_to_string(path).unwrap();
            for after in text.split("#[unsafe(no_mangle)]").skip(1) {
                let name = after.split("fn ").nth(1).unwrap();
                defined.insert(name.split('(').next().unwrap().to_string());
            }
        }
        let listed: BTreeSet<String> = EXPORTS.iter().map(ToString::to_string).collect();
        assert_eq!(defined, listed);
    }
}
