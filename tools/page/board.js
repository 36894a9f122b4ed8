// The board of all four games, drawn as one SVG element and played by mouse, touch or keyboard.
//
//   createBoard(container, rules, {onMove}) → { show(view), focus(), element }
//
// `rules` is a game's Rules of GET /api/rules. `onMove(move)` is called with the Move that a person
// has chosen among view.legal, after the question for the promotion piece if there is one. The board
// changes nothing by itself: it shows what the next view says.
//
//   view = {
//     rows,               ["BBBBBBBB", …] from top to bottom
//     side,               "white" | "black": who is to move
//     legal,              [Move…] that may be played here; [] = not to be played on
//     cells,              [names] to mark as the last move, the cell it left first
//     check,              null | the cell of a king in check
//     arrows,             [{move, weight: 0..1, label: "63 %"}…] from move.from to move.to;
//                         a ring where from is null (Hadron)
//     flipped,            true: Black (Red) at the bottom
//     ply,                optional, the number of plies played (for data-ply)
//   }
//
// The element carries data-game and data-ply, each cell data-cell="G4", a cell that is a target at the
// moment also data-target with the kind of its move, a selected cell aria-selected="true".
