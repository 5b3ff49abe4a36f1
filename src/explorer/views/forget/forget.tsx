import { useRef, useState } from 'preact/hooks';

import { useAct } from '../../api/use-act.ts';
import { address, linkTo, scope } from '../../app/location.ts';
import { ChooseScope } from '../../components/choose-scope.tsx';
import { Empty, ErrorNotice, Skeleton } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { ErasureRun } from './erasure/erasure-run.tsx';
import { Receipts } from './erasure/receipts.tsx';
import { Finder } from './finder.tsx';
import './forget.css';
import { forgotten, removals } from './forgotten.ts';
import { Holds } from './keeping/holds.tsx';
import { Suppressions } from './keeping/suppressions.tsx';
import { look, type Looked } from './looked.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { SelectionForm } from './selection-form.tsx';
import { countsInWords, howOf, layersOf, selectedBy, type Parameters } from './selection.ts';

/** Chooses what is to be forgotten, shows what would go, and has it done; with receipts, holds and suppressions. */
export function Forget() {
  return (
    <div class="view">
      <header class="view-head">
        <h1>Forget</h1>
        <p class="soft">See what would go, what would change and what stays; then have it done.</p>
      </header>
      {scope.value === null ? (
        <ChooseScope what="A forget is of exactly one scope." />
      ) : (
        <ForgetIn scope={scope.value} key={scope.value} />
      )}
    </div>
  );
}

function ForgetIn({ scope: path }: { readonly scope: string }) {
  const { parameters } = address.value;
  const [looked, setLooked] = useState<Looked | null>(null);
  const [isEmpty, setEmpty] = useState(false);
  const { isBusy, refusal, start } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const lookNow = (chosen: Parameters): void => {
    const selected = selectedBy(path, chosen);
    setLooked(null);
    forgotten.value = null;
    setEmpty(selected === null);
    if (selected === null) return;
    start(async (signal) => {
      setLooked(await look({ how: howOf(chosen), selected, layers: layersOf(chosen) }, signal));
    });
  };
  const erasure = parameters.erasure;
  return (
    <div class="forget">
      <Panel title="What is to go">
        <SelectionForm scope={path} root={form} isBusy={isBusy} look={lookNow} />
        <Finder scope={path} selection={form} />
      </Panel>
      {isEmpty && (
        <Empty title="Nothing is chosen.">
          <p>Fill in a condition, or choose everything.</p>
        </Empty>
      )}
      {isBusy && <Skeleton lines={6} />}
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      {looked !== null && (
        <PreviewPanel
          looked={looked}
          done={() => {
            setLooked(null);
          }}
          key={looked.previewId}
        />
      )}
      <Done scope={path} />
      {erasure !== undefined && <ErasureRun id={erasure} key={erasure} />}
      <div class="keeping" key={removals.value}>
        <Receipts scope={path} chosen={erasure ?? null} />
        <Holds scope={path} />
        <Suppressions scope={path} />
      </div>
    </div>
  );
}

function Done({ scope: path }: { readonly scope: string }) {
  const done = forgotten.value;
  if (done?.scope !== path) return null;
  const words = countsInWords(done.deleted);
  return (
    <Panel title="It is forgotten">
      <p>
        Gone: {words === '' ? 'nothing' : words}. Row of the audit log:{' '}
        <a href={linkTo('audit', [done.auditId])}>
          <code>{done.auditId}</code>
        </a>
        {done.suppressionId !== null && (
          <>
            ; what it said is refused from now on by <code>{done.suppressionId}</code>
          </>
        )}
        .
      </p>
    </Panel>
  );
}
