import { RECORD_HELP } from './record-arguments.ts';
import { WEIGHTS_HELP } from './weights-arguments.ts';

export const HELP = `Usage: mock-llm-server [SCENARIOS…] [options]
       mock-llm-server explain REQUEST.json [options]
       mock-llm-server validate PATH…
       mock-llm-server verify [URL] [options]
       mock-llm-server record --upstream URL --out DIRECTORY [options]
       mock-llm-server weights SCENARIO… --out DIRECTORY [options]

A model that answers from scenario files, over the protocols of real providers.

Options:
  --port N             port to listen on, 0 picks a free one (default 8000)
  --host ADDRESS       address to listen on (default 127.0.0.1); one that other
                       machines can reach needs a token
  --token TOKEN        API key that requests must send, better set as
                       MOCK_LLM_SERVER_TOKEN; generated and printed if needed
  --allow-host NAME    further host name that clients use for the server
  --scenarios PATH…    scenario files, story directories, directories of them or
                       globs in double quotes, in this order (default: the
                       stories that come with the server); the option can be
                       left out before the other options
  --lint MODE          how to treat requests that a provider rejects: fail
                       (default) rejects them, warn answers and logs them, off
                       answers them
  --as SERVICE         answer and refuse as this service: openai, deepseek …
                       (default: that of the path or the model)
  --allow RULE         do not refuse what this rule of a service names; can be
                       repeated (docs/services.md lists the rules)
  --limits MODE        how to treat limits such as max_tokens and stop: apply
                       (default) cuts the answer there, ignore does not
  --drift MODE         how to treat prompts that differ from prompt.lock.json:
                       warn (default) reports them, fail also ends with exit
                       code 1, off does not compare them
  --chaos RATE         fraction of requests to fail (0 to 1)
  --seed N             seed of --chaos; the same seed fails the same requests
  --no-watch           do not load scenarios again when their files change
  --version            print the version
  -h, --help           print this help

explain prints the answer to the body of a request, and the reason for it;
- reads the body from standard input. Options besides --scenarios, --lint, --as,
--allow and --limits:
  --protocol NAME      openai-chat (default), openai-responses, gemini,
                       anthropic-messages, bedrock-converse,
                       gemini-interactions or ollama
  --path PATH          path of the request, instead of a protocol
  --header "N: V"      header of the request
Exit codes: 0 a reply, 1 an error, 2 wrong usage or an invalid file.

validate checks scenario files: whether they load, whether each trigger can
start its scenario, whether each step can be sent. Exit codes: 0 no warnings,
1 warnings, 2 wrong usage or an invalid file.

verify asks a running server (default http://127.0.0.1:8000) what its clients
did: the steps used, expectations that were not met, requests that missed, what
happened after faults, prompts that no cache can serve. Options:
  --test ID            check only requests with the header x-test-id: ID
  --fail-on KINDS      problems that fail: expectation, miss, past_end, unused,
                       resilience, history (these are the default), drift and
                       cache, separated by commas
  --format NAME        text (default), json or junit
  --token TOKEN        token of the server, or MOCK_LLM_SERVER_TOKEN
Exit codes: 0 passed, 1 failed, 2 wrong usage or no answer.

${RECORD_HELP}
${WEIGHTS_HELP}
The first line on standard output is {"event":"listening","url":"http://…"}.
Logs go to standard error. Exit codes: 0 stopped by a signal, 1 the server
could not start or --drift fail found drift, 2 wrong usage or an invalid
scenario file.
`;
