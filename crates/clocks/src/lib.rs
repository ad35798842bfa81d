//! How clocks of different threads stand against each other: the minimum round-trip method, and
//! times corrected by what it found.
