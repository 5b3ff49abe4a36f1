import type { Cascade } from '../../schemas/forget.ts';
import type { Footprint, FootprintStatement } from './footprint.ts';
import type { ByLayer } from './layers.ts';
import type { Wish, WishLayer } from './wish.ts';

/** What is taken away by itself, before it is asked what falls with it. */
export interface Taken {
  /** Events of which id, offset and instant alone stay. */
  readonly redacted: ReadonlySet<string>;
  /** What is never derived again, of events that stay. */
  readonly wishes: readonly Wish[];
  /** Things said (see {@link FootprintStatement.said}) that go. */
  readonly said: ReadonlySet<string>;
  /** Things said that count up to facts only. */
  readonly capped: ReadonlySet<string>;
  /** Things said that do not support the concept of that entity any more: see {@link supportKey}. */
  readonly unsupported: ReadonlySet<string>;
  /** Events that leave their episodes. */
  readonly leaving: ReadonlySet<string>;
}

/** What a selection takes away by itself under a cascade; events that are `held` are not redacted. */
export function takenBy(
  selected: ByLayer<readonly string[]>,
  cascade: Cascade,
  footprint: Footprint,
  held: ReadonlySet<string> = new Set(),
): Taken {
  const own = recordsTaken(selected, footprint);
  if (cascade === 'redact_events') return redaction(selected.events, own, footprint, held);
  const barren = new Set(cascade === 'derived_only' ? selected.events : []);
  const gone = footprint.statements.filter((one) => barren.has(one.event_id) || own.said.has(one.said));
  return {
    redacted: new Set(),
    wishes: wishesOf(own, barren, footprint),
    said: new Set(gone.map(({ said }) => said)),
    capped: own.capped,
    unsupported: own.unsupported,
    leaving: new Set([...own.leaving, ...barren]),
  };
}

type RecordsTaken = Pick<Taken, 'said' | 'capped' | 'unsupported' | 'leaving'>;

/** What the selected derived records take away, whatever becomes of events. */
function recordsTaken(selected: ByLayer<readonly string[]>, { statements, events }: Footprint): RecordsTaken {
  const own = statements.filter(({ elsewhere }) => !elsewhere);
  const [facts, beliefs] = [new Set(selected.facts), new Set(selected.beliefs)];
  const [concepts, episodes] = [new Set(selected.understanding), new Set(selected.episodes)];
  return {
    said: new Set(own.flatMap(({ fact, said }) => (fact !== null && facts.has(fact) ? [said] : []))),
    capped: new Set(
      own.flatMap(({ belief, said }) => (belief !== null && beliefs.has(belief) ? [said] : [])),
    ),
    unsupported: new Set(
      own.flatMap((one) =>
        one.concepts.flatMap(({ id, role }) => (concepts.has(id) ? [supportKey(one, role)] : [])),
      ),
    ),
    leaving: new Set(
      [...events].flatMap(([id, { episode }]) => (episode !== null && episodes.has(episode) ? [id] : [])),
    ),
  };
}

/** Everything that the events state goes with them: those that are selected, and those that a selected record rests on. */
function redaction(
  events: readonly string[],
  own: RecordsTaken,
  { statements, events: there }: Footprint,
  held: ReadonlySet<string>,
): Taken {
  const resting = statements.filter(
    (one) =>
      own.said.has(one.said) ||
      own.capped.has(one.said) ||
      one.concepts.some(({ role }) => own.unsupported.has(supportKey(one, role))),
  );
  const meant = [
    ...events.filter((id) => there.has(id)),
    ...own.leaving,
    ...resting.map(({ event_id }) => event_id),
  ];
  const redacted = new Set(meant.filter((id) => !held.has(id)));
  const gone = statements.filter(({ event_id }) => redacted.has(event_id));
  return {
    redacted,
    wishes: [],
    said: new Set(gone.map(({ said }) => said)),
    capped: new Set(),
    unsupported: new Set(),
    leaving: redacted,
  };
}

/** The wishes, each of them once for an event and layer; what goes as a fact is not named in the layers that rest on facts. */
function wishesOf(own: RecordsTaken, barren: ReadonlySet<string>, { statements }: Footprint): Wish[] {
  const ids = new Map<string, Set<string>>();
  const note = (layer: WishLayer, { event_id }: FootprintStatement, id: string): void => {
    const key = `${event_id} ${layer}`;
    const known = ids.get(key);
    if (known === undefined) ids.set(key, new Set([id]));
    else known.add(id);
  };
  for (const one of statements) {
    if (one.elsewhere || one.continues || barren.has(one.event_id)) continue;
    if (own.said.has(one.said)) note('facts', one, one.id);
    else if (own.capped.has(one.said)) note('beliefs', one, one.id);
    else
      for (const { role } of one.concepts)
        if (own.unsupported.has(supportKey(one, role))) note('understanding', one, `${one.id}/${role}`);
  }
  const named = [...ids].map(([key, all]): Wish => {
    const [event_id = '', layer] = key.split(' ');
    return { event_id, layer: layer as WishLayer, ids: [...all].sort() };
  });
  const whole = (layer: WishLayer, events: Iterable<string>): Wish[] =>
    [...events].map((event_id) => ({ event_id, layer, ids: null }));
  const wishes = [
    ...named,
    ...whole('facts', barren),
    ...whole('episodes', new Set([...barren, ...own.leaving])),
  ];
  return wishes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The key of something said in its support for the concept of what it names in a role. */
export function supportKey({ said }: FootprintStatement, role: 'subject' | 'object'): string {
  return `${said}/${role}`;
}

function keyOf({ event_id, layer }: Wish): string {
  return `${event_id} ${layer}`;
}
