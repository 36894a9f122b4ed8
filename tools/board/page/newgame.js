// The form for a new game, and quick games; the last choices are remembered in this browser.

import { html } from "./svg.js";
import { keepSeats, local, post } from "./api.js";
import { keep, recall } from "./memory.js";
import { keepStrength, lastStrength } from "./strength.js";
import { createOrigin, readOrigin } from "./from-here.js";
import { t } from "./language.js";
import { startText } from "./starts.js";
import { createVariantChoice } from "./variant-choice.js";
import { engineName, familyOf, otherSide, secondsText, sideName } from "./words.js";

const KEY = "alesia-new-game";
const TIMES = [100, 300, 1000, 3000, 10000];
/** The value of the choice of a chess variant among the games. */
const VARIANT = "variant";
/** The minutes of a clock for two people, 0 for none, and the seconds that each move adds. */
const MINUTES = [0, 1, 3, 5, 10, 15, 30, 60];
const SECONDS = [0, 1, 2, 3, 5, 10, 20, 30];
const FIRST = { family: "murus", variant: "variant:chess", section: "", rows: 9, columns: 9, start: "", white: "me", whiteMs: 1000, blackMs: 1000, minutes: 0, seconds: 0, name: "" };

const remembered = (rules) => ({ ...FIRST, black: lastStrength(rules), ...recall(KEY) });

/** The name that this person gave last, for joining a game too. */
export const rememberedName = () => recall(KEY).name ?? FIRST.name;

let starting = false;

/** Starts a game on the server and goes to it; `wishes` is the body of POST /api/games. */
export async function startGame(context, wishes) {
  // A double click makes one game.
  if (starting) return;
  starting = true;
  try {
    const { id, tokens } = await post("/api/games", wishes);
    keepSeats(id, tokens);
    context.navigate(`/game/${id}`);
  } finally {
    starting = false;
  }
}

/** The games without their sizes and handicaps. */
export const families = (rules) => rules.games.filter((game) => game.id === familyOf(game.id));

/** The levels as choices of a list. */
const levelOptions = (rules, chosen) =>
  options(rules.levels.map((level, k) => [level, t("new.level", { n: k + 1, name: engineName(level) })]), chosen);

/** The choice of the opponent's strength for quick games: {element, value()}. */
export function strengthChoice({ rules }) {
  const last = lastStrength(rules);
  const list = html("select", { name: "quick-level", onchange: () => keepStrength(list.value) }, ...levelOptions(rules, last), ...options([["mcts", t("new.full")]], last));
  return { element: field(t("new.strength"), list), value: () => list.value };
}

/** Starts a game of White against a level or the Monte Carlo engine, one second a move. */
export async function startQuick(context, game, engine) {
  const name = rememberedName();
  try {
    await startGame(context, { game, white: name ? { kind: "me", name } : { kind: "me" }, black: { kind: "engine", engine, ms: 1000 } });
  } catch (error) {
    context.fail(error);
  }
}

const options = (pairs, chosen) =>
  pairs.map(([value, text]) => html("option", { value, selected: String(value) === String(chosen) }, text));

/** Whether this choice of a seat is a person, here or elsewhere. */
const isPerson = (who) => who === "me" || who === "open";

function field(label, control) {
  return html("label", { class: "choice" }, html("span", {}, label), control);
}

export function newGameForm(context) {
  const last = remembered(context.rules);
  if (context.query.has("variant")) last.family = VARIANT;
  const titles = families(context.rules);
  const largest = Math.max(...titles.filter((game) => game.sized).map((game) => game.rows.length));
  const sizes = Array.from({ length: largest }, (_, i) => [i + 1, String(i + 1)]);
  const select = (name, pairs) => html("select", { name }, ...options(pairs, last[name]));

  const family = select("family", [...titles.map((game) => [game.id, game.title]), [VARIANT, t("variant.any")]]);
  const variant = createVariantChoice({ rules: context.rules, last, fail: context.fail });
  variant.element.hidden = true;
  const size = html(
    "div",
    { class: "choices" },
    field(t("new.rows"), select("rows", sizes)),
    field(t("new.columns"), select("columns", sizes)),
  );
  const starts = select("start", []);
  const start = field(t("new.start"), starts);
  const seat = (side, label) => {
    const who = select(side, [
      ["me", t("new.me")],
      ...(local ? [] : [["open", t("new.open")]]),
    ]);
    const engines = context.rules.engines.map((engine) => [engine, engineName(engine)]);
    who.append(
      html("optgroup", { label: t("new.levels") }, ...levelOptions(context.rules, last[side])),
      html("optgroup", { label: t("new.engine") }, ...options(engines, last[side])),
    );
    const time = field(t("new.time"), select(`${side}Ms`, TIMES.map((ms) => [ms, secondsText(ms)])));
    return { who, time, row: html("div", { class: "choices" }, field(label, who), time) };
  };
  const minutes = field(t("new.minutes"), select("minutes", MINUTES.map((n) => [n, n ? t("new.minutesEach", { n }) : t("new.noClock")])));
  const seconds = field(t("new.seconds"), select("seconds", SECONDS.map((n) => [n, secondsText(1000 * n)])));
  const clock = html("div", { class: "choices" }, minutes, seconds);
  const white = seat("white", t("side.white"));
  const black = seat("black", t("side.black"));
  const name = html("input", { type: "text", name: "name", maxlength: 30, autocomplete: "nickname", value: last.name, placeholder: t("new.optional") });
  const note = html("p", { class: "quiet-text form-note" });
  const submit = html("button", { class: "main", type: "submit" }, t("new.submit"));
  // A position to begin from takes the place of a game and its start.
  const origin = readOrigin(context.query);
  const named = () => origin?.game ?? family.value;
  const choice = origin ? [createOrigin({ context, wish: origin, onKnown: suit })] : [field(t("new.game"), family), variant.element, size, start];
  const form = html(
    "form",
    { class: "new-game panel", id: "new-game" },
    html("h2", { tabindex: -1 }, t("new.title")),
    ...choice,
    white.row,
    black.row,
    clock,
    field(t("new.name"), name),
    note,
    submit,
  );

  /** Offers the side to move to the person, against the opponent of the last game. */
  function suit({ side }, result) {
    submit.disabled = result !== null;
    const who = { white: white.who, black: black.who };
    who[side].value = "me";
    who[otherSide(side)].value = lastStrength(context.rules);
    arrange();
  }

  /** The chosen game; none of variants, which have only one start. */
  const gameOf = (id) => titles.find((game) => game.id === id) ?? null;

  /** Offers the starts of the chosen game. */
  function offerStarts() {
    const names = (gameOf(family.value)?.starts ?? []).map((entry) => [entry.id, startText(family.value, entry)]);
    starts.replaceChildren(...options(names, last.start));
    start.hidden = names.length < 2;
  }

  function arrange() {
    size.hidden = !gameOf(family.value)?.sized;
    variant.show(family.value === VARIANT);
    black.row.querySelector("span").textContent = sideName(named(), "black");
    for (const { who, time } of [white, black]) time.hidden = !context.rules.engines.includes(who.value);
    const kinds = [white.who.value, black.who.value];
    clock.hidden = !kinds.every(isPerson);
    seconds.hidden = minutes.querySelector("select").value === "0";
    note.textContent =
      kinds[0] === "me" && kinds[1] === "me" ? t("new.note.shared")
      : kinds.includes("open") ? t("new.note.open")
      : kinds.includes("me") ? "" : t("new.note.watch");
  }

  function choices() {
    const { definition, ...data } = { ...last, ...Object.fromEntries(new FormData(form)) };
    for (const key of ["rows", "columns", "whiteMs", "blackMs", "minutes", "seconds"]) data[key] = Number(data[key]);
    data.name = data.name.trim();
    return data;
  }

  /** The body of the request for a game; null where what is chosen is not a game yet. */
  async function wishes(data) {
    const wish = (who, ms) => {
      if (who === "open") return { kind: "open" };
      if (who !== "me") return { kind: "engine", engine: who, ms };
      return data.name && data.white !== data.black ? { kind: "me", name: data.name } : { kind: "me" };
    };
    const body = { game: data.family, white: wish(data.white, data.whiteMs), black: wish(data.black, data.blackMs) };
    if (data.minutes && isPerson(data.white) && isPerson(data.black)) body.clock = { base: 60_000 * data.minutes, increment: 1000 * data.seconds };
    if (origin) return { ...body, ...origin };
    const game = gameOf(data.family);
    if (!game) {
      body.game = await variant.game();
      return body.game && body;
    }
    if (game.sized) body.game = `${game.id}${data.rows}x${data.columns}`;
    else if (game.starts.some(({ id }) => id === data.start)) body.game = data.start;
    return body;
  }

  family.addEventListener("change", offerStarts);
  form.addEventListener("change", arrange);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = choices();
    keep(KEY, data);
    submit.disabled = true;
    try {
      const body = await wishes(data);
      if (body) await startGame(context, body);
    } catch (error) {
      context.fail(error);
    } finally {
      submit.disabled = false;
    }
  });
  offerStarts();
  arrange();
  return form;
}
