// What every screen of the operator app shares: the API, the live stream and the wish to be drawn again.

import { createApi } from '/apps/shared/api.js';
import { createLive } from '/apps/shared/live.js';
import { createState } from '/apps/shared/state.js';

export const api = createApi('operator');
export const live = createLive(api);

/** Drawn again when it changes; screens keep their own data and only say that something is new. */
export const drawing = createState({ turn: 0 });
export const redraw = () => drawing.set(({ turn }) => ({ turn: turn + 1 }));
