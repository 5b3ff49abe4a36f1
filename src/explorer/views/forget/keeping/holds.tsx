import { useState } from 'preact/hooks';

import { ask } from '../../../api/ask.ts';
import { useAct } from '../../../api/use-act.ts';
import { usePages } from '../../../api/use-pages.ts';
import { Badge } from '../../../components/badge.tsx';
import { Instant } from '../../../components/instant.tsx';
import { Pager } from '../../../components/pager.tsx';
import { Panel } from '../../../components/panel.tsx';
import { toast } from '../../../components/toast.tsx';
import type { Selector } from '../queries.ts';
import { selectionInWords } from '../selection.ts';
import { Sure } from './sure.tsx';
import { HOLDS, REMOVE_HOLD, type Hold } from './queries.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** What keeps events of a scope from being forgotten: its own holds, and those of the scopes above it. */
export function Holds({ scope }: { readonly scope: string }) {
  const pages = usePages(HOLDS, { scope }, ({ legalHolds }) => legalHolds ?? NO_PAGE);
  return (
    <Panel title="Legal holds">
      {pages.state === 'end' && pages.items.length === 0 && <p class="soft">Nothing is held.</p>}
      <ul class="lines">
        {pages.items.map((hold) => (
          <li key={hold.id}>
            <HoldLine hold={hold} scope={scope} changed={pages.reload} />
          </li>
        ))}
      </ul>
      <Pager pages={pages} />
    </Panel>
  );
}

function HoldLine({
  hold,
  scope,
  changed,
}: {
  readonly hold: Hold;
  readonly scope: string;
  readonly changed: () => void;
}) {
  const { id } = hold;
  const [isAsking, setAsking] = useState(false);
  const act = useAct();
  return (
    <>
      <HoldText hold={hold} lookedAt={scope} />
      <button
        type="button"
        class="button"
        onClick={() => {
          setAsking(true);
        }}
      >
        Remove<span class="sr-only"> the hold {id}</span>
      </button>
      {isAsking && (
        <Sure
          title="Remove the hold?"
          what={`From then on what ${id} held can be forgotten.`}
          label="Remove the hold"
          act={act}
          close={() => {
            setAsking(false);
          }}
          execute={async (signal) => {
            await ask(REMOVE_HOLD, { id }, signal);
            toast('The hold is removed.');
            setAsking(false);
            changed();
          }}
        />
      )}
    </>
  );
}

function HoldText({
  hold: { id, scope, selector, reason, until, active, createdAt, createdBy },
  lookedAt,
}: {
  readonly hold: Hold;
  readonly lookedAt: string;
}) {
  return (
    <>
      <p>
        <strong>{id}</strong>{' '}
        {active ? (
          <Badge icon="pause" tone="warn">
            holds
          </Badge>
        ) : (
          <Badge icon="dash" tone="calm">
            over
          </Badge>
        )}
      </p>
      <p>
        {reason}:{' '}
        {selectionInWords(selector === null ? { scope } : { scope, selector: withoutNulls(selector) })}
        {scope !== lookedAt && (
          <>
            {' '}
            of <code>{scope}</code> and below
          </>
        )}
      </p>
      <p class="small soft">
        {createdBy}, <Instant at={createdAt} />
        {until !== null && (
          <>
            , until <Instant at={until} />
          </>
        )}
      </p>
    </>
  );
}

function withoutNulls(selector: NonNullable<Hold['selector']>): Selector {
  return Object.fromEntries(Object.entries(selector).filter(([, value]) => value !== null)) as Selector;
}
