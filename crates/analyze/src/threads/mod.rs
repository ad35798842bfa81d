//! Facts about each thread alone, collected while its events are read: what it contributes to
//! synchronisations ([`batch`]), what it did between them ([`epochs`]), its calls that may be
//! iterations ([`calls`]), its accesses to shared data ([`one_sided`]),
//! its tasks and their messages ([`tasks`]), where samples found it ([`stacks`]), and its profile.

pub mod batch;
pub mod calls;
pub mod epochs;
pub mod one_sided;
pub mod profile;
pub mod stacks;
pub mod tasks;
