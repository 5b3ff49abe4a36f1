import { renameInstants } from '../../resolvers/as-of.ts';
import { startRig, type Rig } from '../rest/harness.ts';

const AT = '2026-01-01T00:00:00Z';
const VALID = '2026-01-02T00:00:00+01:00';
const RECORDED = '2026-01-03T00:00:00Z';

let rig: Rig;
beforeAll(async () => {
  const page = { items: [{ id: 'fact_1' }], has_more: false, next_cursor: null };
  rig = await startRig({ answers: { 'fact.list': () => page } });
});
afterAll(() => rig.stop());

async function ask(query: string, variables: unknown = {}): Promise<any> {
  const headers = { 'content-type': 'application/json' };
  return (await rig.send('POST', '/graphql', { headers, body: JSON.stringify({ query, variables }) })).json;
}

describe('the instants of a reading', () => {
  it.each<[string, string, object, object]>([
    ['both axes', '{at: $at}', { at: AT }, { as_of: AT }],
    [
      'each axis, as it was written',
      `{valid: "${VALID}", recorded: "${RECORDED}"}`,
      {},
      { as_of_valid: VALID, as_of_recorded: RECORDED },
    ],
    ['a variable', '$asOf', { asOf: { recorded: RECORDED } }, { as_of_recorded: RECORDED }],
    ['null for one', '{at: null, valid: $at}', { at: VALID }, { as_of_valid: VALID }],
    ['variables that are left out', '{at: $at, valid: $at}', {}, {}],
    ['nothing', '{}', {}, {}],
    ['null', 'null', {}, {}],
    ['a variable that is null', '$asOf', { asOf: null }, {}],
  ])('%s: %s', async (_what, asOf, variables, expected) => {
    const declared = ['$at: DateTime', '$asOf: AsOf'].filter((one) => asOf.includes(one.split(':')[0]!));
    const head = declared.length === 0 ? 'query' : `query (${declared.join(', ')})`;
    const { errors } = await ask(
      `${head} { facts(scope: "org:a", asOf: ${asOf}) { nodes { id } } }`,
      variables,
    );
    expect(errors).toBeUndefined();
    expect(rig.asked.at(-1)).toMatchObject({ method: 'fact.list' });
    expect(rig.asked.at(-1)!.input).toEqual([{ scope: 'org:a', ...expected }]);
  });

  it('stand beside the other fields of a recall', async () => {
    const temporal = { natural: 'last week', asOf: { valid: VALID } };
    await ask('query ($input: RecallInput!) { recall(input: $input) { packId } }', {
      input: { scope: 'org:a', temporal },
    });
    expect(rig.asked.at(-1)).toMatchObject({ method: 'recall.recall' });
    expect(rig.asked.at(-1)!.input[0]).toEqual({
      scope: 'org:a',
      temporal: { natural: 'last week', as_of_valid: VALID },
    });
  });
});

describe('the instants of a link', () => {
  it.each([
    ['without asOf', '', { as_of_recorded: RECORDED }],
    ['with a valid one', `(asOf: {valid: "${VALID}"})`, { as_of_valid: VALID, as_of_recorded: RECORDED }],
    ['with a recorded one', `(asOf: {recorded: "${AT}"})`, { as_of_recorded: AT }],
    ['with both in one', `(asOf: {at: "${AT}"})`, { as_of: AT }],
  ])('%s', async (_what, args, expected) => {
    await ask(
      `{ facts(scope: "org:a", asOf: {recorded: "${RECORDED}"}) { nodes { why${args} { narrative } } } }`,
    );
    expect(rig.asked.at(-1)).toMatchObject({ method: 'fact.whyMany' });
    expect(rig.asked.at(-1)!.input).toEqual([['fact_1'], expected]);
  });
});

describe('a variable that does not fit', () => {
  it.each([
    ['query ($at: DateTime) { fact(id: "fact_1", asOf: {valid: $at}) { id } }', { at: 5 }, 'asOf.valid'],
    ['query ($asOf: AsOf) { fact(id: "fact_1", asOf: $asOf) { id } }', { asOf: { at: 5 } }, 'asOf.at'],
    ['query ($asOf: AsOf) { fact(id: "fact_1", asOf: $asOf) { id } }', { asOf: { then: AT } }, 'asOf.then'],
    ['query ($asOf: AsOf) { fact(id: "fact_1", asOf: $asOf) { id } }', { asOf: AT }, 'asOf'],
    [
      'query ($asOf: AsOf) { facts(scope: "org:a") { nodes { supersedes(asOf: $asOf) { id } } } }',
      { asOf: { recorded: 5 } },
      'asOf.recorded',
    ],
    [
      'query ($at: DateTime) { node(id: "fact_1") { ... on Fact { why(asOf: {recorded: $at}) { narrative } } } }',
      { at: 5 },
      'asOf.recorded',
    ],
    [
      'query ($input: RecallInput!) { recall(input: $input) { packId } }',
      { input: { scope: 'org:a', temporal: { asOf: { recorded: 5 } } } },
      'temporal.asOf.recorded',
    ],
  ])('is told at its field: %s %j', async (query, variables, field) => {
    const { errors } = await ask(query, variables);
    expect(errors).toHaveLength(1);
    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_QUERY', details: { field_path: field } });
    expect(errors[0].message).toMatch(`${field}: `);
  });
});

describe('an error', () => {
  it('of an instant names it as GraphQL does', () => {
    const reason = 'names both axes and does not go with as_of_valid or as_of_recorded';
    const details = { field_path: 'temporal.as_of', reason };
    expect(renameInstants({ message: `temporal.as_of: ${reason}`, details })).toEqual({
      message: 'temporal.asOf.at: names both axes and does not go with asOf.valid or asOf.recorded',
      details: {
        field_path: 'temporal.asOf.at',
        reason: 'names both axes and does not go with asOf.valid or asOf.recorded',
      },
    });
  });

  it('of an axis that a reading has not says why, and which there are', () => {
    const details = { field_path: 'as_of_valid', allowed: ['scope', 'as_of', 'as_of_recorded', 'limit'] };
    const reason = 'is refused, since what is read here has no valid time';
    expect(renameInstants({ message: 'unknown query parameter: as_of_valid', details })).toEqual({
      message: `asOf.valid: ${reason}`,
      details: { field_path: 'asOf.valid', reason, allowed: ['asOf.at', 'asOf.recorded'] },
    });
  });

  it.each(['metadata.as_of', 'as_of_validity', 'valid_as_of', 'scope'])('of %s stays', (field) => {
    const error = { message: `${field}: as_of`, details: { field_path: field, reason: 'as_of' } };
    expect(renameInstants(error)).toEqual(error);
  });

  it('without a field stays', () => {
    expect(renameInstants({ message: 'as_of', details: undefined })).toEqual({
      message: 'as_of',
      details: undefined,
    });
  });
});
