//! The queries of the games for evaluation and search beyond the trait, against moves and boards.

use alesia::game::{Ending, Game, GameState, MoveList, Side};
use alesia::games::loa::Layout;
use alesia::games::voidrider::{Description, Kind};
use alesia::games::{Hadron, Loa, Murus, Voidrider};

/// Shows every position of seeded random games with its legal moves.
fn each_position<G: Game>(start: G, mut show: impl FnMut(&G, &MoveList)) {
    let mut moves = MoveList::new();
    for seed in 0..100 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        while state.ending().is_none() {
            state.position.moves(&mut moves);
            show(&state.position, &moves);
            state.play(moves[rng.usize(..moves.len())]);
        }
    }
}

/// The text board with the other side to move.
fn other_side<G: Game>(position: &G) -> G {
    let text = position.to_string();
    let fields = if text.contains(" w ") { [" w ", " b "] } else { [" b ", " w "] };
    position.parse_board(&text.replace(fields[0], fields[1])).expect("the same board is valid")
}

fn letters(position: &impl Game, letters: &str) -> usize {
    position.rows().to_string().chars().filter(|&c| letters.contains(c)).count()
}

#[test]
fn murus_knows_whether_it_can_reach_home() {
    let mut reaching = 0;
    each_position(Murus::start(), |position, moves| {
        let wins = |&m| {
            let after = position.after(m);
            after.won() == Some(Ending::win(position.side(), Murus::HOME_ROW))
        };
        let can = moves.iter().any(wins);
        assert_eq!(position.can_reach_home(), can, "{position}");
        reaching += usize::from(can);
    });
    assert!(reaching > 0);
}

#[test]
fn murus_knows_sacrifices() {
    each_position(Murus::start(), |position, moves| {
        let enemy = if position.side() == Side::White { "bB" } else { "wW" };
        for &m in moves {
            let after = position.after(m);
            let taken = letters(&after, enemy) < letters(position, enemy);
            assert_eq!(position.is_sacrifice(m), taken, "{} at {position}", position.notation(m));
        }
    });
}

#[test]
fn murus_with_the_other_side_to_move() {
    each_position(Murus::start(), |position, _| {
        assert_eq!(position.with_side(!position.side()), other_side(position));
        assert_eq!(position.with_side(!position.side()).key(), other_side(position).key());
        assert_eq!(position.with_side(position.side()), *position);
    });
}

#[test]
fn murus_walls_and_towers() {
    each_position(Murus::start(), |position, _| {
        let counted = [Side::White, Side::Black]
            .map(|side| [position.walls(side).count_ones(), position.towers(side).count_ones()]);
        let written =
            [["w", "W"], ["b", "B"]].map(|side| side.map(|c| letters(position, c) as u32));
        assert_eq!(counted, written, "{position}");
    });
}

#[test]
fn hadron_legal_and_empty_cells() {
    each_position(Hadron::start(9, 9), |position, moves| {
        assert_eq!(position.legal().count_ones() as usize, moves.len(), "{position}");
        assert_eq!(position.empty().count_ones() as usize, letters(position, "."), "{position}");
        assert_eq!(position.legal() & !position.empty(), 0, "{position}");
    });
}

#[test]
fn loa_mobility_of_either_side() {
    each_position(Loa::start(Layout::Rows), |position, moves| {
        let side = position.side();
        assert_eq!(position.reach(side).moves as usize, moves.len(), "{position}");
        let other = other_side(position).count_moves();
        assert_eq!(position.reach(!side).moves as usize, other, "{position}");
    });
}

#[test]
fn voidrider_kinds_moved_captured_and_promoted() {
    let letter = |kind| match kind {
        Kind::Pawn => 'P',
        Kind::Knight => 'N',
        Kind::Bishop => 'B',
        Kind::Rook => 'R',
        Kind::Voidrider => 'V',
        Kind::King => 'K',
    };
    each_position(Voidrider::start(), |position, moves| {
        let rows = position.rows().to_string().to_ascii_uppercase();
        for &m in moves {
            let name = position.notation(m).to_string();
            let name = name.as_bytes();
            let at = |file: u8, rank: u8| {
                char::from(rows.as_bytes()[(b'9' - rank) as usize * 8 + (file - b'a') as usize])
            };
            let Description { moved, captured, promoted, .. } = position.describe(m);
            assert_eq!(letter(moved), at(name[0], name[1]), "{position}");
            let target = Some(at(name[3], name[4])).filter(char::is_ascii_alphabetic);
            assert_eq!(captured.map(letter), target, "{position}");
            assert_eq!(promoted.map(letter), name.get(6).map(|&c| char::from(c)), "{position}");
        }
    });
}

#[test]
fn voidrider_knows_from_where_a_piece_gives_check() {
    let mut checks = [0; 6];
    each_position(Voidrider::start(), |position, moves| {
        let checking = position.checking_cells();
        for &m in moves {
            let Description { to, moved, promoted, .. } = position.describe(m);
            let placed = promoted.unwrap_or(moved);
            if checking[placed as usize] >> to & 1 != 0 {
                let after = position.after(m);
                assert!(after.in_check(), "{position}: {}", position.notation(m));
                checks[placed as usize] += 1;
            }
        }
    });
    assert!(checks[..Kind::King as usize].iter().all(|&count| count > 0), "{checks:?}");
    assert_eq!(checks[Kind::King as usize], 0);
}
