// What the parts of the account screen share. `account` is the object of createAccount.

import { h } from './dom.js';
import { tProblem } from './i18n.js';
import { icon } from './icons.js';
import { toast } from './ui.js';

/** Runs one task at a time under a name, and shows its error. */
export async function run(account, name, task) {
  const { busy, redraw } = account;
  if (busy[name]) return;
  busy[name] = true;
  account.problem = null;
  redraw();
  try {
    await task();
  } catch (error) {
    account.problem = error;
    toast(tProblem(error), 'danger');
  }
  busy[name] = false;
  redraw();
}

export const folded = (title, content, props = {}) =>
  h(
    'details',
    { class: 'fold', key: title, ...props },
    h('summary', null, title, icon('next')),
    h('div', { class: 'stack' }, content),
  );
