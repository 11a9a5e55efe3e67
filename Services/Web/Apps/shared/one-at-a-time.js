// Guards against a second tap.

/** The task, which a second tap does not begin again while the first one is being answered. */
export function oneAtATime(task) {
  let isBusy = false;
  return async (...values) => {
    if (isBusy) return undefined;
    isBusy = true;
    try {
      return await task(...values);
    } finally {
      isBusy = false;
    }
  };
}
