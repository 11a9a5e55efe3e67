// Reports errors of the app to the server, without personal data.

import { Ended, Offline, Problem } from './api.js';
import { meta } from './dom.js';

/** Reports per page; one failure often repeats. */
const MOST = 10;
const LONGEST = 500;
/** Messages reported before. */
const told = new Set();

/** Reports an unexpected error once; `source` and `line` default to its stack's. */
export function tellFault(error, source, line) {
  const message = String(error?.stack ? `${error.name}: ${error.message}` : error).slice(0, LONGEST);
  if (told.has(message) || told.size >= MOST) return;
  told.add(message);
  const [, file, row] = /(\/apps\/[\w./-]+):(\d+)/.exec(error?.stack ?? '') ?? [];
  const body = {
    app: document.documentElement.dataset.app,
    build: meta('version'),
    message,
    source: file ?? source,
    line: Number(row ?? line) || undefined,
  };
  fetch('/v1/client-errors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => {});
}

/** Expected results of a call, no bugs. */
const answers = [Problem, Offline, Ended];

/** Reports uncaught errors. */
export function listenForFaults() {
  addEventListener('error', ({ error, message, filename, lineno }) =>
    tellFault(error ?? message, filename && new URL(filename).pathname, lineno),
  );
  addEventListener(
    'unhandledrejection',
    ({ reason }) => answers.some((kind) => reason instanceof kind) || tellFault(reason),
  );
}
