//! The command `alesia-lab board`.

use std::env;
use std::io::{Write, stderr, stdin, stdout};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alesia::search::size::Size;
use alesia::words::command_error::CommandError;
use alesia_match::words::logging;
use clap::Args;

use super::{Server, browser};
use crate::door::guard;
use crate::engines::mind::{self, Minds};
use crate::games::feed;
use crate::games::games_folder::GamesFolder;
use crate::games::hall::Hall;

/// The environment variable with the token.
const TOKEN_VARIABLE: &str = "ALESIA_TOKEN";

/// The arguments of `alesia-lab board`.
#[derive(Args)]
#[command(after_help = alesia::net::feed::FORMAT)]
pub struct Board {
    /// Port of the page; 0: any free port [default: 8910, else any free port].
    #[arg(short, long, value_name = "PORT", help_heading = "Network")]
    port: Option<u16>,
    /// Address to listen on; if it is not loopback, browsers must send the printed token.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
          help_heading = "Network")]
    bind: IpAddr,
    /// Token that a browser must send [default: a new one, if --bind is not loopback]. Other users
    /// of this machine can see it in the list of processes: --token-file or the environment
    /// variable ALESIA_TOKEN hide it from them.
    #[arg(long, value_name = "TOKEN", value_parser = guard::token, help_heading = "Network")]
    token: Option<String>,
    /// File whose only line is the token.
    #[arg(long, value_name = "FILE", conflicts_with = "token", help_heading = "Network")]
    token_file: Option<PathBuf>,
    /// Path below which a proxy shows the page, such as /alesia.
    #[arg(long, value_name = "PATH", value_parser = guard::base, default_value = "/",
          help_heading = "Network")]
    base: String,
    /// Prints the address alone. Otherwise a browser is opened where the program runs in a terminal
    /// on a desktop, and the page needs no token.
    #[arg(long, help_heading = "Network")]
    no_open: bool,
    /// Folder that keeps the games, so that they outlive a restart [default: none].
    #[arg(long, value_name = "DIR", conflicts_with = "feed")]
    data: Option<PathBuf>,
    /// Memory of each engine that plays; an analysis uses twice as much.
    #[arg(long, value_name = "SIZE", default_value = mind::USUAL_MEMORY, help_heading = "Engine")]
    memory: Size,
    /// Shows the games that a referee reports on standard input (see below).
    #[arg(long, help_heading = "Feed")]
    feed: bool,
    /// Seconds that the page stays after the end of the feed while nobody has it open.
    #[arg(long, value_name = "S", default_value_t = 60, requires = "feed", help_heading = "Feed")]
    linger: u64,
}

impl Board {
    pub fn run(&self) -> Result<(), CommandError> {
        logging::start(None)?;
        let token = self.token()?;
        let hall = Arc::new(Hall::with_engines(Minds::new(self.memory)));
        if let Some(folder) = &self.data {
            let opened = GamesFolder::open(folder, &hall.definitions);
            let (saved, games) = opened.map_err(|error| {
                CommandError::Failed(format!("--data {}: {error}", folder.display()))
            })?;
            hall.keep_in(saved, games)?;
        }
        // Whoever connects is answered: the games have been read.
        let server = Server::open(self.bind, self.port, token)?.below(&self.base);
        if !self.feed {
            writeln!(stdout(), "{}", server.line())?;
            // The port is taken already, so that the browser can connect.
            if let Some(address) = server.open_address()
                && !self.no_open
                && browser::is_at_hand()
            {
                browser::open(&address);
            }
            return server.serve(&hall);
        }
        // Standard output is the referee's.
        let _ = writeln!(stderr(), "{}", server.line());
        server.in_background(&hall);
        feed::follow(&hall, stdin().lock());
        hall.stay(Duration::from_secs(self.linger), None);
        Ok(())
    }

    /// The token that was chosen: by an option, or else by the environment.
    fn token(&self) -> Result<Option<String>, CommandError> {
        if self.token.is_some() {
            return Ok(self.token.clone());
        }
        if let Some(file) = &self.token_file {
            let place = format!("--token-file: {}", file.display());
            return guard::token_in(file)
                .map(Some)
                .map_err(|error| CommandError::Usage(format!("{place}: {error}")));
        }
        let Some(chosen) = env::var_os(TOKEN_VARIABLE).filter(|chosen| !chosen.is_empty()) else {
            return Ok(None);
        };
        let token = guard::token(&chosen.to_string_lossy());
        token.map(Some).map_err(|error| CommandError::Usage(format!("{TOKEN_VARIABLE}: {error}")))
    }
}
