// Faults of the app itself: told to the house, without anything of anybody, so that they can be mended.

import { Ended, Offline, Problem } from './api.js';
import { meta } from './dom.js';

/** Of one page; what fails once often fails again and again. */
const MOST = 10;
const LONGEST = 500;
/** Messages that were told already. */
const told = new Set();

/** Tells of an error that nobody foresaw, once; `source` and `line` are read from its stack when they are not given. */
export function tellFault(error, source, line) {
  const message = String(error?.stack ? `${error.name}: ${error.message}` : error).slice(0, LONGEST);
  if (told.has(message) || told.size >= MOST) return;
  told.add(message);
  const [, file, row] = /(\/apps\/[\w./-]+):(\d+)/.exec(error?.stack ?? '') ?? [];
  const body = { app: document.documentElement.dataset.app, build: meta('version'), message, source: file ?? source, line: Number(row ?? line) || undefined };
  fetch('/v1/client-errors', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), keepalive: true }).catch(() => {});
}

/** What comes of a call, and is no fault of the app. */
const answers = [Problem, Offline, Ended];

/** Tells of what no code of ours caught. */
export function listenForFaults() {
  addEventListener('error', ({ error, message, filename, lineno }) => tellFault(error ?? message, filename && new URL(filename).pathname, lineno));
  addEventListener('unhandledrejection', ({ reason }) => answers.some((kind) => reason instanceof kind) || tellFault(reason));
}
