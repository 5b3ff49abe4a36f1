import { useState } from 'preact/hooks';

import { ask } from '../../../api/ask.ts';
import { useAct } from '../../../api/use-act.ts';
import { useQuery } from '../../../api/use-query.ts';
import { Badge } from '../../../components/badge.tsx';
import { Instant } from '../../../components/instant.tsx';
import { ErrorNotice } from '../../../components/notice.tsx';
import { Shown } from '../../../components/shown.tsx';
import { receiptFile } from './receipt-file.ts';
import { RECEIPT, VERIFY_ERASURE, type Receipt, type Verification } from './queries.ts';

/** The receipt of an erasure: to keep, to read, and to have checked again. */
export function ReceiptOf({ id }: { readonly id: string }) {
  const receipt = useQuery(RECEIPT, { id });
  const [found, setFound] = useState<Verification | null>(null);
  const { isBusy, refusal, start } = useAct();
  return (
    <section class="receipt" aria-label="Receipt">
      <h3>Receipt</h3>
      <Shown query={receipt} lines={2}>
        {({ erasureReceipt: signed }) =>
          signed && (
            <>
              <p class="small soft">
                Signed by the key <code>{signed.kid}</code>. <code>strata erasure verify FILE</code> checks it
                without a service, a database or a network.
              </p>
              <div class="form-end">
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    download(signed);
                  }}
                >
                  Download the receipt
                </button>
                <button
                  type="button"
                  class="button"
                  disabled={isBusy}
                  onClick={() => {
                    start(async (signal) => {
                      setFound((await ask(VERIFY_ERASURE, { id }, signal)).verifyErasure);
                    });
                  }}
                >
                  {isBusy ? 'Looking…' : 'Look again whether anything is left'}
                </button>
              </div>
              <details>
                <summary>What it says</summary>
                <pre class="claims" tabIndex={0}>
                  {JSON.stringify(signed.claims, null, 2)}
                </pre>
              </details>
            </>
          )
        }
      </Shown>
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      {found !== null && <FoundAgain found={found} />}
    </section>
  );
}

function FoundAgain({
  found: { verified, checkedAt, signatureValid, eventsChecked, placesChecked, findings },
}: {
  readonly found: Verification;
}) {
  return (
    <div role="status" class="found-again">
      <p>
        {verified ? (
          <Badge icon="check" tone="good">
            nothing is left
          </Badge>
        ) : (
          <Badge icon="cross" tone="bad">
            something is left
          </Badge>
        )}{' '}
        {signatureValid ? (
          <Badge icon="check" tone="good">
            signature is good
          </Badge>
        ) : (
          <Badge icon="cross" tone="bad">
            signature is not good
          </Badge>
        )}
      </p>
      <p class="small soft">
        {eventsChecked} events and {placesChecked.length} places were looked at, <Instant at={checkedAt} />.
      </p>
      {findings.map(({ place, count }) => (
        <p key={place}>
          {count} in <code>{place}</code>
        </p>
      ))}
    </div>
  );
}

/** Hands a receipt to the browser as a file. */
function download(receipt: Receipt): void {
  const url = URL.createObjectURL(new Blob([receiptFile(receipt)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `receipt-${receipt.erasureId}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
