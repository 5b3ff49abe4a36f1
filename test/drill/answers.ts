// The drill of facts: npm run drill:answers -- TALK STATEMENTS EXPECTED
// Captures talk and then statements about it (capture envelopes, one a line), and asks a service as people start it what the file of
// expected answers asks, by REST and by GraphQL, and why; ends with 0 when every answer is the expected one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Service } from '../bench/service.ts';
import { readEnvelopes } from '../support/envelope-file.ts';
import { differences, good, queried } from './listings.ts';
import { patientClient, sendPatiently } from './patient.ts';
import { ingest } from './talk.ts';

/** What is asked of the facts of one subject at a valid instant; null: now. */
interface Question {
  readonly subject: string;
  readonly predicate: string;
  readonly as_of_valid: string | null;
  readonly values: readonly unknown[];
}

interface Expected {
  readonly cardinality: Readonly<Record<string, string>>;
  readonly questions: readonly Question[];
}

interface Term {
  readonly value?: unknown;
  readonly name?: string | null;
  readonly id?: string;
}

const FACTS = `query ($scope: String!, $subject: String, $predicate: String, $valid: DateTime) {
  facts(scope: $scope, subject: $subject, predicate: $predicate, asOf: { valid: $valid }) {
    nodes { id object { ... on EntityTerm { id name } ... on LiteralTerm { value } } why { supportGraph { nodes { id type } } narrative } }
  }
}`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const valueOf = ({ value, name, id }: Term): unknown => (value === undefined ? (name ?? id) : value);
const inOrder = (values: readonly unknown[]): unknown[] =>
  [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Asks one service about one scope. */
class Asker {
  private readonly url: string;
  private readonly scope: string;

  constructor(url: string, scope: string) {
    this.url = url;
    this.scope = scope;
  }

  async get(path: string, query: Readonly<Record<string, string | null>> = {}): Promise<any> {
    const asked = new URLSearchParams({ scope: this.scope });
    for (const [name, value] of Object.entries(query)) if (value !== null) asked.set(name, value);
    return good(await sendPatiently(this.url, 'GET', `${path}?${asked.toString()}`));
  }

  async byId(path: string): Promise<any> {
    return good(await sendPatiently(this.url, 'GET', path));
  }

  async facts({ subject, predicate, as_of_valid }: Question): Promise<{ id: string; object: Term }[]> {
    return (await this.get('/v1/facts', { subject, predicate, as_of_valid })).items;
  }

  async factsByGraphql({ subject, predicate, as_of_valid }: Question): Promise<
    {
      id: string;
      object: Term;
      why: { supportGraph: { nodes: { id: string; type: string }[] }; narrative: string };
    }[]
  > {
    const variables = { scope: this.scope, subject, predicate, valid: as_of_valid };
    const data = await queried(this.url, FACTS, variables);
    return data.facts.nodes;
  }
}

/** Asks one question both ways, and why; answers what is not as expected. */
async function ask(asker: Asker, question: Question, refs: ReadonlySet<string>): Promise<string[]> {
  const { subject, predicate, as_of_valid, values } = question;
  const name = `${subject} ${predicate} ${as_of_valid ?? 'now'}`;
  const rest = await asker.facts(question);
  const graphql = await asker.factsByGraphql(question);
  const found = [
    ...differences(`${name} by REST`, inOrder(rest.map(({ object }) => valueOf(object))), inOrder(values)),
    ...differences(
      `${name} by GraphQL`,
      inOrder(graphql.map(({ object }) => valueOf(object))),
      inOrder(values),
    ),
    ...differences(
      `ids of ${name}`,
      graphql.map(({ id }) => id),
      rest.map(({ id }) => id),
    ),
  ];
  for (const { id, why } of graphql) {
    const told = await asker.byId(`/v1/facts/${id}/why`);
    if (told.narrative !== why.narrative) found.push(`${name}: REST and GraphQL tell why in other words`);
    found.push(...(await untraced(asker, name, why.supportGraph.nodes, refs)));
  }
  return found;
}

/** What of the events that a fact rests on does not lead to an utterance of the talk that it names. */
async function untraced(
  asker: Asker,
  name: string,
  nodes: readonly { id: string; type: string }[],
  refs: ReadonlySet<string>,
): Promise<string[]> {
  const events = nodes.filter(({ type }) => type.toLowerCase() === 'event');
  if (events.length === 0) return [`${name}: rests on no event`];
  const found: string[] = [];
  for (const { id } of events) {
    const { source } = await asker.byId(`/v1/events/${id}`);
    if (source?.ref !== undefined && !refs.has(source.ref))
      found.push(`${name}: ${source.ref} is no utterance`);
  }
  return found;
}

/** What was believed of a value over time, newest last. */
async function stances(asker: Asker, about: string, value: string, instants: readonly string[]) {
  const found: string[] = [];
  for (const as_of_valid of instants) {
    const { items } = await asker.get('/v1/beliefs', { about, as_of_valid, limit: '1000' });
    const belief = items.find(
      (one: any) => one.predicate === 'role' && valueOf(one.object as Term) === value,
    );
    found.push(belief?.stance ?? 'none');
  }
  return found;
}

const [talkFile, statementsFile, expectedFile] = process.argv.slice(2);
if (talkFile === undefined || statementsFile === undefined || expectedFile === undefined)
  throw new Error('usage: npm run drill:answers -- TALK STATEMENTS EXPECTED');
const talk = readEnvelopes(talkFile);
const statements = readEnvelopes(statementsFile);
const { cardinality, questions } = JSON.parse(readFileSync(expectedFile, 'utf8')) as Expected;
const { scope } = talk[0] as { scope: string };
const directory = mkdtempSync(join(tmpdir(), 'strata-answers-'));
const service = await Service.start(directory, null);
const violations: string[] = [];
try {
  const body = { path: scope, policies: { cardinality } };
  const registered = await patientClient(service.url).post('/v1/scopes', body);
  // One that was not answered in time is registered all the same, and is there when it is sent again.
  if (registered.status !== 201 && registered.status !== 409)
    throw new Error(`the scope is answered ${registered.status} ${registered.text}`);
  const nothing = (): Promise<void> => Promise.resolve();
  await ingest([service.url], talk, nothing);
  await ingest([service.url], statements, nothing);
  await service.settled([scope]);
  const asker = new Asker(service.url, scope);
  const refs = new Set(talk.map(({ idempotency_key }) => String(idempotency_key)));
  for (const question of questions) violations.push(...(await ask(asker, question, refs)));
  const instants = ['1970-04-13T00:00:00Z', '1970-04-14T05:00:00Z'];
  const [lander, lifeboat] = [
    await stances(asker, 'Aquarius', 'lunar lander', instants),
    await stances(asker, 'Aquarius', 'lifeboat', instants),
  ];
  say(`Aquarius before and after: lunar lander ${lander.join(', ')}; lifeboat ${lifeboat.join(', ')}`);
  violations.push(
    ...differences('Aquarius as lunar lander', lander, ['supported', 'contradicted']),
    ...differences('Aquarius as lifeboat', lifeboat.slice(1), ['supported']),
  );
  say(
    `${talk.length} utterances, ${statements.length} statements, ${questions.length} questions asked both ways`,
  );
} finally {
  await service.stop();
}
for (const violation of violations) say(`VIOLATION ${violation.slice(0, 600)}`);
say(violations.length === 0 ? 'HELD' : `${violations.length} violations`);
rmSync(directory, { recursive: true, force: true });
process.exit(violations.length === 0 ? 0 : 1);
