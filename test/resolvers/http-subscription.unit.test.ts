import { startRig, type Rig } from '../rest/harness.ts';

describe('a subscription over HTTP', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  const ask = (body: object, accept: string) =>
    rig.send('POST', '/graphql', {
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });

  it.each([
    ['application/graphql-response+json', 400],
    ['application/json', 200],
  ])('is refused as a mistake of the caller: %s', async (accept, status) => {
    const answer = await ask({ query: 'subscription { lifecycle { event } }' }, accept);
    const { data, errors } = JSON.parse(answer.text);
    expect([answer.status, data]).toEqual([status, undefined]);
    expect(errors).toEqual([
      {
        message: expect.stringContaining('WebSocket'),
        extensions: expect.objectContaining({ code: 'INVALID_QUERY', details: { reason: 'subscription' } }),
      },
    ]);
    expect(rig.asked).toEqual([]);
    expect(rig.logged.filter(({ message }) => message !== 'request')).toEqual([]);
  });

  it('does not hinder the query beside it', async () => {
    const query = 'query A { __typename } subscription B { lifecycle { event } }';
    const [named, other, unclear] = await Promise.all(
      ['A', 'B', undefined].map((operationName) => ask({ query, operationName }, 'application/json')),
    );
    expect(named?.json.data).toEqual({ __typename: 'Query' });
    expect(other?.json.errors[0].extensions.details).toEqual({ reason: 'subscription' });
    expect(unclear?.json.errors[0].extensions.code).toBe('INVALID_QUERY');
  });
});
