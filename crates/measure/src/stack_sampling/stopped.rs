//! Why a thread is not sampled any more although it is recorded.

use super::handler;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The program has installed a handler for the signal.
    Handled,
    /// The program handles signals on a stack that a sample might overflow.
    SmallStack,
}

impl Stopped {
    /// For the property of the stream and for people.
    pub(crate) fn reason(self) -> String {
        match self {
            Stopped::Handled => {
                format!("the program handles {} by itself", handler::signal_name())
            }
            Stopped::SmallStack => "the program handles signals on a stack (sigaltstack) of less \
                                    than 24 KiB, which a sample within a handler might overflow"
                .to_owned(),
        }
    }
}
