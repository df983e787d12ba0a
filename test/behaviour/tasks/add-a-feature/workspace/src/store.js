/** The notes in order. */
export function createStore() {
  const notes = [];
  return {
    add: (note) => notes.push(note),
    list: () => [...notes],
  };
}
