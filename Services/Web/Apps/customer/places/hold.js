// Press and hold: on glass for half a second, by mouse or keyboard what asks for a menu.

/** In ms. */
const HOLD = 500;
/** A finger that has moved farther scrolls, in pixels. */
const STILL = 10;

let timer = null;
let start = null;
/** The click that ends a hold is none. */
let isHeld = false;

function end() {
  clearTimeout(timer);
  timer = null;
}

/** Handlers of an element whose hold does this; browsers that ask for a menu at a long press are not heard twice. */
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
  onpointermove: ({ clientX, clientY }) => timer && Math.hypot(clientX - start.clientX, clientY - start.clientY) > STILL && end(),
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
