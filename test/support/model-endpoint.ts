import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the endpoint got it. */
export interface ModelRequest {
  readonly model: string;
  /** How the shape of the answer is asked for. */
  readonly rung: 'json_schema' | 'tool' | 'prompt';
  readonly turns: readonly { role: string; content: string }[];
  /** What is extracted from, where that is what is asked. */
  readonly items: readonly { item: number; text: string; speaker: string; observed_at: string }[];
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

/** What the endpoint does with a request. */
export type Reply =
  /** Answers a JSON value in the way that was asked for. */
  | { readonly say: unknown }
  /** Answers a text as the content of a message, whatever was asked for. */
  | { readonly words: string }
  /** Answers a list of parts as the content of a message; a stream has each of them in a piece of its own. */
  | { readonly parts: readonly object[] }
  | { readonly refuse: string }
  /** Answers a status with a body of JSON. */
  | { readonly status: number; readonly headers?: Record<string, string> }
  /** Answers 200 with bytes that are no completion. */
  | { readonly bytes: string }
  /** Says nothing at all. */
  | { readonly silent: true }
  /** Sends the headers and half of an answer, then nothing more. */
  | { readonly stalled: true }
  /** Sends half of an answer and cuts the connection. */
  | { readonly cut: true }
  /** Ends its answer at a limit of tokens. */
  | { readonly short: string }
  /** Streams pieces of a text, then ends as it should, cuts the connection, or says nothing more. */
  | { readonly pieces: readonly string[]; readonly then?: 'end' | 'cut' | 'stall' }
  /**
   * Streams values as they are, byte by byte where that is asked for; then says that it is over, and closes the connection or leaves it
   * open.
   */
  | { readonly events: readonly unknown[]; readonly open?: boolean; readonly byBytes?: boolean };

/** A request for embeddings as the endpoint got it. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

/** What the endpoint does with a request for embeddings: `data` is answered as it is, as the list of vectors. */
export type EmbeddingReply =
  | { readonly data: readonly unknown[] }
  | Extract<
      Reply,
      { status: number } | { bytes: string } | { silent: true } | { stalled: true } | { cut: true }
    >;

/** Tells what to do with a request for embeddings. */
export type EmbeddingScript = (request: EmbeddingRequest, number: number) => EmbeddingReply;

/** The length of the vectors of {@link LETTERS}. */
export const LETTER_DIMENSIONS = 26;

/** A model whose vector of a text counts its letters: texts of the same letters are alike. */
export const LETTERS: EmbeddingScript = ({ input }) => ({
  data: input.map((text, index) => ({ object: 'embedding', index, embedding: lettersOf(text) })),
});

/** How often each letter stands in a text. */
export function lettersOf(text: string): number[] {
  const counts = Array.from({ length: LETTER_DIMENSIONS }, () => 0);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < LETTER_DIMENSIONS) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** Tells what to do with a request. */
export type Script = (request: ModelRequest, number: number) => Reply;

/** A statement as a model writes it; `more` replaces single fields. */
export function statement(item: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    item,
    subject: 'Ada',
    subject_type: 'person',
    predicate: 'lives_in',
    object: 'Turin',
    object_type: 'place',
    holds: 'yes',
    valid_from: null,
    valid_to: null,
    confidence: 0.9,
    cardinality: 'one',
    quote: '',
    ...more,
  };
}

/** A model that reads texts of the form `Name verb Object`, and finds nothing in others. */
export const SIMPLE_MIND: Script = ({ items }) => ({
  say: {
    statements: items.flatMap(({ item, text }) => {
      const found = /(\w+) (\w+_\w+|likes|owns) (\w+)/.exec(text);
      const [quote, subject, predicate, object] = found ?? [];
      return quote === undefined ? [] : [statement(item, { subject, predicate, object, quote })];
    }),
  },
});

/** An HTTP server that speaks the OpenAI wire and does what its script says. */
export class ModelEndpoint {
  readonly requests: ModelRequest[] = [];
  readonly embeddings: EmbeddingRequest[] = [];
  /** Requests whose connection was closed before they were answered. */
  private readonly left = new Set<ModelRequest>();
  script: Script;
  embeddingScript: EmbeddingScript = LETTERS;
  /** What it lists as its models; a number is answered as the status. */
  models: readonly string[] | number | 'silent' = 404;
  /** How often the list was asked for. */
  listed = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(script: Script) {
    this.script = script;
    this.server = createServer((request, response) => {
      void this.serve(request, response);
    });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(script: Script = SIMPLE_MIND): Promise<ModelEndpoint> {
    const endpoint = new ModelEndpoint(script);
    endpoint.server.listen(0, '127.0.0.1');
    await once(endpoint.server, 'listening');
    return endpoint;
  }

  /** Base address of its routes. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** How many requests were left before they were answered. */
  get abandoned(): number {
    return this.left.size;
  }

  /** Requests that were not left before they were answered, in their order. */
  get answered(): ModelRequest[] {
    return this.requests.filter((request) => !this.left.has(request));
  }

  /** Texts of all items that it was asked about and not left alone with, in the order of the requests. */
  get texts(): string[] {
    return this.answered.flatMap(({ items }) => items.map(({ text }) => text));
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await once(this.server, 'close');
  }

  private list(response: ServerResponse): void {
    this.listed += 1;
    const { models } = this;
    if (models === 'silent') return;
    const isList = typeof models !== 'number';
    const body = isList ? { object: 'list', data: models.map((id) => ({ id, object: 'model' })) } : {};
    response
      .writeHead(isList ? 200 : models, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET') {
      this.list(response);
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const { authorization } = request.headers;
    if (request.url?.endsWith('/embeddings')) {
      const asked = { model: body.model, input: body.input, authorization, body };
      this.embeddings.push(asked);
      const reply = this.embeddingScript(asked, this.embeddings.length);
      if (!('data' in reply)) {
        actPlainly(reply, response);
        return;
      }
      const usage = { prompt_tokens: 7 * asked.input.length, total_tokens: 7 * asked.input.length };
      const answer = { object: 'list', model: asked.model, data: reply.data, usage };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      return;
    }
    const asked = requestOf(body, authorization);
    this.requests.push(asked);
    response.once('close', () => {
      if (!response.writableFinished) this.left.add(asked);
    });
    act(this.script(asked, this.requests.length), asked, response);
  }
}

function requestOf(body: any, authorization: string | undefined): ModelRequest {
  const turns = body.messages as { role: string; content: string }[];
  const user = turns.find(({ role }) => role === 'user')?.content ?? '';
  return {
    model: body.model,
    rung: body.response_format ? 'json_schema' : body.tools ? 'tool' : 'prompt',
    turns,
    items: user.startsWith('{"items"') ? JSON.parse(user).items : [],
    authorization,
    body,
  };
}

function completion(message: object, finish = 'stop'): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content: null, ...message } }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  });
}

type PlainReply = Exclude<EmbeddingReply, { data: readonly unknown[] }>;

/** What an endpoint does in the same way whatever it was asked. */
function actPlainly(reply: PlainReply, response: ServerResponse): void {
  const json = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if ('silent' in reply) return;
  if ('status' in reply) {
    json(reply.status, JSON.stringify({ error: { message: 'scripted' } }), reply.headers);
  } else if ('bytes' in reply) {
    json(200, reply.bytes);
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(completion({ content: 'half of it' }).slice(0, 60), () => {
      if ('cut' in reply) response.destroy();
    });
  }
}

/** Server-sent events as the OpenAI wire has them: pieces, the end, and last what it cost. */
function stream(
  pieces: readonly (string | readonly object[])[],
  then: 'end' | 'cut' | 'stall',
  response: ServerResponse,
): void {
  const send = (body: object): void => {
    const common = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
    response.write(`data: ${JSON.stringify({ ...common, ...body })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of pieces) send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  if (then === 'stall') return;
  if (then === 'cut') {
    response.write(': gone\n\n', () => response.destroy());
    return;
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
  response.end('data: [DONE]\n\n');
}

/** A piece of a streamed text. */
export function piece(content: string, finish_reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta: { content }, finish_reason }] };
}

/** Sends a stream as it is to be sent. */
async function send(
  text: string,
  response: ServerResponse,
  { open, byBytes }: { readonly open?: boolean; readonly byBytes?: boolean },
): Promise<void> {
  const bytes = Buffer.from(text);
  const size = byBytes === true ? 1 : bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise(setImmediate);
  }
  if (open !== true) response.end();
}

function act(reply: Reply, { rung, body }: ModelRequest, response: ServerResponse): void {
  const json = (body: string): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
  if ('events' in reply) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const told = reply.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    void send(`${told}data: [DONE]\n\n`, response, reply);
  } else if ('pieces' in reply) {
    stream(reply.pieces, reply.then ?? 'end', response);
  } else if (body.stream === true && 'words' in reply) {
    stream(reply.words.match(/.{1,3}/gsu) ?? [], 'end', response);
  } else if ('parts' in reply) {
    const pieces = reply.parts.map((part) => [part]);
    if (body.stream === true) stream(pieces, 'end', response);
    else json(completion({ content: reply.parts }));
  } else if ('refuse' in reply) {
    json(completion({ refusal: reply.refuse }));
  } else if ('short' in reply) {
    json(completion({ content: reply.short }, 'length'));
  } else if ('words' in reply) {
    json(completion({ content: reply.words }));
  } else if ('say' in reply) {
    const text = JSON.stringify(reply.say);
    const call = {
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'statements', arguments: text } }],
    };
    json(completion(rung === 'tool' ? call : { content: text }));
  } else {
    actPlainly(reply, response);
  }
}
