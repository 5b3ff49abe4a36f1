import { useMemo, useState } from 'preact/hooks';

import { useQuery } from '../../api/use-query.ts';
import { linkTo } from '../../app/location.ts';
import { now } from '../../clock.ts';
import { Badge } from '../../components/badge.tsx';
import { duration, Instant } from '../../components/instant.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { inWords } from './content.ts';
import { hourBefore, lastHour } from './last-hour.ts';
import { RECENT, STAGES, type RecentEvent, type StageLag } from './queries.ts';

const EVERY_MS = 5000;
const PAGE_SIZE = 20;
/** Events that are shown at most: all that are shown are read with each poll. */
const MOST_EVENTS = 200;

/** How far derivation is in a scope, and what came into it and what lies below it. */
export function Activity({ scope }: { readonly scope: string }) {
  return (
    <Panel title={scope} aside={<a href={linkTo('scopes', [], { scope })}>Open</a>}>
      <Stages scope={scope} />
      <Recent scope={scope} />
    </Panel>
  );
}

interface StageRow extends StageLag {
  readonly name: string;
}

const COLUMNS: readonly Column<StageRow>[] = [
  { title: 'Stage', cell: ({ name }) => name },
  { title: 'Done up to', cell: ({ offset }) => offset, isNumber: true },
  { title: 'Events behind', cell: ({ lagEvents }) => lagEvents, isNumber: true },
  {
    title: 'Lag',
    cell: ({ lagEvents, lagMs }) => (lagEvents === 0 ? 'none' : duration(lagMs)),
    isNumber: true,
  },
];

function Stages({ scope }: { readonly scope: string }) {
  const stages = useQuery(STAGES, { scope }, { everyMs: EVERY_MS });
  return (
    <Shown query={stages} lines={4}>
      {({ derivationStatus: status }) => {
        if (status === null) return null;
        const { extracted, indexed, consolidated } = status.stages;
        const rows = [
          { name: 'extracted', ...extracted },
          { name: 'indexed', ...indexed },
          { name: 'consolidated', ...consolidated },
        ];
        return (
          <>
            <Table caption={`Stages of ${scope}`} columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
            <p class="activity-badges">
              {status.caughtUp ? (
                <Badge icon="check" tone="good">
                  caught up
                </Badge>
              ) : (
                <Badge icon="clock" tone="warn">
                  deriving
                </Badge>
              )}
              {status.rebuilding && (
                <Badge icon="clock" tone="warn">
                  derived again
                </Badge>
              )}
              {status.held > 0 && <Badge icon="pause" tone="warn">{`${status.held} held`}</Badge>}
              {status.failed > 0 && <Badge icon="cross" tone="bad">{`${status.failed} given up`}</Badge>}
              {status.embeddings.due > 0 && (
                <Badge icon="clock" tone="calm">{`${status.embeddings.due} vectors to make`}</Badge>
              )}
            </p>
          </>
        );
      }}
    </Shown>
  );
}

function Recent({ scope }: { readonly scope: string }) {
  const since = useMemo(() => hourBefore(now()), [scope]);
  const [first, setFirst] = useState(PAGE_SIZE);
  const recent = useQuery(RECENT, { scope, since, first }, { everyMs: EVERY_MS, keepsData: true });
  return (
    <section class="recent" aria-label={`Came into ${scope} during the last hour`}>
      <h3>During the last hour</h3>
      <Shown query={recent} lines={4}>
        {(data) => {
          const { events, hasMore } = lastHour(data, now());
          return (
            <>
              {events.length === 0 && <p class="soft">Nothing came in.</p>}
              <ol class="events">
                {events.map((event) => (
                  <EventLine event={event} key={event.id} />
                ))}
              </ol>
              {hasMore && first < MOST_EVENTS && (
                <button
                  type="button"
                  class="button pager"
                  disabled={recent.reading.is === 'loading'}
                  onClick={() => {
                    setFirst(first + PAGE_SIZE);
                  }}
                >
                  Load more
                </button>
              )}
              {hasMore && first >= MOST_EVENTS && (
                <p class="small soft">
                  More came in: <a href={linkTo('timeline', [], { scope })}>see the timeline</a>.
                </p>
              )}
            </>
          );
        }}
      </Shown>
    </section>
  );
}

function EventLine({ event }: { readonly event: RecentEvent }) {
  return (
    <li>
      <p class="event-text">{inWords(event.content)}</p>
      <p class="small soft">
        {event.observedActor.id} · {event.modality} ·{' '}
        <Instant at={event.context.recordedAt} precision="ago" />
      </p>
    </li>
  );
}
