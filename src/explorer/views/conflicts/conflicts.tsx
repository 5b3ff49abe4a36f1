import { usePages } from '../../api/use-pages.ts';
import { address, asOf, goTo, linkTo, linkWith, scope } from '../../app/location.ts';
import { ChooseScope } from '../../components/choose-scope.tsx';
import { Instant } from '../../components/instant.tsx';
import { Empty } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ConflictDetail } from './conflict-detail.tsx';
import './conflicts.css';
import { CONFLICTS, type Conflict } from './queries.ts';
import { questionOf } from './sides.ts';
import { ConflictBadge } from './status.tsx';
import { useSubjectName } from './subject.tsx';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** Where a scope contradicts itself: both sides with their evidence, and how it was settled or may be. */
export function Conflicts() {
  return (
    <div class="view">
      <header class="view-head">
        <h1>Conflicts</h1>
        <p class="soft">Where a claim that has one value was given two of them for the same time.</p>
      </header>
      {scope.value === null ? (
        <ChooseScope what="Conflicts are of one scope." />
      ) : (
        <ConflictsOf scope={scope.value} key={scope.value} />
      )}
    </div>
  );
}

function ConflictsOf({ scope: path }: { readonly scope: string }) {
  const { rest, parameters } = address.value;
  const status = parameters.status === 'all' ? 'all' : 'open';
  // A conflict has no valid time.
  const recorded = asOf.value?.recorded;
  const instants = recorded === undefined ? null : { recorded };
  const pages = usePages(
    CONFLICTS,
    { scope: path, status, asOf: instants },
    ({ conflicts }) => conflicts ?? NO_PAGE,
  );
  const chosen = rest[0] ?? pages.items[0]?.id;
  return (
    <div class="conflicts-grid">
      <Panel title="In this scope" aside={<Filter status={status} />}>
        {pages.state === 'end' && pages.items.length === 0 && (
          <Empty title={status === 'open' ? 'Nothing contradicts itself.' : 'There was never a conflict.'}>
            <p>
              {status === 'open' && (
                <>
                  Look at <a href={linkWith({ status: 'all' })}>those that are over</a> too, or{' '}
                </>
              )}
              choose another scope: a list has neither the scopes above nor those below.
            </p>
          </Empty>
        )}
        <ul class="conflict-list">
          {pages.items.map((conflict) => (
            <li key={conflict.id}>
              <Line conflict={conflict} status={status} isChosen={conflict.id === chosen} />
            </li>
          ))}
        </ul>
        <Pager pages={pages} />
      </Panel>
      {chosen !== undefined && (
        <ConflictDetail
          id={chosen}
          asOf={instants}
          changed={() => {
            // It may be in the list no longer: it stays open by its own address.
            goTo(linkTo('conflicts', [chosen], status === 'all' ? { status } : {}));
            pages.reload();
          }}
          key={chosen}
        />
      )}
    </div>
  );
}

function Filter({ status }: { readonly status: 'open' | 'all' }) {
  return (
    <nav class="conflict-filter" aria-label="Which conflicts">
      <a href={linkWith({ status: '' })} aria-current={status === 'open' ? 'true' : undefined}>
        Open
      </a>
      <a href={linkWith({ status: 'all' })} aria-current={status === 'all' ? 'true' : undefined}>
        All
      </a>
    </nav>
  );
}

function Line({
  conflict,
  status,
  isChosen,
}: {
  readonly conflict: Conflict;
  readonly status: 'open' | 'all';
  readonly isChosen: boolean;
}) {
  const name = useSubjectName(conflict);
  return (
    <a
      class="conflict-line"
      href={linkTo('conflicts', [conflict.id], status === 'all' ? { status } : {})}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="conflict-question">{questionOf(conflict, name)}</span>
      <span class="conflict-more small soft">
        <ConflictBadge status={conflict.status} />
        <Instant at={conflict.detectedAt} precision="ago" />
      </span>
    </a>
  );
}
