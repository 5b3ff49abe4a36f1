import { usePages } from '../../api/use-pages.ts';
import { asOf, linkTo } from '../../app/location.ts';
import { StanceBadge } from '../../components/badge.tsx';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { Picture } from '../../components/picture.tsx';
import { BeliefChart } from './belief-chart.tsx';
import { BELIEF_HISTORY, BELIEFS, type BeliefItem, type BeliefVersion } from './queries.ts';
import { termText } from './rectangles.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** What is believed of the entity at the instants that are looked at, and how each belief came to be what it is. */
export function Beliefs({ scope, about }: { readonly scope: string; readonly about: string }) {
  const pages = usePages(BELIEFS, { scope, about, asOf: asOf.value }, ({ beliefs }) => beliefs ?? NO_PAGE);
  return (
    <Panel title="Beliefs">
      {pages.state === 'end' && pages.items.length === 0 && (
        <p class="soft">Nothing is believed of it at the instants that you look at.</p>
      )}
      <ul class="entity-beliefs">
        {pages.items.map((belief) => (
          <li key={belief.id}>
            <Belief belief={belief} />
          </li>
        ))}
      </ul>
      <Pager pages={pages} />
    </Panel>
  );
}

function Belief({ belief }: { readonly belief: BeliefItem }) {
  const { id, claim, predicate, object, stance, confidence, confidenceInterval } = belief;
  const { name, id: subject } = claim.subject;
  const says = `${name ?? subject} ${predicate.replaceAll('_', ' ')} ${termText(object)}`;
  const history = usePages(
    BELIEF_HISTORY,
    { id, asOf: asOf.value },
    ({ beliefHistory }) => beliefHistory ?? NO_PAGE,
  );
  return (
    <>
      <h3>
        <a href={linkTo('why', [], { id })}>{says}</a>
      </h3>
      <p class="entity-belief-now">
        <StanceBadge stance={stance} /> <Confidence value={confidence} interval={confidenceInterval} />
        <span class="small soft">
          {percent(confidenceInterval.lower)} to {percent(confidenceInterval.upper)}
        </span>
      </p>
      {history.items.length > 0 && (
        <Picture title={`How sure it was that ${says}`} list={<Revisions versions={history.items} />}>
          <BeliefChart versions={history.items} />
        </Picture>
      )}
      <Pager pages={history} />
    </>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function Revisions({ versions }: { readonly versions: readonly BeliefVersion[] }) {
  return (
    <ul class="entity-list">
      {versions.map(({ revision, revisedAt, stance, confidence, confidenceInterval, causedBy }) => (
        <li key={revision} class="small">
          <a href={linkTo('why', [], { id: causedBy })}>
            <Instant at={revisedAt} />
          </a>
          <p>
            {stance}, {percent(confidence)}
            <span class="soft">
              {' '}
              ({percent(confidenceInterval.lower)} to {percent(confidenceInterval.upper)})
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
