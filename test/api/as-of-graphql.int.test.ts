import { isNonNullType } from 'graphql';

import { executableSchema } from '../../resolvers/schema.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

const SCOPE = 'org:as-of/user:a';
const AT = '2026-01-01T00:00:00Z';
const TOGETHER = 'names both axes and does not go with asOf.valid or asOf.recorded';
const NO_VALID_TIME = 'is refused, since what is read here has no valid time';

/** Readings of what has no valid time. */
const RECORDED_ONLY = ['concept', 'concepts', 'conceptHistory', 'relatedConcepts', 'conflict', 'conflicts'];
const NAMED_ONLY = ['entity', 'entities'];

/** The reading that names the instants of one axis by itself. */
const BETWEEN = 'graphDiff';

let service: SharedService;
beforeAll(async () => {
  service = sharedService();
  for (const object of ['ent_paris', 'ent_london']) {
    const said = statement(SCOPE, ['ent_a', 'lives in', object], { valid_from: '2020-01-01' });
    expect((await service.post('/v1/experience?wait=consolidated', said)).status).toBe(202);
  }
});

/** Every reading that takes `asOf`, with the arguments that it has to have. */
const READINGS = Object.values(executableSchema().getQueryType()!.getFields()).flatMap(({ name, args }) => {
  if (name === BETWEEN || !args.some((argument) => argument.name === 'asOf')) return [];
  const needed = args.filter(({ type }) => isNonNullType(type));
  return [[name, needed.map((one) => `${one.name}: "${one.name === 'scope' ? SCOPE : 'fact_0'}"`)] as const];
});

interface Refusal {
  readonly code: string;
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

async function refusalOf(query: string): Promise<Refusal> {
  const { errors } = await ask(service, query);
  expect([query, errors?.length]).toEqual([query, 1]);
  const { message, extensions } = errors![0]!;
  const { field_path: field, reason } = extensions.details;
  return { code: extensions.code, field, reason, message };
}

function refusal(field: string, reason: string): Refusal {
  return { code: 'INVALID_QUERY', field, reason, message: `${field}: ${reason}` };
}

it('twenty readings and more can be asked at other instants', () => {
  expect(READINGS.length).toBeGreaterThan(20);
});

describe.each(READINGS)('%s', (name, needed) => {
  const asked = (asOf: string): Promise<Refusal> =>
    refusalOf(`{ ${name}(${[...needed, `asOf: {${asOf}}`].join(', ')}) { __typename } }`);
  const hasValidTime = ![...RECORDED_ONLY, ...NAMED_ONLY].includes(name);

  it('refuses what is no instant under its name', async () => {
    for (const field of ['at', 'recorded', ...(hasValidTime ? ['valid'] : [])]) {
      const { code, field: told, message } = await asked(`${field}: "soon"`);
      expect({ code, told }).toEqual({ code: 'INVALID_QUERY', told: `asOf.${field}` });
      expect(message).toMatch(`asOf.${field}: `);
    }
  });

  it('refuses both axes beside one of them, or an axis that it has not', async () => {
    expect(await asked(`at: "${AT}", recorded: "${AT}"`)).toEqual(refusal('asOf.at', TOGETHER));
    const valid = await asked(`at: "${AT}", valid: "${AT}"`);
    expect(valid).toEqual(hasValidTime ? refusal('asOf.at', TOGETHER) : refusal('asOf.valid', NO_VALID_TIME));
  });
});

it('what compares two instants of one axis takes the other one alone', async () => {
  const asked = (asOf: string): Promise<Refusal> =>
    refusalOf(`{ ${BETWEEN}(scope: "${SCOPE}", from: "${AT}", asOf: {${asOf}}) { __typename } }`);
  const twice = 'is refused, since one of the axes has its instants already';
  expect(await asked(`at: "${AT}"`)).toEqual(refusal('asOf.at', twice));
  const named = 'from and to name the recorded instants already';
  expect(await asked(`recorded: "${AT}"`)).toEqual(refusal('asOf.recorded', named));
  expect(await asked('valid: "soon"')).toMatchObject({ code: 'INVALID_QUERY', field: 'asOf.valid' });
});

it.each(['derivedFrom', 'why', 'provenance'])('the link %s refuses under the same names', async (link) => {
  const of = (asOf: string): string =>
    `{ facts(scope: "${SCOPE}", first: 1) { nodes { ${link}(asOf: {${asOf}}) { __typename } } } }`;
  const { code, field } = await refusalOf(of('valid: "soon"'));
  expect({ code, field }).toEqual({ code: 'INVALID_QUERY', field: 'asOf.valid' });
  expect(await refusalOf(of(`at: "${AT}", valid: "${AT}"`))).toEqual(refusal('asOf.at', TOGETHER));
});

it('a recall refuses under the names within its input', async () => {
  const of = (asOf: string): string =>
    `{ recall(input: {scope: "${SCOPE}", temporal: {asOf: {${asOf}}}}) { packId } }`;
  const { code, field } = await refusalOf(of('recorded: "soon"'));
  expect({ code, field }).toEqual({ code: 'INVALID_BODY', field: 'temporal.asOf.recorded' });
  expect(await refusalOf(of(`at: "${AT}", recorded: "${AT}"`))).toEqual({
    ...refusal('temporal.asOf.at', TOGETHER),
    code: 'INVALID_BODY',
  });
});
