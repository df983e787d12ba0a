import { createNote } from './note.js';

/** Runs a command on a store and returns the lines to print. */
export function run(store, [command, ...words]) {
  if (command === 'add') store.add(createNote(words.join(' ')));
  return store.list().map(({ text }, index) => `${index + 1} ${text}`);
}
