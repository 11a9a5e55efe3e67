// The server's time, whatever this device's clock shows: learnt from the `Date` of answers (RFC 9110, 6.6.1).

/** In ms: less is the way's share, and that of a date in whole seconds. */
const WRONG = 5_000;
let ahead = 0;
let settle;
/** Until the first answer nobody knows whether this device's clock is right. */
export const timeLearnt = new Promise((resolve) => { settle = resolve; });

/** Learns from an answer to what was asked at `askedAt`, by this device's clock. */
export function learnTime(answer, askedAt) {
  const date = Date.parse(answer.headers.get('date'));
  settle();
  if (Number.isNaN(date)) return;
  const difference = date + 500 - (askedAt + Date.now()) / 2;
  ahead = Math.abs(difference) < WRONG ? 0 : difference;
}

/** A moment of this device's clock, in ms since 1970, by the server's. */
export const serverTime = (deviceTime) => deviceTime + ahead;
export const serverNow = () => serverTime(Date.now());
