//! Ctrl-C, the requests to end, and the signals that must not end a game.

/// The exit status of a run that was interrupted: 128 and the signal's number, by convention.
pub const INTERRUPTED: i32 = 130;

/// From now on the handler is called at Ctrl-C, at a request to terminate and at a hang-up. A
/// program that was started to outlive its terminal (`nohup`) still does.
///
/// # Errors
/// The system's, and where a handler was set before.
pub fn on_interruption(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    hangups::kept_as_they_are(|| ctrlc::set_handler(handler))
}

/// From now on a write beyond the limit of file sizes (`ulimit -f`) is an error, as on a full disk,
/// and does not end the program. To be called first of all.
pub fn outlive_file_size_limits() {
    #[cfg(unix)]
    {
        extern "C" fn pass(_: libc::c_int) {}
        let handler = pass as extern "C" fn(libc::c_int);
        // A handler, as programs that we start would inherit that the signal is ignored.
        // SAFETY: the handler does nothing, so it may run anywhere.
        unsafe { libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t) };
    }
}

#[cfg(unix)]
mod hangups {
    /// Runs an action that sets signal handlers; a hang-up that was ignored is so afterwards.
    pub fn kept_as_they_are<T>(action: impl FnOnce() -> T) -> T {
        // SAFETY: all zeros are a valid value, which the call replaces.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: no new handler is given, and there is room for the present one.
        let known =
            unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut before) } == 0;
        let result = action();
        if known && before.sa_sigaction == libc::SIG_IGN {
            // SAFETY: no handler of ours runs.
            unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
        }
        result
    }
}

#[cfg(not(unix))]
mod hangups {
    /// Runs the action.
    pub fn kept_as_they_are<T>(action: impl FnOnce() -> T) -> T {
        action()
    }
}
