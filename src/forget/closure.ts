import { FORGET_LAYERS, type Cascade } from '../../schemas/forget.ts';
import { leftBy, type Left } from './fallen.ts';
import type { Footprint, FootprintStatement } from './footprint.ts';
import { byLayer, type ByLayer } from './layers.ts';
import { supportKey, takenBy, type Taken } from './taken.ts';
import type { Wish } from './wish.ts';

/** Records by what becomes of them. */
export interface Fate {
  /** They are there no longer. Of events: they are redacted, and were visible. */
  readonly gone: ByLayer<readonly string[]>;
  /**
   * They stay and are derived anew, because something that they are told from goes. They may come to say what they said; a fact or an
   * episode whose first statement or event goes is found under the id of the next one.
   */
  readonly revised: ByLayer<readonly string[]>;
}

/** What forgetting a selection comes to. Lists are in the order of their ids. */
export interface Closure extends Fate {
  /** Events of which id, offset and instant alone stay; those that were cancelled or replaced before are among them. */
  readonly redacted: readonly string[];
  /** Those of them that events of other scopes name in what they conclude. */
  readonly named: readonly string[];
  readonly wishes: readonly Wish[];
  /** Records of other scopes that were concluded from what goes. Who may not read there is not told of them. */
  readonly elsewhere: Fate;
  /** Statements that count for nothing any more. */
  readonly statements: readonly string[];
}

/**
 * What goes, what stays and what is revised when a selection is forgotten. Preview and execution both go by it. Of the selected records
 * those that are not in the footprint count for nothing: they are there no longer. Events that are `held` keep their content.
 */
export function closureOf(
  selected: ByLayer<readonly string[]>,
  cascade: Cascade,
  footprint: Footprint,
  held: ReadonlySet<string> = NONE,
): Closure {
  const taken = takenBy(selected, cascade, footprint, held);
  const left = leftBy(taken, footprint);
  const { here, elsewhere } = claimFates(footprint, taken, left);
  const episodes = episodeFate(footprint, taken);
  const visible = [...taken.redacted].filter((id) => footprint.events.get(id)?.visible === true);
  const down = footprint.statements.filter(left.isDown);
  const understanding = new Set([...here.revised.understanding, ...episodes.citing]);
  for (const id of here.gone.understanding) understanding.delete(id);
  return {
    redacted: [...taken.redacted].sort(),
    named: namedElsewhere(footprint, taken.redacted),
    wishes: taken.wishes,
    gone: { ...here.gone, events: visible.sort(), episodes: episodes.gone },
    revised: { ...here.revised, understanding: [...understanding].sort(), episodes: episodes.revised },
    elsewhere,
    statements: down.map(({ id }) => id).sort(),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Whether something that was concluded in other scopes goes too, or is revised. */
export function reachesElsewhere({ elsewhere: { gone, revised } }: Closure): boolean {
  return FORGET_LAYERS.some((layer) => gone[layer].length + revised[layer].length > 0);
}

function namedElsewhere({ statements }: Footprint, redacted: ReadonlySet<string>): string[] {
  const named = statements.flatMap(({ elsewhere, premises, grounds }) =>
    elsewhere ? [...premises, ...grounds] : [],
  );
  return [...new Set(named.filter((id) => redacted.has(id)))].sort();
}

/** The layers that are derived from statements. */
type OfStatements = 'facts' | 'beliefs' | 'understanding';

/** What statements carried, and what those do that are left; with what has been touched. */
interface Carried {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  readonly touched: ReadonlySet<string>;
}

function claimFates(
  footprint: Footprint,
  taken: Taken,
  left: Left,
): { readonly here: Fate; readonly elsewhere: Fate } {
  const replayed = replayedClaims(footprint, left);
  const reweighed = new Set(replayed);
  for (const one of footprint.statements) if (taken.capped.has(one.said)) reweighed.add(one.claim);
  const carried = (elsewhere: boolean): Record<OfStatements, Carried> => {
    const statements = footprint.statements.filter((one) => one.elsewhere === elsewhere);
    const of = (
      claims: ReadonlySet<string>,
      before: (one: FootprintStatement) => string | null,
      after: (one: FootprintStatement) => string | null,
    ): Carried => ({
      before: idsOf(statements, before),
      after: idsOf(statements, after),
      touched: idsOf(
        statements.filter(({ claim }) => claims.has(claim)),
        before,
      ),
    });
    return {
      facts: of(
        replayed,
        ({ fact }) => fact,
        (one) => (left.isDown(one) ? null : one.fact),
      ),
      beliefs: of(reweighed, ({ belief }) => belief, left.beliefOf),
      understanding: conceptsCarried(statements, footprint, { taken, left, claims: reweighed }),
    };
  };
  return { here: fateOf(carried(false)), elsewhere: fateOf(carried(true)) };
}

function idsOf(
  statements: readonly FootprintStatement[],
  idOf: (one: FootprintStatement) => string | null,
): Set<string> {
  return new Set(statements.flatMap((one) => idOf(one) ?? []));
}

/** Of a concept statements elsewhere in the scope may be left: it is counted how many support it. */
function conceptsCarried(
  statements: readonly FootprintStatement[],
  { concepts }: Footprint,
  {
    taken,
    left,
    claims,
  }: { readonly taken: Taken; readonly left: Left; readonly claims: ReadonlySet<string> },
): Carried {
  const lost = new Map<string, number>();
  const touched = new Set<string>();
  for (const one of statements)
    for (const { id, role } of one.concepts) {
      const stays =
        !left.isDown(one) && !taken.capped.has(one.said) && !taken.unsupported.has(supportKey(one, role));
      if (!stays) lost.set(id, (lost.get(id) ?? 0) + 1);
      if (!stays || claims.has(one.claim)) touched.add(id);
    }
  const before = new Set([...touched].filter((id) => concepts.has(id)));
  const after = new Set([...before].filter((id) => (concepts.get(id) ?? 0) > (lost.get(id) ?? 0)));
  return { before, after, touched };
}

function fateOf(carried: Record<OfStatements, Carried>): Fate {
  const none = byLayer<readonly string[]>(() => []);
  const fate = (is: (one: Carried, id: string) => boolean): ByLayer<readonly string[]> => {
    const of = (layer: OfStatements): string[] =>
      [...carried[layer].before].filter((id) => is(carried[layer], id)).sort();
    return { ...none, facts: of('facts'), beliefs: of('beliefs'), understanding: of('understanding') };
  };
  return {
    gone: fate(({ after }, id) => !after.has(id)),
    revised: fate(({ after, touched }, id) => after.has(id) && touched.has(id)),
  };
}

/** The claims that are derived anew: those that lose a statement, those that something rests on a claim of these, and so on. */
function replayedClaims({ statements, premises }: Footprint, { isDown, hasFallen }: Left): Set<string> {
  const replayed = new Set(statements.flatMap((one) => (isDown(one) ? [one.claim] : [])));
  const resting = statements.filter((one) => one.premises.length + one.grounds.length > 0);
  const isTouched = (name: string): boolean => {
    const premise = premises.get(name);
    return (
      hasFallen(name) || (premise !== undefined && premise.type !== 'event' && replayed.has(premise.claim))
    );
  };
  for (let size = -1; size < replayed.size;) {
    size = replayed.size;
    for (const one of resting) if ([...one.premises, ...one.grounds].some(isTouched)) replayed.add(one.claim);
  }
  return replayed;
}

function episodeFate(
  { events, episodes }: Footprint,
  { leaving }: Taken,
): { readonly gone: string[]; readonly revised: string[]; readonly citing: string[] } {
  const lost = new Map<string, number>();
  for (const id of leaving) {
    const episode = events.get(id)?.episode;
    if (typeof episode === 'string') lost.set(episode, (lost.get(episode) ?? 0) + 1);
  }
  const isGone = (id: string): boolean => (lost.get(id) ?? 0) >= (episodes.get(id)?.events ?? Infinity);
  const beside = [...lost.keys()].flatMap((id) => episodes.get(id)?.beside ?? []);
  const touched = [...new Set([...lost.keys(), ...beside])].sort();
  return {
    gone: touched.filter(isGone),
    revised: touched.filter((id) => !isGone(id)),
    // One that goes loses its first event too.
    citing: [...episodes.values()].flatMap(({ first, cited_by }) =>
      first !== null && leaving.has(first) ? cited_by : [],
    ),
  };
}
