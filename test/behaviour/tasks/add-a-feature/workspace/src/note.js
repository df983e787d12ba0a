/** A note; its text must not be empty. */
export function createNote(text) {
  if (text.trim() === '') throw new Error('A note needs a text.');
  return { text };
}
