import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { useAct } from '../../api/use-act.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { CHAIN, VERIFY_CHAIN, type ChainVerification } from './queries.ts';

/** The chain that all rows are in, and whether it is whole. */
export function ChainPanel() {
  const chain = useQuery(CHAIN, {});
  const [found, setFound] = useState<ChainVerification | null>(null);
  const { isBusy, refusal, start } = useAct();
  return (
    <Panel title="Chain">
      <Shown query={chain} lines={3}>
        {({ auditChain }) =>
          auditChain && (
            <div class="chain">
              <KeyValue
                entries={[
                  ['Rows', auditChain.length],
                  ...(auditChain.removedRows === 0
                    ? []
                    : [['Kept no more', auditChain.removedRows] as const]),
                  ['Newest hash', <code key="hash">{auditChain.headHash}</code>],
                ]}
              />
              <p class="small soft">
                Kept elsewhere, this hash proves later that no row before it was changed.
              </p>
              <div>
                <button
                  type="button"
                  class="button"
                  disabled={isBusy}
                  onClick={() => {
                    start(async (signal) => {
                      setFound((await ask(VERIFY_CHAIN, {}, signal)).verifyAuditChain);
                      chain.reload();
                    });
                  }}
                >
                  {isBusy ? 'Reading all rows…' : 'Verify the chain'}
                </button>
              </div>
            </div>
          )
        }
      </Shown>
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      {found !== null && <Found found={found} />}
    </Panel>
  );
}

function Found({ found: { valid, length, firstBrokenIndex } }: { readonly found: ChainVerification }) {
  return (
    <p role="status" class="chain-found">
      {valid ? (
        <>
          <Badge icon="check" tone="good">
            whole
          </Badge>{' '}
          All {length} rows are there, unchanged and in their places.
        </>
      ) : (
        <>
          <Badge icon="cross" tone="bad">
            broken
          </Badge>{' '}
          The first row that is changed, missing or misplaced is number {firstBrokenIndex}, counted from 0.
        </>
      )}
    </p>
  );
}
