import { isObjectType, parse, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';

import { executableSchema } from '../../../resolvers/schema.ts';
import { OPERATIONS, SERVED_IDS } from '../../../schemas/operation.ts';
import type { Things } from '../../api/gate/world.ts';
import { allCases, nameOf, someCases } from './drill.ts';
import { apply, MUTATIONS } from './mutations.ts';
import { FIELDS, queriesOf, READS } from './walk.ts';
import { WAYS } from './ways.ts';

// What the leak drill asks: everything that reads, as the tables of operations and the GraphQL contract have it by now.

const SCHEMA = executableSchema();
const THINGS = new Proxy({}, { get: (_, name) => `${String(name)}_x` }) as Things;

const documents = FIELDS.flatMap((name) =>
  queriesOf(name, THINGS, { scope: 'org:leak' }).map((text) => parse(text)),
);

it('asks every operation that is a GET but the streams, whose frames are looked at as they are listed', () => {
  const gets = SERVED_IDS.filter((id) => OPERATIONS[id].method === 'GET');
  expect(gets.filter((id) => !READS.includes(id))).toEqual(['streamGraph', 'streamLifecycle']);
});

it('asks every field of Query, and every field of what these answer', () => {
  const fields = Object.keys(SCHEMA.getQueryType()?.getFields() ?? {});
  expect(FIELDS.map((name) => name.replace('query ', '')).sort()).toEqual(fields.sort());
  const asked = new Set<string>();
  const info = new TypeInfo(SCHEMA);
  for (const document of documents) {
    expect(validate(SCHEMA, document).map(({ message }) => message)).toEqual([]);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field: ({ name }) => {
          asked.add(`${info.getParentType()?.name}.${name.value}`);
        },
      }),
    );
  }
  const types = new Set([...asked].map((field) => field.split('.')[0] ?? ''));
  const missing = [...types].flatMap((name) => {
    const type = SCHEMA.getType(name);
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields())
      .filter(({ args }) =>
        args.every((arg) => arg.defaultValue !== undefined || !String(arg.type).endsWith('!')),
      )
      .map((field) => `${name}.${field.name}`)
      .filter((field) => !asked.has(field));
  });
  expect(missing).toEqual([]);
});

it('has a deletion to leave out of each statement that a mutation names, and the case that notices', () => {
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(10);
  const names = new Set(allCases().map(nameOf));
  for (const mutation of MUTATIONS) {
    apply(mutation)();
    expect(names).toContain(mutation.of.join(' / '));
  }
});

it('has each way, selector and removal among the cases of every day', () => {
  const some = someCases();
  expect(some.map(({ way }) => way)).toEqual(WAYS);
  const removals = new Set(allCases().map(({ removal }) => removal));
  const selectors = new Set(allCases().map(({ selector }) => selector));
  expect(new Set(some.map(({ removal }) => removal))).toEqual(removals);
  expect(new Set(some.map(({ selector }) => selector))).toEqual(selectors);
});
