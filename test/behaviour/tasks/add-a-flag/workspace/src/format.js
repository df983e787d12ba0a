export function format({ lines, words }, options) {
  return options.lines ? `${lines}` : `${words}`;
}
