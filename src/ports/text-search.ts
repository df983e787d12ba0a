/** A port that runs untrusted patterns apart from the event loop; its shape grows with the search tools. */
export interface TextSearch {
  readonly placeholder?: never;
}
