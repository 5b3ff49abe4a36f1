import fc from '../support/property.ts';

import type { Footprint, FootprintPremise, FootprintStatement } from '../../src/forget/footprint.ts';

/** What an event states, before it is told what comes of it. */
export interface Said extends Pick<
  FootprintStatement,
  'id' | 'said' | 'event_id' | 'claim' | 'value' | 'premises' | 'grounds' | 'continues' | 'elsewhere'
> {
  readonly asserts: boolean;
  /** The last layer that it counts in. */
  readonly max_layer: 'facts' | 'beliefs' | 'understanding';
  /** Facts of one claim and value are told apart by it. */
  readonly segment: number;
  /** Roles in which it does not support concepts. */
  readonly not_about: readonly string[];
}

/** A log: events with their episodes, and what they state. */
export interface World {
  readonly events: ReadonlyMap<string, { readonly episode: string | null; readonly visible: boolean }>;
  readonly said: readonly Said[];
}

/** What a log comes to: each record with what it is told from. */
export interface Records {
  readonly facts: ReadonlyMap<string, string>;
  readonly beliefs: ReadonlyMap<string, string>;
  readonly understanding: ReadonlyMap<string, string>;
  readonly episodes: ReadonlyMap<string, string>;
  readonly holding: ReadonlySet<string>;
}

const beliefOf = ({ claim, value }: Pick<Said, 'claim' | 'value'>): string => `belief/${claim}/${value}`;
const factOf = ({ claim, value, segment }: Said): string => `fact/${claim}/${value}/${segment}`;

/** The records of a log by reading it naively: what holds is found from what rests on nothing, round by round. */
export function recordsOf({ events, said }: World): Records {
  const ids = new Map(said.map((one) => [one.id, one]));
  const holding = new Set<string>();
  const states = (claim: string, value: string): boolean =>
    said.some((one) => holding.has(one.id) && one.asserts && one.claim === claim && one.value === value);
  const holds = (name: string): boolean => {
    const stated = ids.get(name);
    if (stated !== undefined) return states(stated.claim, stated.value);
    const [kind, claim = '', value = ''] = name.split('/');
    if (kind === 'belief')
      return (
        states(claim, value) &&
        said.some((one) => holding.has(one.id) && believes(one) && beliefOf(one) === name)
      );
    return events.has(name);
  };
  for (let size = -1; size < holding.size;) {
    size = holding.size;
    for (const one of said) if (one.premises.every(holds)) holding.add(one.id);
  }
  const counted = said.filter(({ id }) => holding.has(id));
  const grouped = (keysOf: (one: Said) => readonly string[]): Map<string, string[]> => {
    const groups = new Map<string, string[]>();
    for (const one of counted)
      for (const key of keysOf(one)) groups.set(key, [...(groups.get(key) ?? []), one.id]);
    return groups;
  };
  const claims = grouped(({ claim }) => [claim]);
  const told = (groups: Map<string, string[]>): Map<string, string> =>
    new Map([...groups].map(([key, all]) => [key, all.sort().join()]));
  const facts = told(grouped((one) => (one.asserts ? [factOf(one)] : [])));
  const beliefs = new Map(
    [...grouped((one) => (believes(one) ? [beliefOf(one)] : [])).keys()].map((key) => {
      const claim = key.split('/')[1] ?? '';
      const counting = (claims.get(claim) ?? []).filter((id) => ids.get(id)?.max_layer !== 'facts');
      const grounds = counting.flatMap((id) => ids.get(id)?.grounds.filter(holds) ?? []);
      return [key, [...counting, ...grounds].sort().join()];
    }),
  );
  const episodeOf = (id: string): string => events.get(ids.get(id)?.event_id ?? '')?.episode ?? '';
  const understanding = new Map(
    [...grouped(conceptIds)].map(([key, all]) => [key, [...all, ...all.map(episodeOf)].sort().join()]),
  );
  const contained = new Map<string, string[]>();
  for (const [id, { episode }] of events)
    if (episode !== null) contained.set(episode, [...(contained.get(episode) ?? []), id]);
  return { facts, beliefs, understanding, episodes: told(contained), holding };
}

/** What a footprint says of the claims given, and of all events, as a reader of the store would find them. */
export function footprintOf(world: World, claims: ReadonlySet<string>): Footprint {
  const { holding, ...records } = recordsOf(world);
  const statements = world.said
    .filter(({ claim }) => claims.has(claim))
    .map((one): FootprintStatement => {
      const { asserts, max_layer, segment, not_about, ...stored } = one;
      const carries = asserts && holding.has(one.id);
      const belief = max_layer === 'facts' || one.continues ? null : beliefOf(one);
      return {
        ...stored,
        fact: carries ? factOf({ ...stored, asserts, max_layer, segment, not_about }) : null,
        belief: belief !== null && records.beliefs.has(belief) && holding.has(one.id) ? belief : null,
        concepts: holding.has(one.id) ? rolesOf(one) : [],
      };
    });
  const all = world.said.filter(({ id }) => holding.has(id)).flatMap(rolesOf);
  const here = statements.flatMap(({ concepts }) => concepts);
  const count = (list: readonly { id: string }[], id: string): number =>
    list.filter((one) => one.id === id).length;
  const counts = new Map(here.map(({ id }) => [id, Math.min(count(all, id), count(here, id) + 1)]));
  return {
    statements,
    events: new Map([...world.events].map(([id, event]) => [id, event])),
    premises: premisesOf(world, statements),
    concepts: counts,
    episodes: new Map(
      [...records.episodes].map(([id, events]) => {
        const [first = null, ...others] = events.split(',');
        const within = new Set([first, ...others]);
        const citing = world.said.filter((one) => within.has(one.event_id) && holding.has(one.id));
        const cited_by = [...new Set(citing.flatMap(conceptIds))];
        return [id, { events: within.size, beside: [], first, cited_by }];
      }),
    ),
  };
}

/** The claims that something in rests on some claims or events, these claims themselves among them. */
export function restingOn(world: World, first: Iterable<string>, events: ReadonlySet<string>): Set<string> {
  const found = new Set(first);
  const premises = premisesOf(world, world.said);
  const rests = (name: string): boolean => {
    const premise = premises.get(name);
    if (premise === undefined) return false;
    return premise.type === 'event' ? events.has(name) : found.has(premise.claim);
  };
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const one of world.said) if ([...one.premises, ...one.grounds].some(rests)) found.add(one.claim);
  }
  return found;
}

function premisesOf(
  { events, said }: World,
  of: readonly Pick<FootprintStatement, 'premises' | 'grounds'>[],
): Map<string, FootprintPremise> {
  const ids = new Map(said.map((one) => [one.id, one]));
  const named = (name: string): FootprintPremise | null => {
    const stated = ids.get(name);
    if (stated !== undefined) return { type: 'fact', claim: stated.claim, value: stated.value };
    const [kind, claim = '', value = ''] = name.split('/');
    if (kind === 'belief') return { type: 'belief', claim, value };
    return events.has(name) ? { type: 'event' } : null;
  };
  const names = new Set(of.flatMap((one) => [...one.premises, ...one.grounds]));
  return new Map(
    [...names].flatMap((name) => {
      const premise = named(name);
      return premise === null ? [] : [[name, premise] as const];
    }),
  );
}

function believes({ max_layer, continues }: Said): boolean {
  return max_layer !== 'facts' && !continues;
}

function rolesOf(one: Said): { id: string; role: 'subject' | 'object' }[] {
  if (!one.asserts || one.max_layer !== 'understanding' || one.continues) return [];
  const place = one.elsewhere ? 'there' : 'here';
  const roles = [
    { id: `concept/${place}/${one.claim.slice(0, 2)}`, role: 'subject' as const },
    { id: `concept/${place}/${one.value}`, role: 'object' as const },
  ];
  return roles.filter(({ role }) => !one.not_about.includes(role));
}

function conceptIds(one: Said): string[] {
  return rolesOf(one).map(({ id }) => id);
}

const CLAIMS = 6;

/** Logs of two scopes; a conclusion rests on claims of smaller numbers, so that none rests on itself. */
export const worlds: fc.Arbitrary<World> = fc
  .array(
    fc.record({
      elsewhere: fc.boolean(),
      visible: fc.boolean(),
      episode: fc.option(fc.nat(2)),
      states: fc.array(
        fc.record({
          claim: fc.nat(CLAIMS / 2 - 1),
          value: fc.nat(1),
          kind: fc.constantFrom('asserted', 'asserted', 'asserted', 'denied'),
          max_layer: fc.constantFrom('understanding', 'understanding', 'beliefs', 'facts'),
          segment: fc.nat(1),
          names: fc.array(fc.tuple(fc.constantFrom('event', 'fact', 'belief'), fc.nat(20)), { maxLength: 2 }),
          rests: fc.constantFrom('nothing', 'nothing', 'premises', 'grounds'),
          copy: fc.constantFrom('none', 'none', 'link', 'stretch'),
        }),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((drawn) => {
    const events = new Map<string, { episode: string | null; visible: boolean }>();
    const said: Said[] = [];
    for (const [i, { elsewhere, visible, episode, states }] of drawn.entries()) {
      const event_id = `evt_${i}`;
      const shown = visible || states.length > 0;
      events.set(event_id, {
        visible: shown,
        episode: shown && !elsewhere && episode !== null ? `ep_${episode}` : null,
      });
      for (const [j, { claim, value, kind, max_layer, segment, names, rests, copy }] of states.entries()) {
        const number = 2 * claim + (elsewhere ? 1 : 0);
        const named =
          rests === 'nothing' ? [] : names.flatMap((name) => namedBy(name, { said, events: i, number }));
        const one: Said = {
          ...{
            id: `s_${i}_${j}`,
            said: `s_${i}_${j}`,
            event_id,
            elsewhere,
            segment,
            not_about: [],
            continues: false,
          },
          ...{
            claim: `c${number}`,
            value: `v${value}`,
            asserts: kind === 'asserted',
            max_layer,
          },
          premises: rests === 'premises' ? named : [],
          grounds: rests === 'grounds' ? named : [],
        };
        said.push(one);
        if (copy === 'link') said.push({ ...one, id: `${one.id}_linked`, value: `v${(value + 1) % 2}` });
        if (copy === 'stretch' && one.asserts && one.premises.length > 0)
          said.push({ ...one, id: `${one.id}_later`, continues: true, segment: 2 });
      }
    }
    return { events, said };
  });

function namedBy(
  [kind, pick]: readonly [string, number],
  { said, events, number }: { said: readonly Said[]; events: number; number: number },
): string[] {
  if (kind === 'event') return [`evt_${pick % (events + 1)}`];
  const below = said.filter(({ claim, continues }) => Number(claim.slice(1)) < number && !continues);
  const found = below[pick % Math.max(below.length, 1)];
  if (found === undefined) return [];
  return [kind === 'fact' ? found.id : beliefOf(found)];
}
