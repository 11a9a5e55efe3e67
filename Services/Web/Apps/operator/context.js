// Shared by all screens of the operator app: the API, the live stream and `redraw`.

import { createApi } from '/apps/shared/api.js';
import { createLive } from '/apps/shared/live.js';
import { createState } from '/apps/shared/state.js';

export const api = createApi('operator');
export const live = createLive(api);

/** The app is redrawn when this changes; screens keep their own data and only report a change. */
export const drawing = createState({ turn: 0 });
export const redraw = () => drawing.set(({ turn }) => ({ turn: turn + 1 }));
