#!/usr/bin/env node
// Searches the web with a SearXNG server, https://docs.searxng.org. SEARXNG_URL is its address; its settings.yml must
// list json under search.formats.

const SCHEMA = {
  name: 'web_search',
  description: 'Search the web. Returns titles, URLs and snippets.',
  parameters: {
    query: { type: 'string', required: true, description: 'Search query' },
    max_results: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
  },
};

const TIMEOUT_MS = 15_000;
const MAX_SNIPPET = 500;

/** Returns the answer to one call; a thrown error becomes the reason of a failure. */
async function search({ query, max_results: maxResults = 5 }) {
  const server = process.env.SEARXNG_URL ?? 'http://localhost:8080';
  const url = new URL('search', server.endsWith('/') ? server : `${server}/`);
  url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    const reason = error.name === 'TimeoutError' ? 'it did not answer in time' : (error.cause?.code ?? error.message);
    throw new Error(`There is no SearXNG at ${server} (${reason}). Set SEARXNG_URL to the address of one.`);
  });
  if (response.status === 403) throw new Error(`${server} does not answer in JSON. Add json to search.formats there.`);
  if (!response.ok) throw new Error(`${server} answered with status ${response.status}.`);
  const { results } = await response.json().catch(() => ({}));
  if (!Array.isArray(results)) throw new Error(`${server} did not answer as a SearXNG does.`);
  return {
    success: true,
    results: results.slice(0, maxResults).map(({ title, url: link, content }) => ({
      title,
      url: link,
      snippet: String(content ?? '').slice(0, MAX_SNIPPET),
    })),
  };
}

async function main() {
  if (process.argv[2] === '--schema') return SCHEMA;
  let input = '';
  for await (const piece of process.stdin.setEncoding('utf8')) input += piece;
  try {
    return await search(JSON.parse(input));
  } catch (error) {
    process.exitCode = 1;
    return { success: false, error: error.message };
  }
}

console.log(JSON.stringify(await main()));
