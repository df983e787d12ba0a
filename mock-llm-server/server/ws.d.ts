// The part of ws that the server uses; its types would be one more package.
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
  import type { Duplex } from 'node:stream';

  export class WebSocket extends EventEmitter {
    constructor(url: URL, options: { headers: OutgoingHttpHeaders; perMessageDeflate: false });
    send(text: string): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
    on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): this;
    on(event: 'open' | 'close', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export class WebSocketServer {
    constructor(options: {
      noServer: true;
      perMessageDeflate: false;
      maxPayload: number;
      maxFragments: number;
      maxPendingAutoPongs: number;
      closeTimeout: number;
    });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      accept: (client: WebSocket, request: IncomingMessage) => void,
    ): void;
  }
}
