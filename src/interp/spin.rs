//! Owns waiting for a moment without sleeping: waking a thread takes longer than most calls.
//!
//! Must only be used right after work was done or handed over, by a thread that is not attached, so that an idle host uses
//! no processor at all.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long a thread looks before it sleeps: about what going to sleep and being woken costs.
const LONGEST: Duration = Duration::from_micros(40);
/// How often it looks between two looks at the clock.
const LOOKS: u32 = 32;

thread_local! {
    static IS_BUSY: Cell<bool> = const { Cell::new(false) };
}

/// Does work on a thread that has more to do than to wait for what comes of it: meanwhile it only looks once.
pub fn without<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_BUSY.replace(true);
    let done = work();
    IS_BUSY.set(before);
    done
}

/// Looks until `done`, for a moment; whether it came to be.
pub fn until(mut done: impl FnMut() -> bool) -> bool {
    if IS_BUSY.get() || !pays_off() {
        return done();
    }
    let started = Instant::now();
    while started.elapsed() < LONGEST {
        for _ in 0..LOOKS {
            if done() {
                return true;
            }
            std::hint::spin_loop();
        }
    }
    done()
}

/// Whether somebody else can do the work meanwhile.
fn pays_off() -> bool {
    static SEVERAL: OnceLock<bool> = OnceLock::new();
    *SEVERAL.get_or_init(|| std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1))
}
