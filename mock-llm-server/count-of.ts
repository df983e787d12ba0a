/** A number and what it counts: `1 scenario`, `2 scenarios`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
