// Press and hold: half a second on a touch screen; with mouse or keyboard, the request for a menu.

/** In ms. */
const HOLD = 500;
/** A finger that moves farther scrolls, in pixels. */
const STILL = 10;

let timer = null;
let start = null;
/** A click that ends a hold must be ignored. */
let isHeld = false;

function end() {
  clearTimeout(timer);
  timer = null;
}

/** Handlers for an element; in browsers that open a menu on a long press, the hold counts once. */
export const holds = (act) => ({
  onpointerdown: ({ pointerType, clientX, clientY }) => {
    isHeld = false;
    if (pointerType !== 'touch') return;
    start = { clientX, clientY };
    end();
    timer = setTimeout(() => {
      isHeld = true;
      act();
    }, HOLD);
  },
  onpointermove: ({ clientX, clientY }) =>
    timer && Math.hypot(clientX - start.clientX, clientY - start.clientY) > STILL && end(),
  onpointerup: end,
  onpointercancel: end,
  oncontextmenu: (event) => {
    event.preventDefault();
    end();
    if (!isHeld) act();
    isHeld = event.pointerType === 'touch';
  },
  onclick: (event) => {
    if (isHeld) event.preventDefault();
    isHeld = false;
  },
});
