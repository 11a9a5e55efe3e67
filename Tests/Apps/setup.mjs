// Lets modules of the apps run without a browser: `node --import ./Tests/Apps/setup.mjs --test …`.

import { webcrypto } from 'node:crypto';
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
process.env.TZ = 'Europe/Helsinki';

/** As much of an element as `h` uses. */
class Node {
  constructor(nodeName) {
    Object.assign(this, { nodeName, attributes: {}, childNodes: [], listeners: {} });
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  toggleAttribute(name, isOn) {
    if (isOn) this.attributes[name] = '';
    else delete this.attributes[name];
  }

  append(child) {
    this.childNodes.push(child);
  }

  addEventListener(type, listener) {
    this.listeners[type] = listener;
  }

  get textContent() {
    return this.data ?? this.childNodes.map(({ textContent }) => textContent).join('');
  }
}

/** Items are properties of their own, as in a browser. */
const storage = () =>
  Object.create({
    getItem(key) {
      return Object.hasOwn(this, key) ? this[key] : null;
    },
    setItem(key, value) {
      this[key] = String(value);
    },
    removeItem(key) {
      delete this[key];
    },
  });

const page = new EventTarget();
const globals = {
  Node,
  crypto: webcrypto,
  navigator: { language: 'en-IE', onLine: true },
  localStorage: storage(),
  sessionStorage: storage(),
  document: Object.assign(new EventTarget(), {
    documentElement: { lang: '', dataset: { app: 'customer' } },
    hidden: false,
    querySelector: () => null,
    querySelectorAll: () => [],
    createElement: (name) => new Node(name),
    createElementNS: (_, name) => new Node(name),
    createTextNode: (data) => Object.assign(new Node('#text'), { data }),
  }),
  addEventListener: page.addEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
};
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

// The apps' timers never stop; a test ends all the same.
const { setInterval: start } = globalThis;
globalThis.setInterval = (...given) => start(...given).unref();
