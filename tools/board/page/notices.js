// What stands above a game's board: its title, and whose move it is or how it ended. When there is
// something to decide, a bar for it: a seat to take, a link to send, a move to take back.

import { outer } from "./api.js";
import { html } from "./svg.js";
import { fromServer, t } from "./language.js";
import { sideName, otherSide, outcomeOf, reasonOf, sourceName, written } from "./words.js";

/** "won", "lost" or "drew" for a person with one seat; null for all others and for a game without a result. */
function verdictFor({ winner, decided }, mine) {
  if (mine.length !== 1 || !decided) return null;
  if (!winner) return "drew";
  return winner === mine[0] ? "won" : "lost";
}

/** New moves, a check and a result in words, for screen readers; `mine` are the person's sides. */
export function newsOf({ game, now, result }, moves, mine) {
  const words = moves.map((move) => t("game.moved", { side: sideName(game, move.side), move: written(move) }));
  if (now.check && !result) words.push(t("game.inCheck", { side: sideName(game, now.side) }));
  if (result) {
    const [yours, outcome] = [verdictFor(result, mine), outcomeOf(game, result)];
    if (yours) words.push(`${t(`over.${yours}`)}.`);
    words.push(`${t("outcome.because", { outcome, reason: reasonOf(game, result.text) })}.`);
  }
  return words.join(" ");
}

/**
 * `invited` = {link, local, elsewhere}: the game's address for other people, whether it leads to this machine
 * alone, and where the page would be if it listened to others. `actions` = {join(side), agree()}.
 */
export function createNotices(title, { link, local, elsewhere }, actions) {
  const heading = html("h1", {}, title);
  const from = html("span", { class: "quiet-text" });
  const status = html("p", { class: "status", "data-status": "" });
  const bars = html("div", { class: "bars", role: "status" });
  const element = html("header", { class: "game-head" }, html("div", { class: "game-title" }, heading, from), status, bars);
  let drawn = "";

  function show(state, mine, shown) {
    const words = [];
    if (state.source !== "board" || state.title) words.push(fromServer(state.title) || sourceName(state.source));
    if (state.listeners > 1) words.push(t("lobby.connected", { n: state.listeners }));
    from.textContent = words.join(" · ");
    status.classList.toggle("over", Boolean(state.result));
    if (state.result) {
      const yours = verdictFor(state.result, mine);
      const verdict = yours && html("strong", { class: `verdict ${yours}`, "data-verdict": yours }, t(`over.${yours}`));
      const outcome = html("strong", {}, `${outcomeOf(state.game, state.result)}:`);
      status.replaceChildren(...[verdict, html("span", {}, outcome, ` ${reasonOf(state.game, state.result.text)}`)].filter(Boolean));
    } else {
      const side = sideName(state.game, state.now.side);
      const yours = mine.includes(state.now.side) && mine.length === 1;
      const waiting = t(mine.length ? "phase.other" : "phase.waiting");
      const words = { waiting, warmup: t("phase.warmup") };
      const key = `status.${yours ? "yours" : "toMove"}${state.now.check ? "Check" : ""}`;
      status.textContent = words[state.phase] ?? t(key, { side });
    }
    if (shown !== null) status.append(html("span", { class: "quiet-text" }, t("status.back", { ply: state.start.ply + shown })));
    showBars(state, mine);
  }

  /** The bars are rebuilt only when they say something else, so that a focused button stays. */
  function showBars(state, mine) {
    const open = state.result ? [] : ["white", "black"].filter((side) => state.seats[side].kind === "open");
    const asked = state.result ? null : state.undo_asked;
    const key = JSON.stringify([open, asked, mine, state.unkept]);
    if (key === drawn) return;
    drawn = key;
    const list = [];
    if (open.length && !mine.length) list.push(joinBar(state, open));
    // Who has opened a game for two others has no seat, and sends the link to both.
    if (open.length === 2 || (open.length && mine.length)) list.push(linkBar(open.length));
    if (asked) list.push(undoBar(state, mine, asked));
    if (state.unkept) list.push(html("div", { class: "bar", "data-bar": "unkept" }, html("span", {}, t("bar.unkept", { reason: state.unkept }))));
    bars.replaceChildren(...list);
  }

  function linkBar(n) {
    const field = html("input", { type: "text", readonly: true, value: link, "aria-label": t("bar.linkLabel"), onfocus: () => field.select() });
    const copy = html("button", { type: "button", class: "main" }, t("bar.copy"));
    copy.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        // Without a secure address there is no clipboard: the text is selected for copying by hand.
        document.execCommand("copy");
      }
      copy.textContent = t("bar.copied");
    });
    const line = html("div", { class: "bar-line" }, html("span", {}, local ? t("bar.linkLocal") : t("bar.link", { n })), field, copy);
    return html("div", { class: "bar", "data-bar": "link" }, line, local ? howToOpen() : codeOf());
  }

  /** How others get in, where the page listens to its own machine alone. */
  function howToOpen() {
    const command = html("code", {}, "alesia-lab board --bind 0.0.0.0");
    const where = elsewhere ? t("bar.elsewhere", { address: elsewhere }) : "";
    return html("p", { class: "bar-note" }, t("bar.toOpen"), " ", command, ". ", where);
  }

  /** The link for the camera of a phone. */
  const codeOf = () =>
    html("img", { class: "bar-code", width: 132, height: 132, alt: t("bar.code"), src: outer(`/api/qr?text=${encodeURIComponent(link)}`) });

  function joinBar(state, open) {
    const buttons = open.map((side) =>
      html("button", { type: "button", class: "main", "data-join": side, onclick: () => actions.join(side) }, t("bar.play", { side: sideName(state.game, side) })),
    );
    return html("div", { class: "bar", "data-bar": "join" }, html("span", {}, t("bar.seat", { n: open.length })), ...buttons);
  }

  function undoBar(state, mine, asked) {
    const who = sideName(state.game, asked);
    if (!mine.includes(otherSide(asked))) {
      const text = mine.includes(asked) ? t("bar.undoAsked") : t("bar.undoAsks", { side: who });
      return html("div", { class: "bar", "data-bar": "undo" }, html("span", {}, text));
    }
    return html(
      "div",
      { class: "bar", "data-bar": "undo" },
      html("span", {}, t("bar.undoAgree", { side: who })),
      html("button", { type: "button", class: "main", "data-action": "agree", onclick: actions.agree }, t("bar.agree")),
    );
  }

  return { element, show };
}
