/** The first line of a file of httprr, which tests in Go record. */
const HEAD = 'httprr trace v1\n';

/** Reports whether bytes are a file of httprr. */
export function isHttprr(bytes: Buffer): boolean {
  return bytes.subarray(0, HEAD.length).toString('latin1') === HEAD;
}

/** The exchanges of a file of httprr: a line with two lengths, and a request and a response as HTTP/1.1 sends them. */
export function readHttprr(bytes: Buffer): readonly object[] {
  const exchanges: object[] = [];
  let position = HEAD.length;
  while (position < bytes.length) {
    const end = bytes.indexOf('\n', position);
    const [request = Number.NaN, response = Number.NaN] = bytes
      .toString('latin1', position, end)
      .split(' ')
      .map(Number);
    const middle = end + 1 + request;
    // A file that was cut ends with the last whole exchange.
    if (end === -1 || !(middle + response <= bytes.length)) break;
    const asked = readMessage(bytes.subarray(end + 1, middle));
    const answered = readMessage(bytes.subarray(middle, middle + response));
    const [method, url] = asked.start.split(' ');
    const status = Number(answered.start.split(' ')[1]);
    exchanges.push({ request: { ...asked, method, url }, response: { ...answered, status } });
    position = middle + response;
  }
  return exchanges;
}

function readMessage(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString('latin1');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  return { start, headers, body: headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body };
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let position = 0; position < bytes.length; ) {
    const end = bytes.indexOf('\r\n', position);
    const length = Number.parseInt(bytes.toString('latin1', position, end), 16);
    if (end === -1 || !(length > 0)) break;
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    position = end + 4 + length;
  }
  return Buffer.concat(chunks);
}
