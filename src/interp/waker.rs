//! Owns waking the event loop from a thread that does not hold the interpreter lock.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

/// One end that is written to, and one that the loop watches.
pub struct Waker {
    read: OwnedFd,
    #[cfg(not(target_os = "linux"))]
    write: OwnedFd,
}

impl Waker {
    /// A waker that nobody has woken.
    ///
    /// # Errors
    /// The system's, such as too many open files.
    #[cfg(target_os = "linux")]
    pub fn new() -> io::Result<Self> {
        use rustix::event::{EventfdFlags, eventfd};
        Ok(Self {
            read: eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?,
        })
    }

    /// A waker that nobody has woken.
    ///
    /// # Errors
    /// The system's, such as too many open files.
    #[cfg(not(target_os = "linux"))]
    pub fn new() -> io::Result<Self> {
        let (read, write) = std::os::unix::net::UnixStream::pair()?;
        read.set_nonblocking(true)?;
        write.set_nonblocking(true)?;
        Ok(Self {
            read: read.into(),
            write: write.into(),
        })
    }

    /// The descriptor that becomes readable.
    pub fn descriptor(&self) -> RawFd {
        self.read.as_raw_fd()
    }

    /// Makes the descriptor readable.
    pub fn wake(&self) {
        #[cfg(target_os = "linux")]
        let end = self.read.as_fd();
        #[cfg(not(target_os = "linux"))]
        let end = self.write.as_fd();
        // It can only fail by being readable already.
        let _ = rustix::io::write(end, &1u64.to_ne_bytes());
    }

    /// Makes the descriptor unreadable again.
    pub fn reset(&self) {
        let mut bytes = [0; 64];
        // It can only fail by being unreadable already.
        let _ = rustix::io::read(self.read.as_fd(), &mut bytes);
    }
}
