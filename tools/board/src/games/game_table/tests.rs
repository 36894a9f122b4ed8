use alesia::game::Outcome;
use serde_json::json;

use super::*;

fn table(moves: &str) -> GameTable {
    let seat = GameSeat { kind: Sitter::Person, name: "A".into(), engine: None, ms: None };
    let line =
        GameLine { board: None, moves: moves.split_whitespace().map(str::to_owned).collect() };
    let game = "hadron3".parse().unwrap();
    let seats = [seat.clone(), seat];
    GameTable::new("x".into(), game, Source::Board, String::new(), seats, line).unwrap()
}

#[test]
fn moves_are_played_by_the_rules_or_not_at_all() {
    let mut table = table("B1");
    assert!(table.play("B2", None, None).is_err());
    assert_eq!((table.ply(), table.length(), table.side()), (1, 1, Side::Black));
    table.play("a3", None, None).unwrap();
    assert_eq!(table.line().moves, ["B1", "A3"]);
    table.play("C2", None, None).unwrap();
    assert_eq!(table.result().unwrap().text, "White (no legal move)");
    let error = table.play("C3", None, None).unwrap_err();
    assert!(error.message().contains("the game is over: White (no legal move)"), "{error:?}");
}

#[test]
fn a_thought_is_shown_with_its_move_whichever_comes_first() {
    let report = |nodes| ReportView { nodes: Some(nodes), ..ReportView::default() };
    let nodes = |table: &GameTable, number: usize| table.moves[number].report.as_ref()?.nodes;
    // Several moves of a side may be ahead.
    let mut behind = self::table("");
    for ply in [0, 2] {
        assert!(behind.think(Side::White, ply, report(ply as u64 + 1)).unwrap().is_none());
    }
    for text in ["B1", "A3", "C2"] {
        behind.play(text, None, None).unwrap();
    }
    assert_eq!([0, 1, 2].map(|number| nodes(&behind, number)), [Some(1), None, Some(3)]);
    let mut table = table("B1");
    assert!(table.think(Side::White, 0, report(1)).unwrap().is_some());
    assert_eq!(nodes(&table, 0), Some(1));
    // The page may hear of moves later than the players.
    assert!(table.think(Side::White, 2, report(3)).unwrap().is_none());
    assert!(table.think(Side::Black, 1, report(2)).unwrap().is_none());
    assert!(table.think(Side::White, 1, report(9)).is_err(), "a move of Black");
    for text in ["A3", "C2"] {
        table.play(text, None, None).unwrap();
    }
    assert_eq!([nodes(&table, 1), nodes(&table, 2)], [Some(2), Some(3)]);
    assert!(table.think(Side::Black, 3, report(4)).is_err(), "the game is over");
}

#[test]
fn taking_back_removes_moves_and_the_end() {
    let mut table = table("B1 A3 C2");
    table.take_back(1).unwrap();
    assert_eq!((table.length(), table.side()), (1, Side::Black));
    assert!(table.result().is_none() && !table.now.legal.is_empty());
    table.play("A3", None, None).unwrap();
}

#[test]
fn a_flag_that_falls_loses_and_a_move_taken_back_gives_its_time_back() {
    let bank = serde_json::from_str(r#"{ "base": 1000, "increment": 500 }"#).ok();
    let mut table = GameTable { bank, ..table("") };
    assert!(table.drop_flag().unwrap().is_none(), "its clock does not run");
    table.begin();
    table.play("B1", Some(Duration::from_millis(900)), None).unwrap();
    assert_eq!(table.clock()["left"], json!({ "white": 600.0, "black": 1000.0 }));
    table.take_back(0).unwrap();
    assert_eq!(table.clock()["left"]["white"], 1000.0);
    assert!(table.drop_flag().unwrap().is_none());
    table.running = Some(Instant::now() - Duration::from_millis(1001));
    assert!(table.drop_flag().unwrap().is_some());
    assert_eq!(table.result().unwrap().text, "Black (White ran out of time)");
    assert!(table.play("B1", None, None).is_err() && table.drop_flag().unwrap().is_none());
}

#[test]
fn a_result_from_elsewhere_ends_an_open_game() {
    let mut open = table("B1");
    open.end(Outcome::Win(Side::White), "Black resigned").unwrap();
    assert_eq!(open.result().unwrap().text, "White (Black resigned)");
    assert!(open.now.legal.is_empty() && open.play("A3", None, None).is_err());
    let mut over = table("B1 A3 C2");
    over.end(Outcome::Win(Side::Black), "White disconnected").unwrap();
    assert_eq!(over.result().unwrap().text, "White (no legal move)");
}
