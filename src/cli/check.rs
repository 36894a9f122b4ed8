//! `alesia check`: replays recorded games and compares them with the rules.

use std::fs::File;
use std::io::{self, Read, Write, stdout};
use std::path::PathBuf;

use alesia::game::check::check;
use alesia::games::{AnyGame, GameSpec};
use clap::Args;

use super::options::LayoutOption;
use alesia::words::command_error::CommandError;

/// Max bytes of a file: more positions than anybody has recorded.
const MAX_FILE: u64 = 1 << 30;

/// The arguments of `alesia check`.
#[derive(Args)]
pub struct Check {
    /// Game.
    #[arg(value_parser = GameSpec::open)]
    game: GameSpec,
    /// File of positions, tab-separated.
    ///
    /// Lines of a game: `GAME n`; for each position its ply, side, rows, legal moves (sorted) and
    /// the move played; `END`, plies, result (`w`, `b`, `d`, or `-` of a stopped game), final rows.
    /// A full text board may stand for the rows.
    file: PathBuf,
    #[command(flatten)]
    layout: LayoutOption,
}

impl Check {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.layout.check(self.game)?;
        let file = self.file.display();
        let failed = |reason: String| CommandError::Failed(format!("{file}: {reason}"));
        let bytes = self.bytes().map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(failed("found more than 1 GiB, expected no more".to_owned()));
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut out = stdout().lock();
        let mut written = Ok(());
        let start = AnyGame::start(self.layout.apply(self.game));
        let summary = check(start, &text, &mut |mismatch| {
            if written.is_ok() {
                written = writeln!(out, "{mismatch}");
            }
        });
        let summary = summary.map_err(|error| failed(error.to_string()))?;
        written?;
        writeln!(out, "{summary}")?;
        if summary.mismatches > 0 {
            return Err(failed(format!("{} mismatches", summary.mismatches)));
        }
        Ok(())
    }

    /// What the file has, or a byte more than it may have.
    fn bytes(&self) -> io::Result<Vec<u8>> {
        let file = File::open(&self.file)?;
        // A device has no end.
        #[cfg(unix)]
        if std::os::unix::fs::FileTypeExt::is_char_device(&file.metadata()?.file_type()) {
            return Err(io::Error::other("found a device, expected a file"));
        }
        let mut bytes = Vec::new();
        file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
