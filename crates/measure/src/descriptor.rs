//! Where the recorder's descriptors lie: out of the way of the program, which counts on the numbers
//! that it gets.

/// Descriptors of the recorder begin here, so that the numbers that the program sees stay what they
/// were.
const FIRST_DESCRIPTOR: libc::c_int = 200;

/// Moves a descriptor that the caller has just opened, and nobody else knows, out of the program's
/// way; its new number, which is closed on exec. It stays where it is if the limit of this process
/// is too low.
pub(crate) fn move_up(descriptor: libc::c_int) -> libc::c_int {
    // SAFETY: no pointers; the descriptor is the caller's own, and is closed only if another one
    // took its place.
    unsafe {
        let moved = libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
        if moved < 0 {
            return descriptor;
        }
        libc::close(descriptor);
        moved
    }
}
