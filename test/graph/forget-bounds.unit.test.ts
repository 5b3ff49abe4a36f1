import type { Reader } from '../../graph/driver.ts';
import { readFootprint } from '../../graph/forget/footprint.ts';
import { namedText } from '../../graph/forget/names.ts';
import { KeyedIds } from '../../src/derive/keyed-ids.ts';
import { byLayer } from '../../src/forget/layers.ts';
import { FORGET_EPISODE_PAGE, FORGET_NAMED_ENTITIES, FORGET_STEPS } from '../../src/limits/forget.ts';

// What is answered of a selection that is more than a forgetting reads, and how much one statement reads of it.

type Answers = Record<string, (params: any) => readonly unknown[]>;

/** Answers the statements of some names, and nothing of any other. */
const readerOf = (answers: Answers): Reader => ({
  read: async (statement: { readonly name: string }, params: unknown) =>
    Promise.resolve((answers[statement.name]?.(params) ?? []) as never[]),
});

describe('a name', () => {
  const entities = (count: number): Answers => ({
    'forget.named': ({ most }) =>
      Array.from({ length: Math.min(count, Number(most)) }, (_, i) => ({ id: `ent_${String(i)}` })),
  });
  const asked = { field: 'about_entity', text: 'Max' } as const;

  it('of as many entities as are read stands for all of them', async () => {
    const { ids } = await namedText(readerOf(entities(FORGET_NAMED_ENTITIES)), 'ref', asked);
    expect(ids.size).toBe(FORGET_NAMED_ENTITIES + 2);
  });

  it('of more is refused, with its field and what may be said instead', async () => {
    await expect(
      namedText(readerOf(entities(FORGET_NAMED_ENTITIES + 1)), 'ref', asked),
    ).rejects.toMatchObject({
      code: 'INVALID_BODY',
      status: 422,
      message: expect.stringMatching(/^selector\.about_entity: more than 10000 entities .* `memory_ids`$/),
      details: { field_path: 'selector.about_entity', reason: expect.any(String) },
    });
  });
});

const request = (selected: Partial<Record<'facts' | 'episodes', readonly string[]>>) => ({
  tenant: 'default',
  ref: 'ref',
  selected: { ...byLayer<readonly string[]>(() => []), ...selected },
  cascade: 'derived_only' as const,
  through: 10,
});
const ids = new KeyedIds('a secret', 28);

it('a selection is refused from which conclusions lie farther away than is followed', async () => {
  const chain = (length: number): Reader => {
    let steps = 0;
    return readerOf({
      'forget.claims_of_records': () => [{ claim: 'claim 0' }],
      'forget.claims_resting_on': () => {
        steps += 1;
        return steps > length ? [] : [{ claim: `claim ${String(steps)}` }];
      },
    });
  };
  const selected = request({ facts: ['fact_1'] });
  expect((await readFootprint(chain(FORGET_STEPS - 1), ids, selected)).statements).toEqual([]);
  await expect(readFootprint(chain(FORGET_STEPS), ids, selected)).rejects.toMatchObject({
    code: 'INVALID_BODY',
    message: expect.stringMatching(/^selector: .* 256 steps away; .* `memory_ids`$/),
    details: { field_path: 'selector', reason: expect.any(String) },
  });
});

it('the events of a hundred episodes are read in one statement', async () => {
  const pages: number[] = [];
  const reader = readerOf({
    'forget.contained_events': ({ ids: page }) => {
      pages.push(page.length);
      return [];
    },
  });
  const episodes = Array.from({ length: 250 }, (_, i) => `epi_${String(i)}`);
  await readFootprint(reader, ids, request({ episodes }));
  expect([FORGET_EPISODE_PAGE, pages.sort((a, b) => a - b)]).toEqual([100, [50, 100, 100]]);
});
