/** A number with its noun: `1 line`, `2 lines`. The default plural ends in `s`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Formats a size for people: `512 bytes`, `1.5 KB`, `25.0 MB`. A KB has 1024 bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** A number with separators of thousands. */
export function withSeparators(number: number): string {
  return number.toLocaleString('en');
}

/** An amount of US dollars. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
