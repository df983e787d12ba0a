/**
 * Starts of the texts in which agents without native tool calls send results. Each row names its agents; the text after
 * the start may be anything.
 */
const RESULT_STARTS: readonly RegExp[] = [
  /(?:Call id: [^\n]*\n)?(?:Observation|Error):\n/, // smolagents
  /Observation: /, // LlamaIndex and LangChain (ReAct)
  /OBSERVATION:\n/, // SWE-agent
  /(?:<exception>[^<]*<\/exception>\n)?<returncode>/, // mini-swe-agent
  /Format error:\n|Your previous response reached the output token limit/, // mini-swe-agent, an answer without a command
  /<system>/, // gptme with models that take no system texts after the first
  /# Fix any errors below, if possible\./, // aider, lint
  /I ran this command:\n\n/, // aider, tests and commands
  /# \d+ SEARCH\/REPLACE blocks? failed to match!/, // aider, an edit that does not fit
  /I (?:added these|have updated the set of) files /, // aider, files that an answer mentions
  /EXECUTION RESULT of \[/, // OpenHands
  /exitcode: -?\d+ \(execution /, // AutoGen
  /\[[\w-]+(?: for '[^\n]*')?\] Result:/, // Cline and Roo with tools in XML
];
const RESULT_START = new RegExp(`^\\s*(?:${RESULT_STARTS.map(({ source }) => source).join('|')})`);

/** True if a text has the form of a result of an agent without native tool calls. Pure, in linear time. */
export function isResultText(text: string): boolean {
  // aider repeats the answer up to a mistake in its format.
  return RESULT_START.test(text) || text.includes('\n^^^ ');
}

/** A mark that every text with results within it contains, and the start of each result. */
const WITHIN: readonly { readonly mark: string; readonly result: RegExp; readonly end: RegExp }[] = [
  // dspy.ReAct sends its trajectory in each prompt.
  { mark: '[[ ## observation_', result: /\[\[ ## observation_\d+ ## \]\]\n/g, end: /\n\s*\[\[ ## |\n\nRespond with/g },
  // Agents of LangChain send their scratchpad in each prompt.
  { mark: '\nAction Input:', result: /\nObservation: ?/g, end: /\nThought:|\nAction:/g },
];

/** A prompt with the results that it contains, in order; undefined for one without. Pure, in linear time. */
export function resultsWithin(
  text: string,
): { readonly prompt: string; readonly results: readonly string[] } | undefined {
  const form = WITHIN.find(({ mark }) => text.includes(mark));
  if (form === undefined) return undefined;
  const starts = [...text.matchAll(form.result)];
  const [first] = starts;
  if (first === undefined) return undefined;
  const ends = [...text.matchAll(form.end)].map(({ index }) => index);
  let next = 0;
  const results = starts.map(({ 0: start, index }) => {
    const from = index + start.length;
    while (Number(ends[next]) < from) next++;
    return text.slice(from, ends[next]).trimEnd();
  });
  return { prompt: text.slice(0, first.index), results };
}
