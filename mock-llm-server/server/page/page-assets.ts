/** Style of the page. Colors follow the setting of the system. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --soft: #59636e; --line: #d1d9e0; --back: #ffffff; --box: #f6f8fa;
  --bad: #b3261e; --good: #1a6b37; --note: #7a4f01; --focus: #0550ae;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --soft: #9aa4ae; --line: #3d444d; --back: #0d1117; --box: #161b22;
    --bad: #ff8b82; --good: #6fdd8b; --note: #e3b341; --focus: #79b8ff;
  }
}
body { margin: 0 auto; max-width: 70rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: baseline; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.25rem; margin: 0.5rem 0; }
h2 { font-size: 0.9rem; margin: 0.75rem 0 0.25rem; color: var(--soft); }
header form { display: flex; gap: 0.5rem; align-items: baseline; }
#requests { list-style: none; margin: 1rem 0; padding: 0; }
#requests > li { border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.5rem 0; }
summary { padding: 0.5rem 0.75rem; cursor: pointer; overflow-wrap: anywhere; }
.body { padding: 0 0.75rem 0.75rem; }
pre { margin: 0.25rem 0; padding: 0.5rem; background: var(--box); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow: auto; unicode-bidi: isolate; font: 0.85rem/1.45 ui-monospace, monospace; }
.soft { color: var(--soft); } .bad { color: var(--bad); } .good { color: var(--good); } .note { color: var(--note); }
button, input { font: inherit; padding: 0.2rem 0.6rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
`;

/**
 * Script of the page. It requests the page with the entries after the last one that it shows, and adopts their list
 * items: the server has escaped every text in them, and the policy of the page lets nothing in them run.
 */
export const SCRIPT = `
'use strict';
const EVERY_MS = 1000;
const MAX_SHOWN = 200;
const list = document.getElementById('requests');
const status = document.getElementById('status');
const pause = document.getElementById('pause');
const older = document.getElementById('older');
let last = Number(list.dataset.last);

async function refresh() {
  const query = new URLSearchParams(location.search);
  query.set('after', String(last));
  const response = await fetch('/__mock?' + query);
  if (!response.ok) throw new Error(String(response.status));
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.getElementById('requests');
  const next = Number(fresh.dataset.last);
  if (next < last) return location.reload();
  last = next;
  for (const item of [...fresh.children].reverse()) list.prepend(document.adoptNode(item));
  if (list.children.length > MAX_SHOWN) {
    while (list.children.length > MAX_SHOWN) list.lastElementChild.remove();
    const link = new URL(older.href);
    link.searchParams.set('before', list.lastElementChild.dataset.number);
    older.href = link.href;
    older.parentElement.hidden = false;
  }
  const text = page.getElementById('status').textContent;
  if (status.textContent !== text) status.textContent = text;
}

async function watch() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    if (document.hidden || pause.getAttribute('aria-pressed') === 'true') continue;
    try {
      await refresh();
    } catch {
      status.textContent = 'The server does not answer.';
    }
  }
}

pause.addEventListener('click', () => {
  const paused = pause.getAttribute('aria-pressed') !== 'true';
  pause.setAttribute('aria-pressed', String(paused));
});

list.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]');
  if (button === null) return;
  const source = button.parentElement.querySelector('pre.scenario');
  const result = button.parentElement.querySelector('[role=status]');
  try {
    await navigator.clipboard.writeText(source.textContent);
    result.textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(source);
    result.textContent = 'The browser does not allow copying. The text is selected; copy it with the keyboard.';
  }
});
// Older requests do not change.
if (!new URLSearchParams(location.search).has('before')) {
  pause.hidden = false;
  void watch();
}
`;
