export function formatEntry({ text, cents }) {
  return `${text}: ${(cents / 100).toFixed(2)}`;
}
