export const format = (date, style) => (style === 'date' ? date.toISOString().slice(0, 10) : date.toISOString());
export const add = (date, { days }) => new Date(date.getTime() + days * 86_400_000);
