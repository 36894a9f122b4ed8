// Animates the step from one position to the next: pieces, and in Voidrider Chess squares, slide
// from their old place. The animation follows from the changes; a jump in the game is not animated.

import { isVoid, pieceOf } from "./words.js";

const TIME = { duration: 190, easing: "ease-out" };

export function slidePieces(game, names, before, after, cells, origin) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const at = (rows, name) => rows[cells.get(name).row][cells.get(name).column];
  const changed = names.filter((name) => at(before, name) !== at(after, name));
  if (changed.length > 4) return;
  const side = (letter) => pieceOf(game, letter)?.side;
  const left = changed.filter((name) => pieceOf(game, at(before, name)) && side(at(before, name)) !== side(at(after, name)));
  for (const name of changed) {
    const { piece, tile } = cells.get(name);
    const mine = left.filter((other) => side(at(before, other)) === side(at(after, name)));
    const from = mine.find((other) => at(before, other) === at(after, name)) ?? (mine.length === 1 ? mine[0] : null);
    // A wall that becomes a tower was there before: only a stone came.
    if (!piece || side(at(before, name)) === side(at(after, name))) continue;
    if (!from) {
      if (!pieceOf(game, at(before, name))) piece.animate([{ opacity: 0 }, { opacity: 1 }], TIME);
      continue;
    }
    const [x, y] = origin(name);
    const [fromX, fromY] = origin(from);
    const way = (endX, endY) => `translate(${endX}px, ${endY}px)`;
    piece.animate([{ transform: way(fromX, fromY) }, { transform: way(x, y) }], TIME);
    if (isVoid(at(before, name)) && !isVoid(at(after, name))) tile.animate([{ transform: way(fromX - x, fromY - y) }, { transform: way(0, 0) }], TIME);
  }
}
