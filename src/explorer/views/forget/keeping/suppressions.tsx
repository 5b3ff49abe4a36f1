import { useState } from 'preact/hooks';

import { ask } from '../../../api/ask.ts';
import { useAct } from '../../../api/use-act.ts';
import { usePages } from '../../../api/use-pages.ts';
import { Instant } from '../../../components/instant.tsx';
import { Pager } from '../../../components/pager.tsx';
import { Panel } from '../../../components/panel.tsx';
import { toast } from '../../../components/toast.tsx';
import { Sure } from './sure.tsx';
import { LIFT, SUPPRESSIONS, type Suppression } from './queries.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** What keeps contents that were forgotten from a scope from being captured there again. */
export function Suppressions({ scope }: { readonly scope: string }) {
  const pages = usePages(SUPPRESSIONS, { scope }, ({ suppressions }) => suppressions ?? NO_PAGE);
  return (
    <Panel title="Suppressions">
      {pages.state === 'end' && pages.items.length === 0 && (
        <p class="soft">No content is refused here because it was forgotten.</p>
      )}
      <ul class="lines">
        {pages.items.map((suppression) => (
          <li key={suppression.id}>
            <SuppressionLine suppression={suppression} changed={pages.reload} />
          </li>
        ))}
      </ul>
      <Pager pages={pages} />
    </Panel>
  );
}

function SuppressionLine({
  suppression: { id, createdAt, createdBy, contents, refused },
  changed,
}: {
  readonly suppression: Suppression;
  readonly changed: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const act = useAct();
  return (
    <>
      <p>
        {contents} contents; {refused} captures were refused
      </p>
      <p class="small soft">
        <code>{id}</code>, {createdBy}, <Instant at={createdAt} />
      </p>
      <button
        type="button"
        class="button"
        onClick={() => {
          setAsking(true);
        }}
      >
        Lift<span class="sr-only"> {id}</span>
      </button>
      {isAsking && (
        <Sure
          title="Lift the suppression?"
          what={`Its ${contents} contents may be captured again. The hashes that know them are removed.`}
          label="Lift it"
          act={act}
          close={() => {
            setAsking(false);
          }}
          execute={async (signal) => {
            await ask(LIFT, { id }, signal);
            toast('The suppression is lifted.');
            setAsking(false);
            changed();
          }}
        />
      )}
    </>
  );
}
