// Runs a screen's actions, one at a time.

/**
 * Runs a task of the screen that shows `current()`: its `busy` names the running task, its `problem` the reason of a
 * refusal. `act.button(name)` returns the button's state: busy while its own task runs, disabled while any does. A task
 * may still run when the stream has shown its change, and a tap would be dropped then.
 */
export function createAct(current, { redraw, after = redraw, refused = null }) {
  const act = async (name, task) => {
    const state = current();
    if (state.busy) return;
    Object.assign(state, { busy: name, problem: null });
    redraw();
    try {
      await task(state);
    } catch (error) {
      state.problem = error;
      refused?.(error);
    }
    state.busy = null;
    after();
  };
  act.button = (name, isDisabled = false) => ({
    isBusy: current().busy === name,
    disabled: Boolean(current().busy) || isDisabled,
  });
  return act;
}
