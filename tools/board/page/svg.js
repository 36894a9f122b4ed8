// Making SVG and HTML elements in one call each, and changing no more of them than is new.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element: svg("circle", {cx: 1, class: "dot"}, …children). False and null leave an attribute out. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An HTML element, in the same way; text children are set as text; "onclick" and the like listen. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Makes a list the children of an element. Those that are there already are left alone: what is
 * replaced or moved between press and release gets no click.
 */
export function arrange(parent, list) {
  const wanted = new Set(list);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  let at = parent.firstChild;
  for (const child of list) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
}

/** A path of a drawing, of a class. */
export const path = (d, kind = "body") => svg("path", { d, class: kind });
