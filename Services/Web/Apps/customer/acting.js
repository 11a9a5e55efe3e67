// What a button of a screen does, one at a time.

/**
 * Runs a task for whoever looks at `current()`: its `busy` names the task meanwhile, its `problem` what it was refused
 * for. `act.button(name)` is how the button of a task looks: busy while its own task runs, disabled while any does. That
 * may be after the stream has shown what the task changed, and a tap would be dropped.
 */
export function createAct(current, { redraw, after = redraw, refused }) {
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
  act.button = (name, isDisabled = false) => ({ isBusy: current().busy === name, disabled: Boolean(current().busy) || isDisabled });
  return act;
}
