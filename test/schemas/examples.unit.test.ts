import { EXAMPLES } from '../../schemas/examples.ts';
import { OPERATION_IDS, operationOf, SERVED_IDS } from '../../schemas/operation.ts';
import { TAGS } from '../../schemas/tag.ts';

describe('the examples', () => {
  it('are of every operation that there is, in the order of the table', () => {
    expect(Object.keys(EXAMPLES)).toEqual(SERVED_IDS);
  });

  it.each(SERVED_IDS)('%s: is asked with what the operation takes', (id) => {
    const { path, query, body, bytes, needsOneOf = [] } = operationOf(id);
    const example = EXAMPLES[id];
    expect(Object.keys(example.params ?? {})).toEqual(path.match(/(?<=\{)\w+(?=\})/g) ?? []);
    expect(query?.safeParse(example.query ?? {}).error).toBeUndefined();
    expect(Object.keys(query?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(example.query ?? {})));
    if (needsOneOf.length > 0) expect(needsOneOf.filter((name) => example.query?.[name])).not.toEqual([]);
    expect(body?.schema.safeParse(example.body).error).toBeUndefined();
    expect(example.body === undefined).toBe(body === undefined);
    expect(example.upload === undefined).toBe(bytes === undefined);
  });

  it.each(SERVED_IDS)('%s: is answered as the operation answers, without a field beside', (id) => {
    const { status, answer } = EXAMPLES[id];
    const { schema, mediaType, empty } = operationOf(id).answers[status] ?? {};
    expect([200, 201, 202, 204]).toContain(status);
    if (schema !== undefined) expect(schema.parse(answer)).toEqual(answer);
    else expect(typeof answer).toBe(empty ? 'undefined' : mediaType === undefined ? 'object' : 'string');
  });
});

describe('the tags', () => {
  it('are the nouns of the operations, in the order of the table, each with a sentence', () => {
    const nouns = [...new Set(OPERATION_IDS.map((id) => operationOf(id).noun))];
    expect(Object.keys(TAGS)).toEqual(nouns);
    for (const sentence of Object.values(TAGS)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});
