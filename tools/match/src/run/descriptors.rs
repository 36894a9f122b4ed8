//! The files that the system lets this process open.

use super::terms::Terms;
#[cfg(unix)]
use crate::players::entrant::Protocol;
use alesia::words::command_error::CommandError;

/// Files of the match itself: standard streams, records, a log, a page.
#[cfg(unix)]
const OWN: u64 = 40;

/// Checks that there are enough for all games that are played at once.
#[cfg(unix)]
pub fn check(terms: &Terms, workers: usize) -> Result<(), CommandError> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is room for the answer.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } != 0 {
        return Ok(());
    }
    let needed = |protocol: &Protocol| match protocol {
        Protocol::Internal { .. } | Protocol::Plain { .. } => 0,
        // Three pipes.
        Protocol::Pipes(..) => 3,
        // Two pipes, and the referee's connections.
        Protocol::Tcp(_) | Protocol::Relay(_) => 9,
        // Its connection, and a listener of its own.
        Protocol::Guest(_) => 6,
    };
    // While a program starts, its ends are open too.
    let starting = |needed: u64| if needed > 0 { needed + 5 } else { 0 };
    let each = starting(terms.entrants.iter().map(|entrant| needed(&entrant.protocol)).sum());
    // Another type on some systems.
    #[allow(clippy::useless_conversion)]
    let allowed = u64::try_from(limit.rlim_cur).unwrap_or(u64::MAX);
    let Some(most) = allowed.saturating_sub(OWN).checked_div(each) else { return Ok(()) };
    if workers as u64 <= most {
        return Ok(());
    }
    Err(CommandError::Failed(format!(
        "-concurrency: found {workers}, expected at most {most}, as the system allows {allowed} \
         open files and a game needs {each} (ulimit -n)"
    )))
}

/// There is no such limit.
#[cfg(not(unix))]
pub fn check(_: &Terms, _: usize) -> Result<(), CommandError> {
    Ok(())
}
