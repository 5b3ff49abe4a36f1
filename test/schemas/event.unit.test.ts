import { z } from 'zod';

import { envelope } from '../../schemas/envelope.ts';
import { cancelResponse, eventGetQuery, eventItem, eventListQuery, eventPage } from '../../schemas/event.ts';
import {
  bulkRequest,
  bulkResponse,
  captureQuery,
  captureResponse,
  experienceStatus,
  statusQuery,
} from '../../schemas/experience.ts';
import type { StrataError } from '../../src/errors.ts';
import { parseInput } from '../../src/validation.ts';

const INPUTS = { envelope, bulkRequest, captureQuery, statusQuery, eventListQuery, eventGetQuery };
const OUTPUTS = { captureResponse, bulkResponse, experienceStatus, eventItem, eventPage, cancelResponse };

function refusal(schema: z.ZodType, input: unknown) {
  try {
    parseInput(schema, input, 'INVALID_QUERY');
  } catch (error) {
    const { code, status, details } = error as StrataError;
    return { code, status, path: details?.field_path, allowed: details?.allowed };
  }
  throw new Error('the input was accepted');
}

/** Paths of properties without a description. */
function undescribed(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]: [string, unknown]) => {
    const here = `${path}/${key}`;
    if (key !== 'properties' || path.endsWith('/anyOf')) return undescribed(inner, here);
    return Object.entries(inner as Record<string, { description?: string }>).flatMap(([name, field]) => [
      ...(field.description === undefined ? [`${here}/${name}`] : []),
      ...undescribed(field, `${here}/${name}`),
    ]);
  });
}

describe('JSON schemas', () => {
  it.each(Object.entries(INPUTS))('of the input %s exist', (_name, schema) => {
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
  });

  it.each(Object.entries(OUTPUTS))('of the answer %s exist', (_name, schema) => {
    expect(z.toJSONSchema(schema, { io: 'output' })).toBeDefined();
  });

  it('describe every top-level field', () => {
    for (const [name, schema] of [...Object.entries(INPUTS), ...Object.entries(OUTPUTS)]) {
      const io = name in INPUTS ? 'input' : 'output';
      const json = z.toJSONSchema(schema, { io }) as {
        properties?: Record<string, { description?: string }>;
      };
      const bare = Object.entries(json.properties ?? {}).filter(
        ([, field]) => field.description === undefined,
      );
      expect([name, bare.map(([field]) => field)]).toEqual([name, []]);
    }
  });

  it('describe every field of an envelope outside its closed source descriptor', () => {
    expect(
      undescribed(z.toJSONSchema(envelope, { io: 'input' })).filter((path) => !/anyOf\/\d/.test(path)),
    ).toEqual([]);
  });

  it('let the kind of texts be left out', () => {
    const json: any = z.toJSONSchema(envelope, { io: 'input' });
    expect(json.required).toEqual(['scope', 'modality', 'content']);
    expect(json.properties.content.oneOf[0].required).toEqual(['role', 'text']);
    expect(json.properties.content.oneOf[1].required).toEqual(['text']);
  });
});

describe('queries', () => {
  const list = (query: object) => eventListQuery.parse({ scope: 'org:a', ...query });

  it.each<[unknown, number]>([
    [undefined, 50],
    ['0', 1],
    ['-3', 1],
    ['7', 7],
    ['5000', 1000],
    ['999999999999999', 1000],
  ])('limit %p is %p', (limit, rows) => {
    expect(list({ limit }).limit).toBe(rows);
  });

  it.each(['many', '', '1.5', '1e2', '0x10', ' 5'])('limit %p is refused', (limit) => {
    expect(refusal(eventListQuery, { scope: 'org:a', limit })).toMatchObject({
      code: 'INVALID_QUERY',
      path: 'limit',
    });
  });

  it('reads lists from text and from arrays', () => {
    expect(list({ modality: 'a, b,,c' }).modality).toEqual(['a', 'b', 'c']);
    expect(list({ modality: ['a,b'] }).modality).toEqual(['a,b']);
    expect(list({ observed_actor: '' }).observed_actor).toBeUndefined();
    expect(list({ labels: [] }).labels).toBeUndefined();
  });

  it('takes a label with a comma for itself too', () => {
    expect(list({ labels: 'a,b' }).labels).toEqual(['a', 'b', 'a,b']);
  });

  it('answers a wrong view with 422 and names the views', () => {
    // What is left out may be stated by the scope.
    expect(list({}).view).toBeUndefined();
    expect(refusal(eventListQuery, { scope: 'org:a', view: 'all' })).toMatchObject({
      code: 'INVALID_QUERY',
      status: 422,
      path: 'view',
      allowed: expect.arrayContaining(['local', 'descend']),
    });
  });

  it('answers a wrong wait with INVALID_BODY, a repeated one with INVALID_QUERY', () => {
    expect(refusal(captureQuery, { wait: 'later' })).toMatchObject({
      code: 'INVALID_BODY',
      status: 422,
      allowed: ['accepted', 'captured', 'indexed', 'consolidated', 'settled'],
    });
    expect(refusal(captureQuery, { wait: ['indexed', 'indexed'] })).toMatchObject({
      code: 'INVALID_QUERY',
      status: 400,
    });
  });

  it('names the known parameters beside an unknown one', () => {
    expect(refusal(captureQuery, { wiat: 'indexed' })).toMatchObject({
      code: 'INVALID_QUERY',
      path: 'wiat',
      allowed: ['wait'],
    });
  });

  it('bounds a bulk to 1 to 1000 items', () => {
    expect(refusal(bulkRequest, { items: [] })).toMatchObject({ path: 'items' });
    expect(refusal(bulkRequest, { items: Array.from({ length: 1001 }, () => ({})) })).toMatchObject({
      path: 'items',
    });
    expect(bulkRequest.parse({ items: [1, null] }).items).toEqual([1, null]);
  });
});
