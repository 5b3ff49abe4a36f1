// The load generator: a process of its own that speaks HTTP to the service.
import { obey } from './commands.ts';
import { Envelopes } from './envelopes.ts';
import { HttpConnection, Requests } from './http-connection.ts';
import { closedLoop, OpenLoop, type Run } from './loops.ts';

interface Supply {
  /** How many requests to make beforehand. */
  readonly count: number;
  /** Events of one request; 1 is a single capture. */
  readonly size: number;
  /** Keys begin with it. */
  readonly tag: string;
}

let url = '';
let requests = new Requests('http://127.0.0.1:1', '');
let ready: Buffer[] = [];
let more: () => Buffer = () => Buffer.alloc(0);

const target = async (service: { url: string; key: string }): Promise<void> => {
  url = service.url;
  requests = new Requests(service.url, service.key);
  await Promise.resolve();
};

const prepare = async ({ count, size, tag }: Supply): Promise<void> => {
  const source = new Envelopes(tag);
  const bulk = (): Buffer =>
    requests.post('/v1/experience/bulk', { items: Array.from({ length: size }, () => source.next()) });
  more = size === 1 ? () => requests.post('/v1/experience', source.next()) : bulk;
  ready = Array.from({ length: count }, () => more()).reverse();
  await Promise.resolve();
};

async function capture(connection: HttpConnection): Promise<void> {
  const { status, body } = await connection.send(ready.pop() ?? more());
  if (status !== 202) throw new Error(`a capture was answered ${status}: ${body.toString('utf8', 0, 500)}`);
}

const closed = async (options: { clients: number; seconds: number; size: number }): Promise<Run> => {
  const { clients, seconds, size } = options;
  const connections = await Promise.all(Array.from({ length: clients }, () => HttpConnection.open(url)));
  try {
    return await closedLoop({ clients, seconds, events: size }, (client) => capture(connections[client]!));
  } finally {
    for (const connection of connections) connection.close();
  }
};

const paced = async (options: { rate: number; seconds: number }): Promise<Run> => {
  const all: HttpConnection[] = await Promise.all(Array.from({ length: 16 }, () => HttpConnection.open(url)));
  const free = [...all];
  try {
    return await new OpenLoop(options, async () => {
      let connection = free.pop();
      if (connection === undefined) {
        connection = await HttpConnection.open(url);
        all.push(connection);
      }
      await capture(connection);
      free.push(connection);
    }).run();
  } finally {
    for (const connection of all) connection.close();
  }
};

const commands = { target, prepare, closed, paced };
/** What the load generator can be told to do. */
export type LoadCommands = typeof commands;

obey(commands, () => Promise.resolve());
