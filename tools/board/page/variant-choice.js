// Which chess variant: one of the built-in ones, or one that the person defines, of which one
// section is chosen. Part of the form for a new game.
//
//   createVariantChoice({rules, last, fail}) → { element, show(on), game() }
//
// `game()` resolves with the name of the chosen game, and with null where there is none yet.

import { post } from "./api.js";
import { createDefinition } from "./definition.js";
import { t } from "./language.js";
import { miniBoard } from "./mini.js";
import { html } from "./svg.js";
import { learn, longTitle, shortTitle } from "./variants.js";

/** The value of the choice "your own". */
const OWN = "own";

export function createVariantChoice({ rules, last, fail }) {
  const option = (value, text, chosen) => html("option", { value, selected: value === chosen }, text);
  const which = html("select", { name: "variant" }, ...rules.variants.map(({ id, title }) => option(id, shortTitle(title), last.variant)));
  which.append(option(OWN, t("variant.own"), last.variant));
  const section = html("select", { name: "section" });
  const sections = html("label", { class: "choice" }, html("span", {}, t("variant.section")), section);
  const picture = html("div", { class: "variant-picture" });
  const about = html("p", { class: "quiet-text variant-about" });
  const definition = createDefinition({ onChecked, fail });
  const element = html(
    "div",
    { class: "variant-choice" },
    html("label", { class: "choice" }, html("span", {}, t("variant.which")), which),
    definition.element,
    sections,
    about,
    picture,
  );
  let found = [];

  function onChecked(variants) {
    const chosen = section.value || last.section;
    found = variants;
    section.replaceChildren(...found.map(({ title, variant }) => option(variant.name, `${variant.name} – ${shortTitle(title)}`, chosen)));
    arrange();
  }

  /** The title and the start position of what is chosen. */
  function draw() {
    const listed = rules.variants.find(({ id }) => id === which.value);
    about.textContent = listed ? longTitle(listed.title) : "";
    if (listed) return picture.replaceChildren(miniBoard(listed.id, listed.starts[0].rows));
    const own = found.find(({ variant }) => variant.name === section.value);
    if (!own) return picture.replaceChildren();
    // Until it is played, the definition has no name on the server.
    const id = `${OWN}:${own.variant.name}`;
    learn({ id, title: own.title, variant: own.variant });
    return picture.replaceChildren(miniBoard(id, own.rows));
  }

  function arrange() {
    const own = which.value === OWN;
    definition.element.hidden = !own;
    sections.hidden = !own || found.length < 2;
    draw();
  }

  which.addEventListener("change", () => {
    arrange();
    if (which.value === OWN) definition.check();
  });
  section.addEventListener("change", draw);

  /** The server keeps a definition once somebody plays it. */
  async function game() {
    if (which.value !== OWN) return which.value;
    const variants = await definition.check();
    if (!variants?.length) {
      definition.insist();
      return null;
    }
    const answer = await post("/api/variants", { text: definition.text(), name: section.value });
    return learn(answer.game).id;
  }

  return {
    element,
    game,
    /** Shows the choice or not; a text that is there already is checked. */
    show(on) {
      const appears = on && element.hidden;
      element.hidden = !on;
      arrange();
      if (appears && which.value === OWN) definition.check();
    },
  };
}
