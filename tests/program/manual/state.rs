//! The lines for continuing a game by hand, parsed.

use alesia::game::GameState;
use alesia::games::{AnyGame, AnyState};

/// The state at the end of a command's output.
pub struct State {
    /// The text board.
    pub board: String,
    /// All moves, in the game's notation.
    pub moves: String,
    /// The command that continues; empty where a game is over.
    pub command: String,
    /// Every line of it.
    pub lines: Vec<String>,
}

impl State {
    /// Reads the last state of an output.
    #[track_caller]
    pub fn read(output: &str) -> State {
        let lines: Vec<String> = output.lines().map(|line| line.trim_end().to_owned()).collect();
        let begin = lines.iter().rposition(|line| line.starts_with("board: "));
        let lines = lines[begin.unwrap_or_else(|| panic!("no state: {output}"))..].to_vec();
        let find = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name));
        let value = |name: &str| {
            find(name).unwrap_or_else(|| panic!("no {name}: {output}")).trim().to_owned()
        };
        let [board, moves] = ["board:", "moves:"].map(value);
        let is_over = find("over:").is_some();
        let command = find("continue by hand:").map(|command| command.trim().to_owned());
        let command = command.or(is_over.then(String::new));
        let command = command.unwrap_or_else(|| panic!("no command: {output}"));
        State { board, moves, command, lines }
    }

    /// Whether it has this line.
    pub fn says(&self, line: &str) -> bool {
        self.lines.iter().any(|found| found == line)
    }

    /// The number of moves.
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The game after the moves; the board must be its.
    #[track_caller]
    pub fn game(&self, start: AnyGame) -> AnyState {
        let mut state = GameState::new(start);
        state.play_text(&self.moves).unwrap();
        assert_eq!(state.position.to_string(), self.board);
        state
    }
}
