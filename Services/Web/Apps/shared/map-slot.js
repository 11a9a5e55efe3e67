// A map in a screen that is redrawn.

import { h } from './dom.js';
import { createMap } from './map.js';

/**
 * `view()` returns its placeholder; the map is made once that is in the page. Leaflet changes its own
 * element, which is therefore not redrawn. A screen may return to it.
 * @type {Ui.CreateMapSlot}
 */
export function createMapSlot(name, redraw, { label, onready, ...options } = {}) {
  let host = null;
  const slot = { map: null, view, leave };
  async function mount() {
    const node = document.getElementById(name);
    if (!node || node === host) return undefined;
    slot.leave();
    host = node;
    const element = h('div', { class: 'map' });
    node.replaceChildren(element);
    const made = await createMap(element, { label: label?.(), ...options });
    if (host !== node) return made.remove();
    slot.map = made;
    onready?.(made);
    redraw();
    return undefined;
  }
  function view(className) {
    queueMicrotask(mount);
    return h('div', { id: name, key: name, class: className, keep: true });
  }
  function leave() {
    slot.map?.remove();
    [slot.map, host] = [null, null];
  }
  return slot;
}
