//! Whether a thread runs before all others, as the system says.
//!
//! The one idea: a high priority is asked for elsewhere and may be refused, so a search looks at
//! the priority that its watcher really has.

/// Whether this thread has a high priority: real time on Linux, time-critical on Windows.
pub fn is_high() -> bool {
    system::is_high()
}

#[cfg(target_os = "linux")]
mod system {
    pub fn is_high() -> bool {
        // SAFETY: 0 means the calling thread; the call reads a number.
        let policy = unsafe { libc::sched_getscheduler(0) } & !libc::SCHED_RESET_ON_FORK;
        policy == libc::SCHED_FIFO || policy == libc::SCHED_RR
    }
}

#[cfg(windows)]
mod system {
    use windows_sys::Win32::System::Threading::{
        GetCurrentThread, GetThreadPriority, THREAD_PRIORITY_TIME_CRITICAL,
    };

    pub fn is_high() -> bool {
        // SAFETY: no pointers; the handle means the calling thread and needs no closing.
        unsafe { GetThreadPriority(GetCurrentThread()) == THREAD_PRIORITY_TIME_CRITICAL }
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    pub fn is_high() -> bool {
        false
    }
}
