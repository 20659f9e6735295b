//! Owns the numbers that the command ends with, and nothing else.

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// It did what was asked.
    Success,
    /// The user's input or the tool failed.
    Failure,
    /// The command line or the environment cannot be used.
    Misuse,
    /// pegboard itself is at fault.
    Fault,
    /// A signal ended it.
    Signal(Signal),
}

/// A signal that ends the command in good order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT, as Ctrl-C sends it.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl ExitStatus {
    /// The number for the parent process. A signal's is 128 more than its own, as shells count.
    pub const fn code(self) -> i32 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Misuse => 2,
            Self::Fault => 3,
            Self::Signal(Signal::Interrupt) => 128 + 2,
            Self::Signal(Signal::Terminate) => 128 + 15,
        }
    }
}
