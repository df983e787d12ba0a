import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { JournalEntry } from '../../journal/entry.ts';
import { isMissed } from '../../journal/tally.ts';
import { describeUnmet } from '../../matching/check-expectations.ts';
import { writeScenario } from '../../matching/explain-miss.ts';
import type { ScenarioSet } from '../../scenario/prepare.ts';
import { countOf } from '../../text.ts';
import { SCRIPT, STYLE } from './page-assets.ts';

/** A part of the page, whose texts are escaped. */
type Html = ReturnType<typeof html>;

/** Requests on one page. */
const MAX_SHOWN = 100;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Headers of the page: nothing but its own style and script runs, and no other page can show it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The requests to show, and the scenarios that answer them. */
export interface PageContent {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly scenarios: ScenarioSet;
  readonly testId: string | undefined;
  /** The token that the address of the page has, if any. */
  readonly key: string | undefined;
  /** Shows only requests with a larger number. */
  readonly after: number;
  /** Shows only requests with a smaller number; undefined for the newest ones. */
  readonly before: number | undefined;
}

/** Renders a page of requests, newest first. */
export function renderPage({ entries, scenarios, testId, key, after, before }: PageContent): Html {
  const wanted = entries.filter(({ number }) => number > after && number < (before ?? Number.POSITIVE_INFINITY));
  const shown = wanted.slice(-MAX_SHOWN);
  const last = entries.at(-1)?.number ?? 0;
  const first = shown[0]?.number ?? 0;
  const linkTo = (query: Readonly<Record<string, string>>) =>
    `/__mock?${new URLSearchParams({ ...(testId !== undefined && { test: testId }), ...(key !== undefined && { key }), ...query })}`;
  const items = shown.toReversed().map((entry) => renderEntry(entry, scenarios));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mock-llm-server</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<h1>mock-llm-server</h1>
<p id="status" role="status">${describeAll(entries)}</p>
<form method="get" action="/__mock" role="search">
<label for="test">Test id</label>
<input id="test" name="test" value="${testId ?? ''}" autocomplete="off">
${key === undefined ? '' : html`<input type="hidden" name="key" value="${key}">`}<button type="submit">Show</button>
</form>
<button id="pause" type="button" aria-pressed="false" hidden>Pause</button>
</header>
<main>
${before === undefined ? '' : html`<p><a href="${linkTo({})}">Newest requests</a></p>`}
<ol id="requests" aria-label="Requests, newest first" data-last="${last}">${items}</ol>
<p${raw(wanted.length > shown.length ? '' : ' hidden')}><a id="older" href="${linkTo({ before: String(first) })}">Older requests</a></p>
</main>
<noscript><p>Reload the page to see new requests.</p></noscript>
<script>${raw(SCRIPT)}</script>
</body>
</html>`;
}

function describeAll(entries: readonly JournalEntry[]): string {
  const refused = entries.filter(({ error, fault }) => error !== undefined && fault === undefined).length;
  const unmet = entries.reduce((sum, entry) => sum + (entry.unmet?.length ?? 0), 0);
  const drifted = entries.reduce((sum, entry) => sum + (entry.drift?.length ?? 0), 0);
  return [
    entries.length === 0 ? 'No request yet' : countOf(entries.length, 'request'),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unmet > 0 ? [`${countOf(unmet, 'expectation')} not met`] : []),
    ...(drifted > 0 ? [`${countOf(drifted, 'part')} drifted`] : []),
  ].join(', ');
}

function renderEntry(entry: JournalEntry, scenarios: ScenarioSet): Html {
  const { number, testId, protocol, method, path, model, status, request, tools, served } = entry;
  const test = testId === undefined ? '' : html` <span class="soft">test ${testId}</span>`;
  return html`<li data-number="${number}">
<details>
<summary><strong>${number}</strong> ${method} ${path} <span class="${status < 400 ? 'good' : 'bad'}">${status}</span>
${describeSource(entry)}${test}${badges(entry)}</summary>
<div class="body">
${section('Explanation', entry.error === undefined ? [] : [entry.error])}
${section('Expectations not met', (entry.unmet ?? []).map(describeUnmet))}
${section(
  'Drift',
  (entry.drift ?? []).map(({ part, summary, diff }) => `${part}: ${summary}\n${diff}`.trim()),
)}
${section('Fault', entry.fault === undefined ? [] : [entry.fault])}
${section('Lint', entry.lint)}
${section('Notes', entry.notes ?? [])}
${section('System', request.system === '' ? [] : [request.system])}
${section('User', request.user)}
${section('Tool results', request.results)}
${section('Body', request.body === undefined ? [] : [request.body])}
${section(
  'Tool calls of the answer',
  (entry.calls ?? []).map((call) => `${call.name} ${call.arguments}`),
)}
${section('Answer as sent', served.text === '' ? [] : [served.text])}
<p class="soft">${protocol}, model ${model ?? 'unknown'}, ${countOf(request.messages, 'message')},
${tools.length === 0 ? 'no tools' : `tools ${tools.join(', ')}`}, ${countOf(served.bytes, 'byte')} sent</p>
<div>
<button type="button" data-copy>Copy a scenario for this request</button> <span role="status"></span>
<pre class="scenario" hidden>${scenarioFor(entry, scenarios)}</pre>
</div>
</div>
</details>
</li>
`;
}

function section(title: string, texts: readonly string[]): Html | '' {
  if (texts.length === 0) return '';
  return html`<h2>${title}</h2>${texts.map((text) => html`<pre tabindex="0">${text}</pre>`)}`;
}

function describeSource(entry: JournalEntry): Html | string {
  const { scenario, step, auxiliary, error } = entry;
  if (scenario !== undefined) return `${scenario}, step ${step}`;
  if (auxiliary !== undefined) return `auxiliary request: ${auxiliary}`;
  if (entry.pastEnd !== undefined) return html`<span class="bad">past the last step of ${entry.pastEnd}</span>`;
  if (isMissed(entry)) return html`<span class="bad">${entry.code ?? 'refused'}</span>`;
  return error === undefined ? 'default response' : html`<span class="bad">refused</span>`;
}

function badges({ fault, drift = [], unmet = [] }: JournalEntry): Html {
  const notes = [
    ...(unmet.length > 0 ? [{ className: 'bad', text: `${countOf(unmet.length, 'expectation')} not met` }] : []),
    ...(drift.length > 0 ? [{ className: 'note', text: `${countOf(drift.length, 'part')} drifted` }] : []),
    ...(fault === undefined ? [] : [{ className: 'note', text: fault }]),
  ];
  return html`${notes.map(({ className, text }) => html` · <span class="${className}">${text}</span>`)}`;
}

/** A scenario file that answers a request like this one, as it was answered. */
function scenarioFor(entry: JournalEntry, scenarios: ScenarioSet): string {
  const line =
    entry.request.user
      .at(-1)
      ?.split('\n')
      .find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const known = scenarios.scenarios.find(({ name }) => name === entry.scenario)?.steps[entry.step ?? -1];
  const calls = (entry.calls ?? []).map(({ name, arguments: text }) => ({ function: { name, arguments: text } }));
  const response =
    calls.length > 0
      ? { ...(known?.content !== undefined && { content: known.content }), tool_calls: calls }
      : { content: known?.content ?? 'The answer.' };
  const last = calls.length > 0 ? [{ response: { content: 'Done.' } }] : [];
  return JSON.stringify({ scenarios: [writeScenario(line, scenarios, [{ response }, ...last])] }, null, 2);
}
