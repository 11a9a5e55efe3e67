// A valet's payouts: the shared screen, loaded when it is first opened.

import { h } from '/apps/shared/dom.js';
import { t } from '/apps/shared/i18n.js';
import { screen } from '/apps/shared/shell.js';
import { problemNotice, skeleton } from '/apps/shared/ui.js';
import { api, live } from './store.js';

/** Browsers remember a module that failed to load, so only the page's reload tries again. */
const reload = () => location.reload();

export function createPayoutScreens(redraw) {
  let [made, isLoading, error] = [null, false, null];

  async function load() {
    isLoading = true;
    try {
      const { createPayouts } = await import('/apps/shared/payouts.js');
      made = createPayouts({ api, redraw, back: '/earnings', app: 'valet' });
    } catch (problem) {
      error = problem;
    }
    isLoading = false;
    redraw();
  }

  live.events.on('notification', ({ link }) => link === '/payouts' && made?.reload());
  const waiting = () => ({
    title: t('earnings.payouts'),
    view: screen(
      t('earnings.payouts'),
      { back: '/earnings' },
      h('div', { key: 'waiting' }, error ? problemNotice({}, reload) : skeleton(6)),
    ),
  });
  return {
    draw(params) {
      if (!made && !isLoading && !error) load();
      return made?.draw(params) ?? waiting();
    },
    reset: () => made?.reset(),
  };
}
