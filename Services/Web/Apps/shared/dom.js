// Views are functions that return elements; `render` updates a container to match them and
// keeps unchanged elements, so that focus, typing, scrolling and a map survive.

const HANDLERS = Symbol('handlers');
const GIVEN = Symbol('given');
const KEY = Symbol('key');
const KEEP = Symbol('keep');
const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set([
  'svg',
  'path',
  'g',
  'circle',
  'rect',
  'line',
  'polyline',
  'polygon',
  'text',
  'title',
  'defs',
  'pattern',
]);

/** Properties that people change: set only if the view's value changes, not on each redraw. */
const LIVE = ['value', 'checked', 'open', 'selected'];

function dispatch(event) {
  event.currentTarget[HANDLERS]?.[event.type]?.call(event.currentTarget, event);
}

function listen(node, handlers) {
  const before = node[HANDLERS] ?? {};
  for (const type of Object.keys(handlers)) if (!(type in before)) node.addEventListener(type, dispatch);
  for (const type of Object.keys(before)) if (!(type in handlers)) node.removeEventListener(type, dispatch);
  node[HANDLERS] = handlers;
}

/**
 * An element. `on…` props are handlers, `keep` leaves the content alone on redraw; null and false
 * props and children are left out. Siblings are matched by their position among the arguments, where an omitted one
 * keeps its place; in a list that changes by `key`.
 */
export function h(tag, props, ...children) {
  const inSVG = SVG_TAGS.has(tag) && !(tag === 'title' && !props?.svg);
  const node = inSVG ? document.createElementNS(SVG, tag) : document.createElement(tag);
  const handlers = {};
  const given = {};
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name === 'key') node[KEY] = String(value);
    else if (name === 'keep') node[KEEP] = Boolean(value);
    else if (name === 'svg') continue;
    else if (name.startsWith('on') && typeof value === 'function') handlers[name.slice(2)] = value;
    else if (LIVE.includes(name) && !inSVG) given[name] = value;
    else if (value === true) node.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  append(node, children);
  node[GIVEN] = given;
  for (const [name, value] of Object.entries(given)) setLive(node, name, value);
  listen(node, handlers);
  return node;
}

function setLive(node, name, value) {
  if (value === undefined) return;
  if (name === 'open') node.toggleAttribute('open', Boolean(value));
  else node[name] = value ?? (name === 'value' ? '' : false);
}

function append(node, children, place = '@') {
  children.forEach((child, i) => {
    if (child === null || child === undefined || child === false || child === true) return;
    if (Array.isArray(child)) return void append(node, child, `${place}${i}.`);
    const it = child instanceof Node ? child : document.createTextNode(String(child));
    it[KEY] ??= `${place}${i}`;
    node.append(it);
  });
}

/** Draws views into a container. */
export function render(container, ...views) {
  const fresh = document.createElement('div');
  append(fresh, views);
  morphChildren(container, fresh);
}

function isSame(old, fresh) {
  return old.nodeName === fresh?.nodeName && old[KEY] === fresh[KEY];
}

function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    // A focused heading keeps the focus.
    if (name === 'tabindex' && old === document.activeElement) continue;
    if (!fresh.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value && name !== 'open') old.setAttribute(name, value);
  }
  listen(old, fresh[HANDLERS] ?? {});
  if (!fresh[KEEP]) morphChildren(old, fresh);
  // After the children: a select needs its options before its value.
  const before = old[GIVEN] ?? {};
  for (const [name, value] of Object.entries(fresh[GIVEN] ?? {})) {
    if (before[name] !== value) setLive(old, name, value);
  }
  old[GIVEN] = fresh[GIVEN];
}

function morphChildren(old, fresh) {
  const wanted = [...fresh.childNodes];
  const byKey = new Map(wanted.map((child) => [child[KEY], child]));
  // Remove first, so that remaining fields need not move and lose the focus.
  for (const child of [...old.childNodes]) if (!isSame(child, byKey.get(child[KEY]))) child.remove();
  const kept = new Map([...old.childNodes].map((child) => [child[KEY], child]));
  let next = old.firstChild;
  for (const child of wanted) {
    const match = kept.get(child[KEY]);
    kept.delete(child[KEY]);
    if (match && match === next) next = next.nextSibling;
    else old.insertBefore(match ?? child, next);
    if (match) morph(match, child);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

/** Values that the server puts into the page: `version`, `tiles`, `attribution`. */
export const meta = (name) => document.querySelector(`meta[name="openvalet:${name}"]`)?.getAttribute('content') ?? '';

/** A random UUID, even if the page is not a secure context. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
