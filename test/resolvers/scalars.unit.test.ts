import { makeExecutableSchema } from '@graphql-tools/schema';
import { graphql, parse, validate } from 'graphql';

import { DATE_TIME } from '../../resolvers/scalars.ts';
import { executableSchema } from '../../resolvers/schema.ts';

const echo = makeExecutableSchema({
  typeDefs: 'scalar DateTime type Query { echo(at: DateTime): DateTime }',
  resolvers: { DateTime: DATE_TIME, Query: { echo: (_root, { at }: { at: unknown }) => at } },
});

const INSTANTS = [
  '2026-01-31T12:00:00+01:00',
  '2026-01-31t12:00:00z',
  '2016-12-31T23:59:60Z',
  '2026-01-31T12:00:00.123456789Z',
  // What is no instant is refused by the services, as over REST.
  'soon',
];

describe('an instant', () => {
  it.each(INSTANTS)('comes back as it was written in a variable: %s', async (at) => {
    const source = 'query ($at: DateTime) { echo(at: $at) }';
    expect(await graphql({ schema: echo, source, variableValues: { at } })).toEqual({ data: { echo: at } });
  });

  it.each(INSTANTS)('comes back as it was written in the document: %s', async (at) => {
    expect(await graphql({ schema: echo, source: `{ echo(at: "${at}") }` })).toEqual({ data: { echo: at } });
  });

  it.each(['1767182400000', 'true', '{ at: 1 }', '["2026-01-31T12:00:00Z"]'])('is a text, not %s', (at) => {
    const schema = executableSchema();
    const [error] = validate(schema, parse(`{ events(scope: "a:b", since: ${at}) { nodes { id } } }`));
    expect(error?.message).toBe('is not a text such as "2026-01-31T12:00:00Z"');
  });

  it('is not a number in a variable', async () => {
    const source = 'query ($at: DateTime) { echo(at: $at) }';
    const { errors } = await graphql({ schema: echo, source, variableValues: { at: 1767182400000 } });
    expect(errors?.[0]?.message).toContain('is not a text such as "2026-01-31T12:00:00Z"');
  });

  it('says what it is to those who read the schema', () => {
    const scalar = executableSchema().getType('DateTime');
    expect(scalar).toMatchObject({ specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339' });
    expect(scalar?.description).toMatch(/offset[^]*years 1 to 9999[^]*leap second/);
  });
});
