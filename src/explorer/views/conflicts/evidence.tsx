import { useQuery } from '../../api/use-query.ts';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { Shown } from '../../components/shown.tsx';
import { WhyLink } from '../../records/why-link.tsx';
import { inWords } from '../home/content.ts';
import { EVIDENCE, type Statement } from './queries.ts';
import type { Side } from './sides.ts';
import { StatementBadge } from './status.tsx';

/** One side of a conflict with all that is stated for it. */
export function SideOf({
  side: { value, statements },
  number,
}: {
  readonly side: Side;
  readonly number: number;
}) {
  return (
    <section class="side" aria-label={`Side ${number}: ${value}`}>
      <h3 class="side-value">{value}</h3>
      <ul class="side-statements">
        {statements.map((statement) => (
          <li key={statement.id}>
            <Evidence statement={statement} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Evidence({ statement }: { readonly statement: Statement }) {
  const { eventId, sourceAuthority, extractor, confidence, validFrom, validFromBasis, validTo } = statement;
  const event = useQuery(EVIDENCE, { id: eventId });
  return (
    <>
      <Shown query={event} lines={1}>
        {({ event: found }) => (
          <blockquote class="quote">
            {found === null ? 'The event is not there any more.' : inWords(found.content)}
          </blockquote>
        )}
      </Shown>
      <p class="evidence-line">
        <StatementBadge status={statement.status} />
        <Confidence value={confidence} />
      </p>
      <p class="small soft">
        <strong>{sourceAuthority}</strong>,{' '}
        {extractor === 'triple' ? 'sent as a statement' : `read by ${extractor}`}, recorded{' '}
        <Instant at={statement.recordedFrom} />. Holds from <Instant at={validFrom} precision="day" />
        {validFromBasis === 'observed' && ' at the latest'}
        {validTo !== null && (
          <>
            {' '}
            until <Instant at={validTo} precision="day" />
          </>
        )}
        . <WhyLink id={eventId}>Open the event</WhyLink>
      </p>
    </>
  );
}
