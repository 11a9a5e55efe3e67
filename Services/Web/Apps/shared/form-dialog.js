// Dialogs with a form.

import { dialog } from './dialogs.js';
import { h, render } from './dom.js';
import { createForm } from './forms.js';

/** A dialog with a form: `view(form, close)` is redrawn at each change. */
export function formDialog(title, view, { fieldOf = {}, look = '' } = {}) {
  return dialog(
    title,
    (close) => {
      const box = h('div', { class: 'stack' });
      const draw = () => render(box, view(form, close));
      const form = createForm(draw, fieldOf);
      form.draw = draw;
      draw();
      return box;
    },
    { look },
  );
}
