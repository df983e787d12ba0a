import { type MisplacedFields, problemText } from './strict-object.ts';

// Fields that are often written in the wrong object, by the object that they are written in.

/** The same explanation for each of the fields. */
function each(fields: string, text: string): MisplacedFields {
  return Object.fromEntries(fields.split(' ').map((field) => [field, text]));
}

const DELAYS = each(
  'latency latency_ms delay delay_ms',
  problemText('a step has its delays in "timing"', 'write "timing": {"time_to_first_token_ms": …} beside the response'),
);

/** Fields of a response that belong to its step or to another format. */
export const MISPLACED_IN_RESPONSE: MisplacedFields = {
  ...DELAYS,
  timing: DELAYS['delay'] ?? '',
  intent: problemText(
    'an intent is in the step itself or among the "tool_calls" of its response',
    'write the intent in place of the response, or "tool_calls": [{ "intent": … }]',
  ),
  fault: problemText('a fault is beside the response', 'move it out of the response, into the step'),
  ...each(
    'status error',
    problemText('a step has its fault beside the response', 'write "fault": {"status": 500} beside the response'),
  ),
  parts: problemText('the parts of an answer are in "content"', 'write "content" instead of "parts"'),
};

/** Fields that belong to another object than a step, whether it has a response or is an intent. */
const MISPLACED_BESIDE: MisplacedFields = {
  ...DELAYS,
  ...each(
    'times status retry_after headers body stall cut reset',
    problemText('a step has the fields of its fault in "fault"', 'write "fault": {"status": 429, "times": 2}'),
  ),
  ...each(
    'when if after trigger match',
    problemText(
      'a step has no condition: the results of its calls lead to the next one',
      'write a scenario with a "trigger" for each case, or "waits_for" for a message of the user',
    ),
  ),
  tool_result: problemText(
    'the results come from the client',
    'write "expect": {"tool_result": …} to check one, or leave it out',
  ),
};

export const MISPLACED_IN_STEP: MisplacedFields = {
  ...MISPLACED_BESIDE,
  ...each(
    'choices candidates finish_reason stop_reason content text message say reasoning tool_calls finish usage',
    problemText('a step has its answer in "response"', 'write "response": { … } around the answer'),
  ),
  ...each(
    'name arguments tool tool_call call function_call',
    problemText('a step has its calls in "response"', 'write "response": { "tool_calls": [{ … }] } around the call'),
  ),
};

export const MISPLACED_IN_INTENT: MisplacedFields = {
  ...MISPLACED_BESIDE,
  ...each(
    'arguments args params',
    problemText('an intent has its fields beside it', 'write the fields of the arguments beside "intent"'),
  ),
  response: problemText(
    'a step has a response or an intent, not both',
    'put the intent among the "tool_calls" of the response, or remove one of the two',
  ),
};

/** Fields of a scenario that belong to its trigger, to its steps or to the file. */
export const MISPLACED_IN_SCENARIO: MisplacedFields = {
  ...each(
    'model system protocol header tool tools regex',
    problemText(
      'a scenario has its conditions in "trigger"',
      'write them there, as in "trigger": {"text": "hi", "model": "gpt-5"}',
    ),
  ),
  ...each(
    'response content tool_calls fault timing expect',
    problemText(
      'a scenario has its answers in "steps"',
      'write it into a step: "steps": [{"response": {"content": "Hello."}, "fault": {"status": 500, "times": 1}}]',
    ),
  ),
  intents: problemText('the tools for intents are those of the whole file', 'write "intents" beside "scenarios"'),
};

const CONVERT = 'convert it with ybs story from FILE --out DIRECTORY';

/** Fields of a file that is something else. */
export const MISPLACED_IN_FILE: MisplacedFields = {
  ...each(
    'trigger steps',
    problemText('this is a scenario, not a file of them', 'write {"scenarios": [ … ]} around it'),
  ),
  fixtures: problemText('these are fixtures of aimock', CONVERT),
  ...each('interactions http_interactions', problemText('this is a cassette of recorded requests', CONVERT)),
  log: problemText('this is a HAR recording', CONVERT),
  ...each(
    'choices candidates output',
    problemText(
      'this is an answer of a protocol, not a file of scenarios',
      'write its text as a step: {"scenarios": [{"name": …, "trigger": …, "steps": [{"response": {"content": …}}]}]}',
    ),
  ),
};

/** The message for a file of another program, such as `package.json`. */
export const NO_SCENARIOS = problemText(
  'this is not a file of scenarios',
  'name the file or the directory of the scenarios; such a file has {"scenarios": [ … ]}',
);
