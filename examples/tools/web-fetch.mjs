#!/usr/bin/env node
// Fetches a page and prints its readable text. It connects to public addresses only, because a model that was misled by
// a page must not reach the servers of your network. WEB_FETCH_ALLOW lists exceptions: localhost:3000,wiki.example
import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';

const SCHEMA = {
  name: 'web_fetch',
  description: 'Fetch a web page and return its text, with links. Only public http and https addresses.',
  parameters: { url: { type: 'string', required: true, description: 'Address of the page' } },
};

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 5;

/** The IPv4 ranges that are not public: this machine, private networks, link-local, shared, reserved, multicast. */
const NOT_PUBLIC = new BlockList();
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '))) {
  const [network, bits] = range.split('/');
  NOT_PUBLIC.addSubnet(network, Number(bits), 'ipv4');
}
/** Public IPv6 addresses, and the parts of them that lead elsewhere: into tunnels to IPv4, or to documentation. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
const TUNNELS = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]) {
  TUNNELS.addSubnet(network, bits, 'ipv6');
}

function isPublic(address) {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return GLOBAL.check(address, 'ipv6') && !TUNNELS.check(address, 'ipv6');
}

function requirePublic(address, host) {
  if (isPublic(address)) return;
  const shown = address === host ? address : `${host} (${address})`;
  throw new Error(`${shown} is not a public address. The user can allow it with WEB_FETCH_ALLOW=${host}.`);
}

/** Resolves a name and checks every address of it. The connection uses exactly these, so no later answer can differ. */
function lookUpPublic(host, options, callback) {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error);
    try {
      for (const { address } of addresses) requirePublic(address, host);
    } catch (refusal) {
      return callback(refusal);
    }
    if (options.all) return callback(null, addresses);
    return callback(null, addresses[0].address, addresses[0].family);
  });
}

/** Sends one request and returns its response, whose body is not read. */
function request(url, signal) {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol} addresses are not fetched.`);
  if (url.username !== '' || url.password !== '') throw new Error('Addresses with a user or password are not fetched.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const allowed = (process.env.WEB_FETCH_ALLOW ?? '').split(',').map((each) => each.trim());
  const isAllowed = allowed.includes(url.host) || allowed.includes(host);
  if (!isAllowed && isIP(host) !== 0) requirePublic(host, host);
  const headers = { accept: 'text/html, text/*;q=0.9, application/json;q=0.8', 'accept-encoding': 'identity' };
  const { get } = url.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    get(url, { headers, signal, agent: false, ...(!isAllowed && { lookup: lookUpPublic }) }, resolve).on(
      'error',
      reject,
    );
  });
}

async function fetchText(address) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = new URL(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await request(url, signal);
    const { statusCode: status, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy();
      // Checked like the first address, in the next turn.
      url = new URL(headers.location, url);
      continue;
    }
    const text = await readBody(response);
    if (status >= 400) throw new Error(`${url} answered with status ${status}: ${text.slice(0, 300)}`);
    return { success: true, result: `${url}\n\n${text}` };
  }
  throw new Error(`${address} redirects more than ${MAX_REDIRECTS} times.`);
}

async function readBody(response) {
  const type = response.headers['content-type'] ?? 'text/plain';
  if (!/^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml))/i.test(type))
    throw new Error(`The page is ${type}, not text.`);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Error(`The page is compressed with ${encoding}, which was not asked for.`);
  const pieces = [];
  let size = 0;
  for await (const piece of response) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Error(`The page is larger than ${MAX_BYTES / 1024 / 1024} MB.`);
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  const charset =
    /charset="?([\w-]+)/i.exec(type) ??
    /<meta[^>]{0,200}charset="?([\w-]+)/i.exec(body.subarray(0, 1024).toString('latin1'));
  const text = decode(body, charset?.[1] ?? 'utf-8');
  return /^(?:text\/html|application\/xhtml)/i.test(type) ? readable(text) : text;
}

function decode(body, charset) {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Elements whose content is not text for readers. */
const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'select']);
const BLOCK =
  /^(?:p|div|section|article|header|footer|main|nav|aside|ul|ol|table|tr|h[1-6]|blockquote|pre|form|dl|dt|dd|hr|title|figure)$/;
const TAG = /<(\/?)([a-zA-Z][^\s/<>]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>/y;
const ENTITIES = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
};

/** The text of a page, in time proportional to its length. Headings, list items and links are marked as in Markdown. */
function readable(html) {
  // Only ASCII, because some other letters have another length in lower case.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const parts = [];
  const links = [];
  let preformatted = 0;
  let position = 0;
  const addText = (text) => parts.push(decodeEntities(preformatted > 0 ? text : text.replace(/\s+/g, ' ')));
  while (position < html.length) {
    const start = html.indexOf('<', position);
    if (start !== position) addText(html.slice(position, start < 0 ? undefined : start));
    if (start < 0) break;
    if (html.startsWith('<!', start) || html.startsWith('<?', start)) {
      position = endAfter(html, html.startsWith('<!--', start) ? '-->' : '>', start);
      continue;
    }
    TAG.lastIndex = start;
    const tag = TAG.exec(html);
    if (tag === null) {
      addText('<');
      position = start + 1;
      continue;
    }
    position = TAG.lastIndex;
    const name = tag[2].toLowerCase();
    const closes = tag[1] === '/';
    if (!closes && SKIPPED.has(name)) position = endAfter(html, '>', endAfter(lower, `</${name}`, position));
    if (name === 'br') parts.push('\n');
    if (name === 'li' && !closes) parts.push('\n- ');
    if (name === 'pre') preformatted = Math.max(0, preformatted + (closes ? -1 : 1));
    if ((name === 'td' || name === 'th') && !closes) parts.push(' ');
    if (BLOCK.test(name)) parts.push('\n\n');
    if (/^h[1-6]$/.test(name) && !closes) parts.push(`${'#'.repeat(Number(name[1]))} `);
    if (name === 'a') {
      const href = closes
        ? links.pop()
        : (/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag[3]) ?? []).slice(1).find(Boolean);
      if (!closes) links.push(href);
      if (href !== undefined && /^https?:/i.test(href)) parts.push(closes ? `](${decodeEntities(href)})` : '[');
    }
  }
  const lines = parts
    .join('')
    .split('\n')
    .map((line) => line.trimEnd().replace(/^ (?=\S)/, ''));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function endAfter(text, end, from) {
  const index = text.indexOf(end, from);
  return index < 0 ? text.length : index + end.length;
}

function decodeEntities(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

async function main() {
  if (process.argv[2] === '--schema') return SCHEMA;
  let input = '';
  for await (const piece of process.stdin.setEncoding('utf8')) input += piece;
  try {
    return await fetchText(JSON.parse(input).url);
  } catch (error) {
    process.exitCode = 1;
    return {
      success: false,
      error: error.name === 'TimeoutError' ? 'The server did not answer in time.' : error.message,
    };
  }
}

console.log(JSON.stringify(await main()));
