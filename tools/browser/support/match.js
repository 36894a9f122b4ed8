// The page of a match that was never played, for the tests that need one.

/** How a match stands after some pairs, as the server publishes it; Elo is known from the sixth pair on. */
function standingOf(pairs) {
  const curve = Array.from({ length: pairs }, (_, k) => {
    const known = k >= 5;
    return { games: 2 * k + 2, elo: known ? 40 - k : null, error: known ? 400 / (k + 1) : null, llr: 0.1 * k - 0.4 };
  });
  const player = { points: 2 * pairs, games: 2 * pairs, won: pairs, drawn: 0, lost: pairs, late: 0, illegal: 0, crashed: 0, elo: 3, error: 8 };
  return {
    kind: "match",
    title: "Tree – Chance",
    game: "hadron4",
    played: 2 * pairs,
    of: 100,
    players: ["Tree", "Chance"].map((name, k) => ({ ...player, name, rank: k + 1 })),
    pairs: [1, 2, 3, 4, 5],
    first: "Tree",
    curve,
    sprt: { llr: curve.at(-1).llr, lower: -2.94, upper: 2.94, elo0: 0, elo1: 10, verdict: null },
    void: false,
    games: [],
  };
}

/** Opens the page of that match. */
export async function openMatch(person, pairs) {
  const event = (standing) => `event: standings\ndata: ${JSON.stringify(standing)}\n\n`;
  const body = `retry: 3600000\n${event(standingOf(pairs - 1))}${event(standingOf(pairs))}`;
  await person.page.route("**/api/standings/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await person.open("/standings");
  await person.page.locator(".match-curves .graph-line").first().waitFor();
}
