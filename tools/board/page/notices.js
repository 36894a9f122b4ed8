// What stands above a game's board: its title, whose move it is or how it ended, and, when there is
// something to decide, a bar for it: a seat to take, a link to send, a move to take back.

import { html } from "./svg.js";
import { sideName, otherSide, outcomeOf, reasonOf, SOURCES } from "./words.js";

/** `link` is the game's address for other people; `actions` = {join(side), agree()}. */
export function createNotices(title, link, actions) {
  const heading = html("h1", {}, title);
  const from = html("span", { class: "quiet-text" });
  const status = html("p", { class: "status", "data-status": "" });
  const bars = html("div", { class: "bars", role: "status" });
  const element = html("header", { class: "game-head" }, html("div", { class: "game-title" }, heading, from), status, bars);
  let drawn = "";

  function show(state, mine, shown) {
    const words = [];
    if (state.source !== "board" || state.title) words.push(state.title || SOURCES[state.source]);
    if (state.listeners > 1) words.push(`${state.listeners} connected`);
    from.textContent = words.join(" · ");
    status.classList.toggle("over", Boolean(state.result));
    if (state.result) {
      status.replaceChildren(html("strong", {}, `${outcomeOf(state.game, state.result)}:`), ` ${reasonOf(state.result.text)}`);
    } else {
      const side = sideName(state.game, state.now.side);
      const check = state.now.check ? ", in check" : "";
      const yours = mine.includes(state.now.side) && mine.length === 1;
      const waiting = mine.length ? "Waiting for the other player" : "Waiting for the players";
      const words = { waiting, warmup: "Warm-up" };
      status.textContent = words[state.phase] ?? (yours ? `Your move (${side}${check})` : `${side} to move${check}`);
    }
    if (shown !== null) status.append(html("span", { class: "quiet-text" }, ` – looking back at ply ${state.start.ply + shown}`));
    showBars(state, mine);
  }

  /** The bars are rebuilt only when they say something else, so that a focused button stays. */
  function showBars(state, mine) {
    const open = state.result ? [] : ["white", "black"].filter((side) => state.seats[side].kind === "open");
    const asked = state.result ? null : state.undo_asked;
    const key = JSON.stringify([open, asked, mine]);
    if (key === drawn) return;
    drawn = key;
    const list = [];
    if (open.length && mine.length) list.push(linkBar());
    else if (open.length) list.push(joinBar(state, open));
    if (asked) list.push(undoBar(state, mine, asked));
    bars.replaceChildren(...list);
  }

  function linkBar() {
    const field = html("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this game", onfocus: () => field.select() });
    const copy = html("button", { type: "button", class: "main" }, "Copy");
    copy.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        // Without a secure address there is no clipboard: the text is selected for copying by hand.
        document.execCommand("copy");
      }
      copy.textContent = "Copied";
    });
    return html("div", { class: "bar", "data-bar": "link" }, html("span", {}, "Send this link to the other player:"), field, copy);
  }

  function joinBar(state, open) {
    const buttons = open.map((side) =>
      html("button", { type: "button", class: "main", "data-join": side, onclick: () => actions.join(side) }, `Play ${sideName(state.game, side)}`),
    );
    return html("div", { class: "bar", "data-bar": "join" }, html("span", {}, "A seat is open."), ...buttons);
  }

  function undoBar(state, mine, asked) {
    const who = sideName(state.game, asked);
    if (!mine.includes(otherSide(asked))) {
      const text = mine.includes(asked) ? "You asked to take your move back. The other player must agree." : `${who} asks to take a move back.`;
      return html("div", { class: "bar", "data-bar": "undo" }, html("span", {}, text));
    }
    return html(
      "div",
      { class: "bar", "data-bar": "undo" },
      html("span", {}, `${who} asks to take a move back. Agree, or play your next move.`),
      html("button", { type: "button", class: "main", "data-action": "agree", onclick: actions.agree }, "Agree"),
    );
  }

  return { element, show };
}
