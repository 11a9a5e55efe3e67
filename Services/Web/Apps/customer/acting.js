// What a button of a screen does, one at a time.

/**
 * Runs a task for whoever looks at `current()`: its `busy` names the task meanwhile, its `problem` what it was refused
 * for. The buttons of all other tasks are `disabled` as long as it is busy, which may be after what they are of is
 * shown: a tap would do nothing.
 */
export const createAct = (current, { redraw, after = redraw, refused }) => async (name, task) => {
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
