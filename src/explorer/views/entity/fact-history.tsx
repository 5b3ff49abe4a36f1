import { useMemo } from 'preact/hooks';

import { useEach } from '../../api/use-each.ts';
import { asOf } from '../../app/location.ts';
import { now } from '../../clock.ts';
import { counted } from '../../components/counted.ts';
import { Empty, ErrorNotice, Note, Skeleton } from '../../components/notice.tsx';
import { FactPicture } from './fact-picture.tsx';
import { TIMELINE, type FactItem } from './queries.ts';
import { drawnInstants, rectanglesOf } from './rectangles.ts';
import { usePredicateFacts } from './use-predicate-facts.ts';

/** Instants of recorded time that are drawn, the newest. */
const INSTANTS = 60;

/** Of what a history is. */
interface Stated {
  readonly scope: string;
  readonly subject: string;
  readonly predicate: string;
}

/** What was known of one predicate, instant by instant: read from the service at each instant at which it changed. */
export function FactHistory({ scope, subject, predicate }: Stated) {
  const stated = { scope, subject, predicate };
  const facts = usePredicateFacts(stated);
  if (facts.refusal !== null) return <ErrorNotice refusal={facts.refusal} retry={facts.more} />;
  if (facts.state === 'loading') return <Reading done={counted(facts.items.length, 'fact')} />;
  if (facts.items.length === 0) return <p class="soft">Nothing is stated of it with this predicate.</p>;
  return <Timelines stated={stated} facts={facts.items} isWhole={facts.state === 'whole'} />;
}

/** The picture of facts, from the timeline at each instant. */
function Timelines({
  stated,
  facts,
  isWhole,
}: {
  readonly stated: Stated;
  readonly facts: readonly FactItem[];
  /** Whether these are all facts, not only the newest. */
  readonly isWhole: boolean;
}) {
  const { valid, recorded } = asOf.value ?? {};
  const end = useMemo(() => (recorded === undefined ? now() : Date.parse(recorded)), [facts, recorded]);
  const { instants, before, left } = useMemo(
    () => drawnInstants(facts, { until: end, most: INSTANTS, isWhole }),
    [facts, end, isWhole],
  );
  const asked = before === null ? instants : [before, ...instants];
  const read = useEach(
    TIMELINE,
    asked.map((at) => ({ ...stated, asOf: { recorded: new Date(at).toISOString() } })),
  );
  const rectangles = useMemo(() => {
    const knowns = asked.map((at, i) => ({ at, stretches: read.answers[i]?.factTimeline?.nodes ?? [] }));
    return before === null ? rectanglesOf(knowns) : rectanglesOf(knowns.slice(1), knowns[0]?.stretches);
  }, [read.done, instants]);
  if (read.refusal !== null) return <ErrorNotice refusal={read.refusal} retry={read.retry} />;
  if (read.done < asked.length)
    return <Reading done={`${read.done} of ${counted(asked.length, 'instant')}`} />;
  if (rectangles.length === 0)
    return (
      <Empty title="It holds at no time.">
        <p>What was stated was displaced, or denied from its beginning on.</p>
      </Empty>
    );
  const isCapped = read.answers.some((answer) => answer?.factTimeline?.pageInfo.hasNextPage === true);
  return (
    <div class="entity-history">
      <LeftOut facts={isWhole ? null : facts.length} instants={left} isCapped={isCapped} />
      <FactPicture
        title={`${stated.predicate.replaceAll('_', ' ')}: when it is true, and since when it is known`}
        rectangles={rectangles}
        instants={instants}
        end={end}
        looked={valid === undefined ? end : Date.parse(valid)}
        isNow={valid === undefined && recorded === undefined}
      />
    </div>
  );
}

/** What a picture does not have, and what that means for what it shows. */
function LeftOut({
  facts,
  instants,
  isCapped,
}: {
  /** How many were read, where there are more; else null. */
  readonly facts: number | null;
  /** How many earlier instants are not drawn. */
  readonly instants: number;
  readonly isCapped: boolean;
}) {
  return (
    <>
      {facts !== null && (
        <Note>
          The newest {counted(facts, 'fact')} are read. There are older ones: what changed in those alone
          shows at the next change that is drawn.
        </Note>
      )}
      {instants > 0 && (
        <Note>
          The newest {INSTANTS} changes are drawn, {counted(instants, 'earlier one')} not.
        </Note>
      )}
      {isCapped && (
        <Note>
          Of some instants not everything was read: what is missing there may seem to begin or end then.
        </Note>
      )}
    </>
  );
}

/** How much is read so far. */
function Reading({ done }: { readonly done: string }) {
  return (
    <div>
      <p class="soft small">Read so far: {done}.</p>
      <Skeleton lines={5} />
    </div>
  );
}
