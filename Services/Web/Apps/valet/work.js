// Work by day: seconds at work, jobs done and tips.

import { serverNow } from '/apps/shared/clock.js';
import { money } from '/apps/shared/i18n.js';

export const dayOf = (date) => new Date(date).toDateString();
export const midnight = (date) => new Date(new Date(date).setHours(0, 0, 0, 0));

/** Seconds at work by day: shifts without their breaks, cut at midnight. */
export function workByDay(shifts, from, now = serverNow()) {
  const seconds = new Map();
  const add = (start, end, sign) => {
    let at = new Date(Math.max(start, from));
    while (at < end) {
      const next = new Date(midnight(at));
      next.setDate(next.getDate() + 1);
      const stop = next < end ? next : end;
      seconds.set(dayOf(at), (seconds.get(dayOf(at)) ?? 0) + (sign * (stop.getTime() - at.getTime())) / 1_000);
      at = stop;
    }
  };
  for (const shift of shifts) {
    const end = new Date(shift.endedAt ?? now);
    add(new Date(shift.startedAt), end, 1);
    for (const pause of shift.breaks) add(new Date(pause.startedAt), new Date(pause.endedAt ?? end), -1);
  }
  return seconds;
}

/** `[day, { jobs, tips, seconds }]`, newest first, of jobs that are done, tips, and seconds by day. */
export function daysOf({ done, items, work }) {
  const found = new Map();
  const of = (key) => found.get(key) ?? found.set(key, { jobs: 0, tips: [], seconds: 0 }).get(key);
  for (const { doneAt } of done) of(dayOf(doneAt)).jobs += 1;
  for (const { tip, givenAt } of items) of(dayOf(givenAt)).tips.push(tip);
  for (const [key, seconds] of work) if (seconds >= 1) of(key).seconds = seconds;
  return [...found].sort(([a], [b]) => Date.parse(b) - Date.parse(a));
}

/** The sum of each currency, in words. */
export function sumText(tips) {
  const found = new Map();
  for (const { amount, currency } of tips) found.set(currency, (found.get(currency) ?? 0) + amount);
  return [...found].map(([currency, amount]) => money({ amount, currency })).join(' + ');
}
