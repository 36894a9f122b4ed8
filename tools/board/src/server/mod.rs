//! The server of the page: its port, its addresses and its command.
//!
//! The one idea: what stands in the other folders is put together here and nowhere else; so a match
//! and the command `alesia-lab board` show the same page.

mod addresses;
pub mod beside_a_match;
mod browser;
mod command;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread;

use alesia::words::command_error::CommandError;
use axum::extract::DefaultBodyLimit;
use axum::{Extension, middleware};
use tokio::net::TcpListener;

use self::addresses::routes;
pub use self::command::Board;
use crate::door::guard::{self, Guard};
use crate::door::{secrets, serve};
use crate::games::hall::Hall;

/// The port of the page where none is given.
const DEFAULT_PORT: u16 = 8910;

/// A port that is taken for the page.
pub struct Server {
    listener: std::net::TcpListener,
    guard: Guard,
}

impl Server {
    /// Binds a port: the one given, or else the usual one or any free port.
    ///
    /// # Errors
    /// The port cannot be used.
    pub fn open(
        ip: IpAddr,
        port: Option<u16>,
        token: Option<String>,
    ) -> Result<Server, CommandError> {
        let bind = |port| std::net::TcpListener::bind((ip, port));
        let usual = || bind(DEFAULT_PORT).or_else(|_| bind(0));
        let opened = port.map_or_else(usual, bind).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = opened.map_err(|error| {
            let address = SocketAddr::new(ip, port.unwrap_or(DEFAULT_PORT));
            CommandError::Failed(format!("listening on {address}: {error}"))
        })?;
        let token = token.or((!ip.is_loopback()).then(secrets::secret));
        Ok(Server { listener, guard: Guard::new(address, token) })
    }

    /// The same below a path.
    #[must_use]
    pub fn below(self, base: &str) -> Server {
        Server { guard: self.guard.below(base), ..self }
    }

    /// The line that says where the page is.
    pub fn line(&self) -> String {
        format!("the page: {}", self.guard.link())
    }

    /// The address for a browser of this user: none where it would have the token in it, which
    /// other users could see in the list of processes.
    fn open_address(&self) -> Option<String> {
        (!self.guard.has_token()).then(|| self.guard.link())
    }

    /// Serves the page for ever.
    ///
    /// # Errors
    /// The system refuses a thread or a socket.
    pub fn serve(self, hall: &Arc<Hall>) -> Result<(), CommandError> {
        let line = self.line();
        let failed = |error| CommandError::Failed(format!("{line}: {error}"));
        let (listener, guard) = (self.listener, Arc::new(self.guard));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let serving = runtime.map(|runtime| {
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener)?;
                let keeper = hall.clone();
                tokio::spawn(async move { keeper.keep().await });
                let check = middleware::from_fn_with_state(guard.clone(), guard::check);
                // The guard has read everything already, and no more than it allows.
                let unlimited = DefaultBodyLimit::disable();
                let router = routes().layer(unlimited).layer(Extension(guard.clone())).layer(check);
                let router = router.with_state(hall.clone());
                match serve::serve(listener, router, guard.base()).await {}
            })
        });
        serving.flatten().map_err(failed)
    }

    /// The same in the background, until the process ends.
    pub fn in_background(self, hall: &Arc<Hall>) {
        let hall = hall.clone();
        let serving = move || {
            if let Err(error) = self.serve(&hall) {
                log::error!("{error}");
            }
        };
        if let Err(error) = thread::Builder::new().spawn(serving) {
            log::error!("the page is not there, as the system gives it no thread: {error}");
        }
    }
}
