//! Threads that a clock waits for run before all others, where the system lets them.
//!
//! The one idea: such a thread sleeps nearly all the time, and when its moment comes it has some
//! microseconds to work; on a machine with other things to do it may still wait many milliseconds
//! for its turn. Windows lets any program give a thread precedence; Linux lets those whom its
//! administrator trusts (`CAP_SYS_NICE`, or `rtprio` in `/etc/security/limits.conf`). With four
//! busy processes on two cores, moves then left at most 0.9 ms after their time, else up to 5.0 ms
//! (`alesia-lab stress deadline --load cpu --busy 4 --move-time 100`).

use std::marker::PhantomData;

/// Precedence for the thread that holds this.
pub struct Urgency {
    raised: bool,
    /// It belongs to one thread.
    _not_send: PhantomData<*const ()>,
}

impl Urgency {
    /// Gives this thread precedence, until the result is dropped, where that is allowed. Threads
    /// that it starts meanwhile have none.
    pub fn claim() -> Urgency {
        let raised = system::raise();
        if !raised {
            log::info!("no precedence for the thread that keeps the time: not allowed here");
        }
        Urgency { raised, _not_send: PhantomData }
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
    /// Real time, first come first served; what this thread starts is ordinary again.
    pub fn raise() -> bool {
        set(libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK, 1)
    }

    pub fn lower() {
        // Always allowed, as long as the flag stays.
        set(libc::SCHED_OTHER | libc::SCHED_RESET_ON_FORK, 0);
    }

    fn set(policy: libc::c_int, priority: libc::c_int) -> bool {
        // SAFETY: plain numbers, of which all zeros are valid ones; some systems have more of them.
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
