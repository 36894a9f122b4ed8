//! Raises the priority of the time-keeping thread where the OS allows it.
//!
//! The one idea: such a thread sleeps nearly all the time and works for some microseconds, but on a
//! busy machine it may wait many milliseconds for a core. Windows allows it to every program; Linux
//! needs `CAP_SYS_NICE`, or `rtprio` in `/etc/security/limits.conf`. With four busy processes on
//! two cores, moves were at most 0.9 ms late with it and up to 5.0 ms without (`alesia-lab stress
//! deadline --load cpu --busy 4 --move-time 100`).

use std::marker::PhantomData;

/// High priority for the thread that owns this value.
pub struct Urgency {
    raised: bool,
    /// It belongs to one thread.
    _not_send: PhantomData<*const ()>,
}

impl Urgency {
    /// Raises the priority of this thread until the result is dropped, where the OS allows it.
    /// Threads that it starts meanwhile have normal priority.
    pub fn claim() -> Urgency {
        let raised = system::raise();
        if !raised {
            log::info!("the system does not allow a high priority for the time-keeping thread");
        }
        Urgency { raised, _not_send: PhantomData }
    }

    /// Whether the OS has allowed it.
    pub fn is_high(&self) -> bool {
        self.raised
    }
}

impl Drop for Urgency {
    fn drop(&mut self) {
        if self.raised {
            system::lower();
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    /// Real time, first come first served; threads started by this one have normal priority.
    pub fn raise() -> bool {
        set(libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, 1)
    }

    pub fn lower() {
        // Always allowed, as long as the flag stays.
        set(libc::SCHED_OTHER | libc::SCHED_RESET_ON_FORK, 0);
    }

    fn set(policy: libc::c_int, priority: libc::c_int) -> bool {
        // SAFETY: plain numbers, for which zeros are valid; some systems have more fields.
        let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
        parameters.sched_priority = priority;
        // SAFETY: 0 means the calling thread, and the parameters outlive the call.
        unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) == 0 }
    }
}

#[cfg(windows)]
mod system {
    use windows_sys::Win32::System::Threading::{
        GetCurrentThread, SetThreadPriority, THREAD_PRIORITY_NORMAL, THREAD_PRIORITY_TIME_CRITICAL,
    };

    pub fn raise() -> bool {
        set(THREAD_PRIORITY_TIME_CRITICAL)
    }

    pub fn lower() {
        // Always allowed.
        set(THREAD_PRIORITY_NORMAL);
    }

    fn set(priority: i32) -> bool {
        // SAFETY: no pointers; the handle means the calling thread and needs no closing.
        unsafe { SetThreadPriority(GetCurrentThread(), priority) != 0 }
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    pub fn raise() -> bool {
        false
    }

    pub fn lower() {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// The scheduling policy of this thread.
    fn policy() -> libc::c_int {
        // SAFETY: 0 means the calling thread.
        unsafe { libc::sched_getscheduler(0) & !libc::SCHED_RESET_ON_FORK }
    }

    #[test]
    fn precedence_ends_with_its_holder_and_is_not_inherited() {
        assert_eq!(policy(), libc::SCHED_OTHER);
        let urgency = Urgency::claim();
        // It may not be allowed here.
        let ours = if urgency.raised { libc::SCHED_FIFO } else { libc::SCHED_OTHER };
        assert_eq!(policy(), ours);
        assert_eq!(std::thread::spawn(policy).join().unwrap(), libc::SCHED_OTHER);
        drop(urgency);
        assert_eq!(policy(), libc::SCHED_OTHER);
    }
}
