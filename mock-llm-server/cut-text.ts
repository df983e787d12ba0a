/** The start of a text: at most `length` characters, none of them cut in two. Takes no longer for a longer text. */
export function startOfText(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length <= length ? text : characters.slice(0, length).join('');
}

/** As `startOfText`, with a sign behind it where there is more. */
export function cutText(text: string, length: number): string {
  const start = startOfText(text, length);
  return start === text ? text : `${start}…`;
}
