import { useEffect, useMemo, useState } from 'preact/hooks';

import { connection } from '../../api/connection.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';
import { asOf, linkWith, replaceWith, scope } from '../../app/location.ts';
import { now } from '../../clock.ts';
import { Instant } from '../../components/instant.tsx';
import { Empty, Note, Skeleton } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { Picture } from '../../components/picture.tsx';
import { sightParameters, type Chosen } from './choice.ts';
import { chosen } from './chosen.ts';
import { ItemDetails } from './item-details.tsx';
import { inOrder, itemOfEpisode, itemOfEvent, itemOfFound } from './items.ts';
import { LineFilters } from './line-filters.tsx';
import { clamped, extentOf, moved, type Item, type Stretch } from './line.ts';
import { EPISODES, EVENTS, HOLDING } from './queries.ts';
import { TimeLine } from './time-line.tsx';
import './timeline.css';

const PAGE_SIZE = 200;
const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
/** How long what is in sight has to rest before the address says it. */
const REST_MS = 250;
/** How far a press of a button goes. */
const STEP = 0.5;

/** Events and episodes of a scope on a line. */
export function Timeline() {
  const { value: path } = scope;
  return (
    <div class="view timeline-view">
      <header class="view-head">
        <h1>Timeline</h1>
        <p class="soft">What happened when, and the episodes that it belongs to.</p>
      </header>
      {path === null ? (
        <Empty title="No scope is chosen.">
          <p>Choose one in the bar at the top.</p>
        </Empty>
      ) : (
        <LineOfScope key={path} path={path} />
      )}
    </div>
  );
}

function LineOfScope({ path }: { readonly path: string }) {
  const now = chosen.value;
  const { items, lists } = useItems(path, now);
  const isLoading = lists.some(({ pages }) => pages.state === 'loading');
  return (
    <>
      <Panel title={path}>
        <LineFilters chosen={now} />
      </Panel>
      {items.length === 0 && isLoading && (
        <>{connection.value.is === 'away' ? <Note>{connection.value.why}</Note> : <Skeleton lines={8} />}</>
      )}
      {items.length === 0 && lists.every(({ pages }) => pages.state === 'end') && (
        <Empty title="Nothing is here.">
          <p>Nothing in this scope is as the filters ask, at the instants of the bar at the top.</p>
        </Empty>
      )}
      {(items.length > 0 || now.item !== null) && <Line path={path} items={items} chosen={now} />}
      {lists.map(({ name, pages }) => (
        <More key={name} name={name} pages={pages} isEmpty={items.length === 0} />
      ))}
    </>
  );
}

/** What the service has of what is chosen, as far as it was read. */
function useItems(path: string, { actor, label, modality, words }: Chosen) {
  const at = asOf.value;
  const shared = { scope: path, asOf: at, first: PAGE_SIZE };
  const listed = (text: string | null): string[] | null => (text === null ? null : [text]);
  const narrowed = { ...shared, actor: listed(actor), labels: listed(label), modality: listed(modality) };
  const isNarrowed = actor !== null || label !== null || modality !== null;
  const events = usePages(EVENTS, words === null ? narrowed : null, ({ events }) => events ?? NO_PAGE);
  // An episode has events of many; of one actor or label there is none.
  const episodes = usePages(
    EPISODES,
    words === null && !isNarrowed ? shared : null,
    ({ episodes }) => episodes ?? NO_PAGE,
  );
  const found = usePages(
    HOLDING,
    words === null ? null : { ...shared, q: words },
    ({ graph }) => graph ?? NO_PAGE,
  );
  const items = useMemo(
    () =>
      inOrder([
        ...events.items.map(itemOfEvent),
        ...episodes.items.map(itemOfEpisode),
        ...found.items.flatMap(itemOfFound),
      ]),
    [events.items, episodes.items, found.items],
  );
  const lists = [
    { name: 'events', pages: events },
    { name: 'episodes', pages: episodes },
    { name: 'what holds the words', pages: found },
  ];
  return { items, lists };
}

function More({
  name,
  pages,
  isEmpty,
}: {
  readonly name: string;
  readonly pages: Pages<unknown>;
  readonly isEmpty: boolean;
}) {
  if (pages.state === 'end' || (isEmpty && pages.state === 'loading')) return null;
  return (
    <div class="line-more">
      <p class="soft">
        Of {name} the newest {pages.items.length} were read.
      </p>
      <Pager pages={pages} />
    </div>
  );
}

function Line({
  path,
  items,
  chosen: { item, sight },
}: {
  readonly path: string;
  readonly items: readonly Item[];
  readonly chosen: Chosen;
}) {
  const whole = useMemo(() => extentOf(items, now()), [items]);
  const { looked, look } = useSight(sight, whole);
  return (
    <div class="panel">
      <Toolbar looked={looked} look={look} />
      <Picture
        title={`Events and episodes of ${path}`}
        list={
          <>
            {item !== null && <ItemDetails id={item} key={item} />}
            <ItemList items={items} chosen={item} />
          </>
        }
      >
        <TimeLine
          items={items}
          whole={whole}
          sight={looked}
          chosen={item}
          look={look}
          open={(id) => {
            replaceWith(linkWith({ item: id }));
          }}
        />
      </Picture>
    </div>
  );
}

function Toolbar({
  looked,
  look,
}: {
  readonly looked: Stretch;
  readonly look: (next: Stretch | null) => void;
}) {
  return (
    <div class="line-toolbar" role="group" aria-label="Picture">
      {(
        [
          ['Earlier', moved(looked, -STEP, 1)],
          ['Later', moved(looked, STEP, 1)],
          ['Nearer', moved(looked, 0, STEP)],
          ['Farther', moved(looked, 0, 1 / STEP)],
          ['Show all', null],
        ] as const
      ).map(([title, next]) => (
        <button
          type="button"
          class="button"
          key={title}
          onClick={() => {
            look(next);
          }}
        >
          {title}
        </button>
      ))}
      <span class="small soft">
        <Instant at={writtenAt(looked.from)} /> to <Instant at={writtenAt(looked.to)} />
      </span>
    </div>
  );
}

/** What is in sight: at once on the screen, and in the address when it rests. */
function useSight(
  sight: Stretch | null,
  whole: Stretch,
): { readonly looked: Stretch; readonly look: (next: Stretch | null) => void } {
  const [held, setHeld] = useState<{ readonly sight: Stretch | null } | null>(null);
  useEffect(() => {
    if (held === null) return undefined;
    const timer = setTimeout(() => {
      replaceWith(linkWith(sightParameters(held.sight)));
      setHeld(null);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [held]);
  const look = (next: Stretch | null): void => {
    setHeld({ sight: next === null ? null : clamped(next) });
  };
  return { looked: clamped((held === null ? sight : held.sight) ?? whole), look };
}

/** How many are listed at first, and how many more each time. */
const STRETCH = 50;

function ItemList({
  items,
  chosen: open,
}: {
  readonly items: readonly Item[];
  readonly chosen: string | null;
}) {
  const [most, setMost] = useState(STRETCH);
  return (
    <>
      <ol class="item-list" aria-label="Newest first">
        {items.slice(0, most).map(({ id, kind, text, actor, start, end }) => (
          <li key={id}>
            <span class={`kind kind-${kind}`} aria-hidden="true" />{' '}
            <a href={linkWith({ item: id })} aria-current={id === open ? 'true' : undefined}>
              {text}
            </a>
            <span class="small soft">
              {' '}
              {kind}
              {actor === null ? '' : ` of ${actor}`}, <Instant at={writtenAt(start)} />
              {kind === 'episode' &&
                (end === null ? (
                  ', goes on'
                ) : (
                  <>
                    {' '}
                    to <Instant at={writtenAt(end)} />
                  </>
                ))}
            </span>
          </li>
        ))}
      </ol>
      {items.length > most && (
        <button
          type="button"
          class="button"
          onClick={() => {
            setMost(most + STRETCH);
          }}
        >
          List more of the other {items.length - most}
        </button>
      )}
    </>
  );
}

function writtenAt(ms: number): string {
  return new Date(ms).toISOString();
}
