/** The only source of identifiers; each call returns a text that this process has not returned before. */
export type NextId = (prefix: string) => string;
