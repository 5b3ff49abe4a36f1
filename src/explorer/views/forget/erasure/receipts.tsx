import { usePages } from '../../../api/use-pages.ts';
import { linkWith } from '../../../app/location.ts';
import { Instant } from '../../../components/instant.tsx';
import { Pager } from '../../../components/pager.tsx';
import { Panel } from '../../../components/panel.tsx';
import { ERASURES, type ErasureFrame } from './queries.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** The erasures of a scope that are over, as long as their frames are kept. */
export function Receipts({ scope, chosen }: { readonly scope: string; readonly chosen: string | null }) {
  const pages = usePages(ERASURES, { scope }, ({ lifecycle }) => lifecycle ?? NO_PAGE);
  const newest = [...pages.items].reverse();
  return (
    <Panel title="Receipts">
      {pages.state === 'end' && newest.length === 0 && (
        <p class="soft">Nothing was erased here, or its frames are kept no more.</p>
      )}
      <ul class="lines">
        {newest.map((frame) => (
          <ReceiptLine frame={frame} chosen={chosen} key={frame.lifecycleId} />
        ))}
      </ul>
      <Pager pages={pages} />
    </Panel>
  );
}

function ReceiptLine({
  frame: { ts, data },
  chosen,
}: {
  readonly frame: ErasureFrame;
  readonly chosen: string | null;
}) {
  const { erasure_id: id, status } = data;
  if (typeof id !== 'string') return null;
  return (
    <li>
      <a href={linkWith({ erasure: id })} aria-current={id === chosen ? 'true' : undefined}>
        <Instant at={ts} />
      </a>{' '}
      {typeof status === 'string' && <span>{status}</span>}
      <br />
      <code class="small">{id}</code>
    </li>
  );
}
