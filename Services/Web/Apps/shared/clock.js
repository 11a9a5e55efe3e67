// The server's time, from the `Date` of answers (RFC 9110, 6.6.1), because a device's clock may be wrong.

/** In ms: smaller differences come from the network and from dates in whole seconds. */
const WRONG = 5_000;
let ahead = 0;
let settle;
/** Resolves at the first answer, when it is known whether the device's clock is right. */
export const timeLearnt = new Promise((resolve) => {
  settle = resolve;
});

/** Learns from the answer to a request sent at `askedAt`, on the device's clock. */
export function learnTime(answer, askedAt) {
  const date = Date.parse(answer.headers.get('date'));
  settle();
  if (Number.isNaN(date)) return;
  const difference = date + 500 - (askedAt + Date.now()) / 2;
  ahead = Math.abs(difference) < WRONG ? 0 : difference;
}

/** Converts a time of this device's clock, in ms since 1970, to the server's. */
export const serverTime = (deviceTime) => deviceTime + ahead;
export const serverNow = () => serverTime(Date.now());
