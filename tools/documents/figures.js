// The figures of a hand-in, from docs/experiments.csv as it is now.
//
// The one idea: a cell of its table is all matches against alpha-beta that the newest measured
// weights of a game played in one setting, added up; a figure in the text names its row's commit.

/** How rows of the games begin in the documents. */
const GAMES = {
  "Murus Gallicus": "murus",
  Hadron: "hadron",
  "Lines of Action": "loa",
  "Voidrider Chess": "voidrider",
  "Il cavaliere del vuoto": "voidrider",
};

/** How the settings of both columns begin. */
const SETTINGS = ["100 ms a move, 1 thread;", "1 s a move, 2 threads"];

const WORDS = {
  weights: { games: (n) => `of ${n} games`, decimal: ".", older: "older than today's" },
  pesi: { games: (n) => `di ${n} partite`, decimal: ",", older: "più vecchi di quelli di oggi" },
};

/** The rows of a CSV file as objects; fields may be quoted. */
function rowsOf(text) {
  const fields = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
  const [head, ...lines] = text.trimEnd().split("\n").map(fields);
  return lines.map((line) => Object.fromEntries(head.map((name, k) => [name, line[k]])));
}

/** The points in percent and the games of the matches of some weights in a setting, or null. */
function played(experiments, game, weights, setting) {
  const isOne = (row) =>
    row.game === game && row.weights === weights && row.what.startsWith("mcts") && row.against === "alphabeta" &&
    row.setting.startsWith(setting) && !row.setting.includes("balanced") && row.kept === "n.a.";
  const matches = experiments.filter(isOne);
  const games = matches.reduce((sum, row) => sum + Number(row.games), 0);
  const points = matches.reduce((sum, row) => sum + Number(row.games) * Number(row.score), 0);
  return games ? { games, share: points / games } : null;
}

/** The cells of a game: the points in both settings, and the weights. */
function cells(name, words, experiments, history) {
  const game = GAMES[name];
  const commits = history.filter((row) => row.game === game).map((row) => row.commit);
  const measured = (commit) => SETTINGS.map((setting) => played(experiments, game, commit, setting));
  const weights = commits.findLast((commit) => measured(commit).every(Boolean));
  if (!weights) throw new Error(`docs/experiments.csv: no matches of ${name} against alpha-beta`);
  const share = ({ share, games }) => `${share.toFixed(1).replace(".", words.decimal)} % ${words.games(games)}`;
  const age = weights === commits.at(-1) ? "" : `, ${words.older}`;
  return [...measured(weights).map(share), `\`${weights}\`${age}`];
}

/** Fails where a figure such as `120 ± 54 in Murus Gallicus (223ee5b)` is no row. */
function check(text, file, experiments) {
  for (const [, elo, error, commit] of text.matchAll(/(-?\d+) ± (\d+)[^()±]*\(([0-9a-f]{7})\)/g)) {
    const isIt = (row) => row.commit === commit && Math.round(row.elo) === Number(elo) && Math.round(row.error) === Number(error);
    if (!experiments.some(isIt)) throw new Error(`${file}: found ${elo} ± ${error} (${commit}), expected a row of docs/experiments.csv`);
  }
}

/** The text of a hand-in with its table drawn anew and its other figures checked; `read` reads a file. */
export function withFigures(text, file, read) {
  const experiments = rowsOf(read("docs/experiments.csv"));
  const history = rowsOf(read("docs/weights.csv"));
  check(text, file, experiments);
  const table = /^\|.*\| (weights|pesi) \|\n\|[-|]+\|\n((?:\|.*\n)+)/m;
  const found = text.match(table);
  if (!found) throw new Error(`${file}: expected a table whose last column is weights`);
  const words = WORDS[found[1]];
  const rows = found[2].trimEnd().split("\n").map((row) => {
    const name = row.split("|")[1].trim();
    return `| ${[name, ...cells(name, words, experiments, history)].join(" | ")} |\n`;
  });
  return text.replace(found[2], () => rows.join(""));
}
