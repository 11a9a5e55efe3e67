/** Returns a function that takes values, and calls `task` with all that came within `wait` ms of the first. */
export function collect(wait, task) {
  const values = new Set();
  return (...added) => {
    if (!values.size)
      setTimeout(() => {
        const all = [...values];
        values.clear();
        task(all);
      }, wait);
    for (const value of added) values.add(value);
  };
}
