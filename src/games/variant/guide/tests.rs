//! What a page says of keys that are rare, in both languages.

use super::page;
use crate::games::language::Language;
use crate::games::variant::load;

/// The pages of a section in all languages, one after the other.
fn pages(section: &str) -> String {
    let chosen = load("pages.ini", section.to_owned()).unwrap();
    Language::ALL.map(|language| page(chosen[0].rules(), language)).concat()
}

macro_rules! pages {
    ($($name:ident: $section:literal says $said:expr, not $unsaid:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let pages = pages($section);
                let (said, unsaid): (&[&str], &[&str]) = (&$said, &$unsaid);
                for text in said {
                    assert!(pages.contains(text), "not said: {text}\n{pages}");
                }
                for text in unsaid {
                    assert!(!pages.contains(text), "said: {text}\n{pages}");
                }
            }
        )*
    };
}

pages! {
    quiet_moves: "[x:chess]\n" says [
        "50 moves of each side without a capture or a move of `p` are a draw",
        "50 mosse di ciascuno senza una cattura o una mossa di `p` danno la patta",
    ], not [];
    quiet_moves_without_pawns: "[x:racingkings]\n" says [
        "50 moves of each side without a capture are a draw",
        "50 mosse di ciascuno senza una cattura danno la patta",
    ], not ["a move of", "una mossa di "];
    extinction: "[x:extinction]\n" says [
        "Who has no `b`, or no `k`, or no `n`, or no `p`, or no `q`, or no `r` left loses;",
        "Chi non ha nessun `b`, o nessun `k`, o nessun `n`, o nessun `p`, o nessun `q`, \
         o nessun `r` perde;",
    ], not [];
    extinction_of_some: "[x:extinction]\nextinctionPieceTypes = nb\nextinctionPieceCount = 1\n"
    says [
        "Who has at most 1 `b`, or at most 1 `n` left loses;",
        "Chi ha al massimo 1 `b`, o al massimo 1 `n` perde;",
    ], not [];
    extinction_of_all: "[x:extinction]\nextinctionPieceTypes = *\nextinctionPieceCount = 2\n"
    says [
        "Who has at most 2 pieces left loses;",
        "Chi ha al massimo 2 pezzi perde;",
    ], not [];
    checks_that_win: "[x:3check]\n" says [
        "**Goal:** give the number of checks that wins.",
        "Checks that win: 3 by White, 3 by Black.",
        "Scacchi che vincono: 3 del Bianco, 3 del Nero.",
    ], not [];
    captures_that_explode: "[x:atomic]\n" says [
        "every piece but `p` on the squares around it",
        "After a move the last `k` of the side that has moved must not be attacked",
        "Who is in check and cannot move loses",
        "ogni pezzo tranne `p` sulle case intorno",
    ], not ["so no check"];
    passes: "[x:chess]\npassOnStalemate = true\n" says [
        "Who cannot move, and is not in check, passes", "Two passes, one after the other, are a draw",
        "Due passi di seguito danno la patta",
    ], not [];
    several_flags: "[x:kingofthehill]\nflagPiece = n\nflagPieceCount = 2\n" says [
        "**Goal:** bring 2 pieces `n` to its region", "portare 2 pezzi `n`",
    ], not [];
    castling_of_a_king: "[x:chess]\n" says [
        "White castles with the king e1-g1 and the rook h1-f1",
        "Bianco arrocca con il re e1-g1 e la torre h1-f1",
    ], not [];
    castling_of_a_commoner: "[x:extinction]\n" says [
        "White castles with `k` e1-g1 and the rook h1-f1",
        "Bianco arrocca con `k` e1-g1 e la torre h1-f1",
    ], not ["the king", "il re"];
    castling_with_another_rook: "[x:chess]\nwazir = w\ncastlingRookPieces = rw\n\
        startFen = wnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n" says [
        "Black castles with the king e8-g8 and the rook h8-f8",
        "Black castles with the king e8-c8 and `w` a8-d8",
        "Nero arrocca con il re e8-c8 e `w` a8-d8",
    ], not [];
    no_moves: "[x:chess]\n" says [
        "Who cannot move, and is not in check, has a draw",
        "Chi non può muovere, e non è sotto scacco, pareggia",
    ], not [];
    no_moves_without_a_king: "[x:breakthrough]\n" says [
        "Who cannot move loses", "Chi non può muovere perde",
    ], not ["not in check", "non è sotto scacco"];
    pawns: "[x:chess]\n" says [
        "captures only 1 diagonally forward, also en passant; moves only 2 forward, if the \
         squares between are empty, only from the double step region |",
        "anche en passant; muove soltanto 2 in avanti",
    ], not [];
    pawns_without_a_double_step: "[x:voidrider]\n" says [
        "| moves only 1 forward; captures only 1 diagonally forward |",
        "| muove soltanto 1 in avanti; cattura soltanto 1 in diagonale in avanti |",
        "`p` has no double step", "`p` non ha il passo doppio",
    ], not ["en passant", "double step region", "zona del passo doppio"];
    pawns_that_leap_over_nothing: "[x:chess]\npawn = -\ncustomPiece1 = p:fmWfceFifmN\n\
        pawnTypes = p\n" says ["only from the double step region"], not [
        "en passant",
    ];
    no_cells_of_captures_en_passant: "[x:chess]\nenPassantRegion = -\n" says [
        "only from the double step region",
    ], not ["en passant"];
    no_pawns_for_captures_en_passant: "[x:chess]\npawn = -\ncustomPiece1 = p:fmWfceFifmnD\n\
        pawnTypes = -\npromotionPawnTypes = p\n" says [
        "only from the double step region",
    ], not ["en passant"];
    pieces_whose_leap_is_captured_en_passant: "[x:chess]\ncustomPiece1 = s:WifmD\n\
        startFen = 4k3/4p3/8/8/8/8/4S3/4K3 w - - 0 1\n" says ["also en passant"], not [];
    pieces_of_first_moves_alone: "[x:chess]\ndoubleStep = false\ncustomPiece1 = x:iN\n" says [
        "| does not move |", "| non muove |",
    ], not [];
    space_moves_from_afar: "[x:voidrider]\n" says [
        "`v` crosses any number of cells that are no squares; along a rank or file also with its \
         own square",
        "`v` attraversa quante celle vuole che non sono case; lungo una traversa o una colonna \
         anche con la propria casa",
    ], not [];
    riders_of_a_void_that_stays: "[x]\nking = k\n\
        customPiece1 = v:K\nstartFen = k2*4/8/8/8/8/8/8/K2V4 w - - 0 1\nvoidRiders = v\n" says [
        "`v` crosses any number of cells that are no squares.",
        "`v` attraversa quante celle vuole che non sono case.",
    ], not ["own square", "propria casa"];
    pawns_that_leave_their_squares: "[x:voidrider]\npawnVoidMoves = -\n" says [
        "`p` does not do so.", "`p` non lo fa.",
    ], not [];
    promotion_of_one_side: "[x:chess]\npromotionPieceTypes = -\npromotionPieceTypesWhite = q\n"
    says [
        "`p` is promoted where it arrives (White: rank 8), to one of White: `q`.",
        "`p` may not enter: Black: rank 1.",
        "`p` è promosso dove arriva (Bianco: traversa 8), a uno di Bianco: `q`.",
        "`p` non può entrare in: Nero: traversa 1.",
    ], not ["Black: ."];
    promotion_nowhere: "[x:chess]\npromotionRegionWhite = -\npromotionRegionBlack = -\n"
    says ["`p` is never promoted.", "`p` non è mai promosso."], not ["()"];
    goal_of_chess: "[x:chess]\n" says [
        "**Goal:** attack the opponent's king so that it cannot escape.",
    ], not [];
    goal_where_who_is_mated_wins: "[x:chess]\ncheckmateValue = win\n" says [
        "**Goal:** have your own king attacked so that it cannot escape.",
        "**Scopo:** avere il proprio re attaccato in modo che non possa fuggire.",
    ], not [];
    goal_where_mate_is_a_draw: "[x:chess]\ncheckmateValue = draw\nstalemateValue = loss\n" says [
        "**Goal:** leave the opponent without a move.",
        "**Scopo:** lasciare l'avversario senza mosse.",
    ], not [];
    goal_without_a_king: "[x:breakthrough]\nflagPiece = -\nflagRegionWhite = -\n\
        flagRegionBlack = -\nstalemateValue = win\n" says [
        "**Goal:** have no move left.", "**Scopo:** restare senza mosse.",
    ], not [];
    goal_of_repetition: "[x:chess]\ncheckmateValue = draw\nnFoldValue = loss\n" says [
        "**Goal:** make the move that repeats a position.",
        "**Scopo:** fare la mossa che ripete una posizione.",
    ], not [];
    goal_of_the_others_repetition: "[x:chess]\ncheckmateValue = draw\nnFoldValue = win\n" says [
        "**Goal:** make the opponent repeat a position.",
        "**Scopo:** costringere l'avversario a ripetere una posizione.",
    ], not [];
    no_goal: "[x:chess]\ncheckmateValue = draw\n" says [
        "**Goal:** none, as every end is a draw.",
        "**Scopo:** nessuno, perché ogni fine è patta.",
    ], not [];
    goal_where_no_check_is_given: "[x:chess]\nchecking = false\nstalemateValue = loss\n" says [
        "**Goal:** leave the opponent without a move.",
    ], not [];
    goal_of_extinction: "[x:extinction]\n" says [
        "**Goal:** capture the opponent's pieces.", "**Scopo:** catturare i pezzi avversari.",
    ], not [];
    goal_where_extinction_wins: "[x:extinction]\nextinctionValue = win\n" says [
        "**Goal:** lose your own pieces.", "**Scopo:** perdere i propri pezzi.",
    ], not [];
    goal_where_extinction_is_a_draw: "[x:extinction]\nextinctionValue = draw\n\
        stalemateValue = loss\n" says ["**Goal:** leave the opponent without a move."], not [];
    goal_beside_a_draw_by_extinction: "[x:chess]\nextinctionValue = draw\n\
        extinctionPieceTypes = q\n" says [
        "**Goal:** attack the opponent's king so that it cannot escape.",
    ], not [];
}
