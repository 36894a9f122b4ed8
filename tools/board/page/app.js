// The page's frame: picks the view by the path, follows inner links without a reload, keeps the
// theme.
//
// A view is a module with `show(main, context)`, which fills the empty element `main`, sets
// document.title, and may return a function that ends it (closes event streams, stops timers).
//
//   context = {
//     rules,          the answer of GET /api/rules: {games: [Rules…], variants: [Rules…], engines,
//                     cores}
//     path,           of the address, such as "/game/k3v9", without the base of a proxy
//     query,          URLSearchParams of the address
//     navigate(url),  goes to another address of the page ("/analyse?…") without a reload
//     say(text),      announces moves and results to screen readers, politely
//     fail(error, game),  shows an Error's message, and announces it at once to screen readers; the
//                     game's name where the message may be about its sides
//     clear(),        removes that message when it is no longer true
//   }

import { get, inner, insist, outer } from "./api.js";
import { language, LANGUAGES, setLanguage, t } from "./language.js";
import { keepText, recallText } from "./memory.js";
import { events } from "./streams.js";
import { html } from "./svg.js";
import { learn } from "./variants.js";
import { sentence, told } from "./words.js";
import { startSoundSwitch } from "./sound.js";
import * as lobby from "./lobby.js";
import * as game from "./game.js";
import * as analyse from "./analyse.js";
import * as standings from "./standings.js";
import * as projector from "./show.js";
import * as learning from "./learn.js";
import * as editor from "./editor.js";
import * as nowhere from "./nowhere.js";
import { listenForKeys, showKeys } from "./keys.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");
let rules = null;
let endView = null;

function viewOf(path, query) {
  if (/^\/game\/[^/]+$/.test(path)) return game;
  if (path === "/analyse") return query.has("edit") ? editor : analyse;
  if (path === "/standings") return standings;
  if (path === "/show") return projector;
  if (/^\/learn\/[^/]+$/.test(path)) return learning;
  return path === "/" ? lobby : nowhere;
}

function say(text) {
  byId("polite").textContent = text;
}

let failTimer = 0;
function fail(error, game = null) {
  byId("error-text").textContent = sentence(told(game, error.message));
  clearTimeout(failTimer);
  failTimer = setTimeout(hideError, 12000);
}

function hideError() {
  byId("error-text").textContent = "";
}

const navigate = (url) => goTo(outer(url));

function goTo(address) {
  // It may still put something into its address.
  leaveView();
  history.pushState(null, "", address);
  open(true);
}

/** Ends the view with its dialogs, those outside of `main` too. */
function leaveView() {
  endView?.();
  endView = null;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
}

/** Ends the old view and shows the one that the address names. */
function open(moveFocus) {
  leaveView();
  hideError();
  main.replaceChildren();
  const { path, query } = inner(location);
  if (path === "/standings") showStandingsLink(true);
  for (const link of document.querySelectorAll("header nav a")) {
    const target = new URL(link.href);
    const here = target.pathname === location.pathname && target.search === location.search;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const context = { rules, path, query, navigate, say, fail, clear: hideError };
  endView = viewOf(path, context.query).show(main, context) ?? null;
  if (moveFocus) {
    window.scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

/** Inner links change the view; everything else (other keys, other pages) is the browser's. */
function followLink(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || link.target || link.hasAttribute("download") || event.defaultPrevented) return;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || /^\/(page|api)\//.test(inner(url).path)) return;
  if (url.hash && url.pathname === location.pathname) {
    // A step within the page: the browser's own way would open the view anew.
    event.preventDefault();
    byId(url.hash.slice(1))?.focus();
    return;
  }
  event.preventDefault();
  goTo(url.href);
}

function showStandingsLink(shown) {
  byId("nav-standings").hidden = !shown;
}

/** The first event of the lobby's stream says whether there is a tournament. */
function askForStandings() {
  const close = events("/api/lobby/events", {
    lobby: ({ standings: any }) => {
      close();
      if (any) showStandingsLink(true);
    },
  });
}

/** The texts of the frame, which stand in the page's file as keys. */
function nameFrame() {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
}

function startLanguage() {
  const choice = byId("language");
  choice.append(...Object.entries(LANGUAGES).map(([value, name]) => html("option", { value, lang: value }, name)));
  choice.value = language();
  choice.addEventListener("change", () => {
    setLanguage(choice.value);
    nameFrame();
    if (rules) open(false);
  });
  nameFrame();
}

/** On a phone language and colours are behind a button. */
function startSettings() {
  const button = byId("settings-open");
  const show = (open) => {
    button.setAttribute("aria-expanded", open);
    byId("settings").classList.toggle("open", open);
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") === "false"));
  document.addEventListener("keydown", (event) => event.key === "Escape" && show(false));
}

function startTheme() {
  const choice = byId("theme");
  const apply = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  choice.value = recallText("alesia-theme") ?? "system";
  apply(choice.value);
  choice.addEventListener("change", () => {
    keepText("alesia-theme", choice.value);
    apply(choice.value);
  });
}

async function start() {
  startLanguage();
  startTheme();
  startSettings();
  startSoundSwitch(byId("sound"));
  byId("error-close").addEventListener("click", hideError);
  byId("keys-open").addEventListener("click", showKeys);
  listenForKeys();
  document.addEventListener("click", followLink);
  document.addEventListener("standings", (event) => showStandingsLink(event.detail));
  window.addEventListener("popstate", () => open(true));
  try {
    rules = await insist(() => get("/api/rules"), fail);
    rules.variants.forEach(learn);
  } catch (error) {
    fail(error);
    return;
  }
  hideError();
  open(false);
  if (inner(location).path !== "/") askForStandings();
}

start();
