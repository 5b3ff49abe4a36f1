import { useMemo } from 'preact/hooks';

import { useEach } from '../../api/use-each.ts';
import { asOf, linkTo } from '../../app/location.ts';
import { now } from '../../clock.ts';
import { Instant } from '../../components/instant.tsx';
import { Empty, ErrorNotice, Note, Skeleton } from '../../components/notice.tsx';
import { Picture } from '../../components/picture.tsx';
import { FactPicture } from './fact-picture.tsx';
import { TIMELINE, type FactItem } from './queries.ts';
import { instantsOf, rectanglesOf, type Rectangle } from './rectangles.ts';

/** Instants of recorded time that are drawn, the newest. */
const INSTANTS = 60;

/** What was known of one predicate, instant by instant: read from the service at each instant at which it changed. */
export function FactHistory({
  scope,
  subject,
  predicate,
  facts,
}: {
  readonly scope: string;
  readonly subject: string;
  readonly predicate: string;
  readonly facts: readonly FactItem[];
}) {
  const { valid, recorded } = asOf.value ?? {};
  const end = useMemo(() => (recorded === undefined ? now() : Date.parse(recorded)), [facts, recorded]);
  const all = instantsOf(facts, end);
  const instants = all.slice(-INSTANTS);
  const read = useEach(
    TIMELINE,
    instants.map((at) => ({ scope, subject, predicate, asOf: { recorded: new Date(at).toISOString() } })),
  );
  const rectangles = useMemo(
    () =>
      rectanglesOf(instants.map((at, i) => ({ at, stretches: read.answers[i]?.factTimeline?.nodes ?? [] }))),
    [read.done, instants.join()],
  );
  if (read.refusal !== null) return <ErrorNotice refusal={read.refusal} retry={read.retry} />;
  if (read.done < instants.length) return <Reading done={read.done} all={instants.length} />;
  if (rectangles.length === 0)
    return (
      <Empty title="It holds at no time.">
        <p>What was stated was displaced, or denied from its beginning on.</p>
      </Empty>
    );
  const capped = read.answers.some((answer) => answer?.factTimeline?.pageInfo.hasNextPage === true);
  return (
    <div class="entity-history">
      {capped && <Note>Of some instants the first 200 stretches are shown.</Note>}
      {all.length > INSTANTS && (
        <Note>
          The newest {INSTANTS} of {all.length} changes are shown.
        </Note>
      )}
      <Picture
        title={`${predicate.replaceAll('_', ' ')}: when it is true, and since when it is known`}
        list={<Rectangles rectangles={rectangles} />}
      >
        <FactPicture
          rectangles={rectangles}
          instants={instants}
          end={end}
          looked={valid === undefined ? end : Date.parse(valid)}
          isNow={valid === undefined && recorded === undefined}
        />
      </Picture>
    </div>
  );
}

function Rectangles({ rectangles }: { readonly rectangles: readonly Rectangle[] }) {
  return (
    <ul class="entity-list">
      {rectangles.map((rectangle) => {
        const { fact, value, from, to, since, until } = rectangle;
        return (
          <li key={`${fact} ${since} ${from}`}>
            <a href={linkTo('why', [], { id: fact })}>{value}</a>
            <p class="small soft">
              true from <At at={from} precision="day" />{' '}
              {to === null ? (
                'on'
              ) : (
                <>
                  until <At at={to} precision="day" />
                </>
              )}
              , as known from <At at={since} />{' '}
              {until === null ? (
                'on'
              ) : (
                <>
                  until <At at={until} />
                </>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function At({ at, precision = 'minute' }: { readonly at: number; readonly precision?: 'day' | 'minute' }) {
  return <Instant at={new Date(at).toISOString()} precision={precision} />;
}

function Reading({ done, all }: { readonly done: number; readonly all: number }) {
  return (
    <div>
      <p class="soft small">
        {done} of {all} instants are read.
      </p>
      <Skeleton lines={5} />
    </div>
  );
}
