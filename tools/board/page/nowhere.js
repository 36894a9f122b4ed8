// An address that names nothing on this page says so.

import { outer } from "./api.js";
import { t } from "./language.js";
import { html } from "./svg.js";

export function show(main, { path }) {
  document.title = `${t("nowhere.title")} – Alesia`;
  main.append(
    html(
      "div",
      { class: "panel missing" },
      html("h1", {}, t("nowhere.title")),
      html("p", {}, t("nowhere.text", { path })),
      html("a", { class: "button main", href: outer("/") }, t("game.back")),
    ),
  );
}
