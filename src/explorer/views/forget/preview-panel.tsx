import { useEffect, useRef, useState } from 'preact/hooks';

import { useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/instant.tsx';
import { Empty, Note } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { LAYERS, MANY_OF, recordInWords, type Layer } from '../../records/record.ts';
import { WhyLink } from '../../records/why-link.tsx';
import { Confirm } from './confirm.tsx';
import { FatePicture } from './fate-picture.tsx';
import type { Looked } from './looked.ts';
import { NODE, type Ids } from './queries.ts';
import { selectionInWords } from './selection.ts';

/** Ids at a time: of each record the words are read. */
const AT_A_TIME = 10;

/** What would go, what would be revised, and what stays; and the way to do it. */
export function PreviewPanel({ looked, done }: { readonly looked: Looked; readonly done: () => void }) {
  const { goes, selected, expiresAt } = looked;
  const [isAsking, setAsking] = useState(false);
  const count = LAYERS.reduce((sum, layer) => sum + goes[layer], 0);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.focus();
    root.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <div class="preview-panel" ref={root} tabIndex={-1}>
      <Panel title="What would go">
        {count === 0 ? (
          <Empty title="Nothing would go.">
            <p>
              Nothing in <code>{selected.scope}</code> is {selectionInWords(selected)}.
            </p>
          </Empty>
        ) : (
          <div class="preview">
            <WhatGoes looked={looked} />
            <div class="form-end">
              <button
                type="button"
                class="button button-danger"
                disabled={isRefused(looked)}
                onClick={() => {
                  setAsking(true);
                }}
              >
                {looked.how === 'erase' ? 'Erase…' : 'Forget…'}
              </button>
              <span class="small soft">
                Exactly this goes, or nothing, until <Instant at={expiresAt} />.
              </span>
            </div>
          </div>
        )}
        {isAsking && (
          <Confirm
            looked={looked}
            done={done}
            close={() => {
              setAsking(false);
            }}
          />
        )}
      </Panel>
    </div>
  );
}

function WhatGoes({ looked }: { readonly looked: Looked }) {
  const { records } = looked;
  return (
    <>
      <CountTable looked={looked} />
      <Warnings looked={looked} />
      {records === null ? (
        <Note>
          <p>
            Which records they are is shown to whoever has the capability{' '}
            <code>forget.cascade.redact_events</code>.
          </p>
        </Note>
      ) : (
        <>
          <FatePicture preview={records} />
          <RecordLists title="goes" ids={records.ids} />
          <RecordLists title="is revised" ids={records.revisedIds} />
        </>
      )}
    </>
  );
}

/** A forget that would redact what is held is refused; an erasure passes it over. */
function isRefused({ how, records }: Looked): boolean {
  return how !== 'erase' && (records?.eventsUnderLegalHold ?? 0) > 0;
}

function CountTable({ looked: { goes, revised, how } }: { readonly looked: Looked }) {
  const columns: readonly Column<Layer>[] = [
    { title: 'Layer', cell: (layer) => MANY_OF[layer] },
    {
      title: 'Go',
      cell: (layer) =>
        layer === 'events' && how === 'redact_events' ? `${goes[layer]} lose their content` : goes[layer],
      isNumber: true,
    },
    { title: 'Are revised', cell: (layer) => revised[layer], isNumber: true },
  ];
  return <Table caption="What would go, by layer" columns={columns} rows={LAYERS} keyOf={(layer) => layer} />;
}

function Warnings({ looked: { how, records, erasure } }: { readonly looked: Looked }) {
  const held = erasure?.refcountBreakdown.eventsUnderLegalHold ?? records?.eventsUnderLegalHold ?? 0;
  const { affectedWorkspaces = [], requiresCapability = null } = erasure?.crossScopePropagation ?? {};
  return (
    <>
      {held > 0 && (
        <Note>
          {held} of these events are under legal hold{' '}
          {how === 'erase' ? 'and stay' : ': while they are, this is refused'}
          {(erasure?.legalHolds.length ?? 0) > 0 && ` (${erasure?.legalHolds.join(', ')})`}.
        </Note>
      )}
      {affectedWorkspaces.length > 0 && (
        <Note>What was concluded from it in other scopes goes too: {affectedWorkspaces.join(', ')}.</Note>
      )}
      {requiresCapability !== null && (
        <Note>
          It reaches other scopes, which takes the capability <code>{requiresCapability}</code>.
        </Note>
      )}
      {records?.idsTruncated === true && <Note>Of some layers only the first 1,000 records are listed.</Note>}
    </>
  );
}

function RecordLists({ title, ids }: { readonly title: string; readonly ids: Ids }) {
  return (
    <>
      {LAYERS.filter((layer) => ids[layer].length > 0).map((layer) => (
        <RecordList title={`${MANY_OF[layer]}: ${title}`} ids={ids[layer]} key={layer} />
      ))}
    </>
  );
}

function RecordList({ title, ids }: { readonly title: string; readonly ids: readonly string[] }) {
  const [shown, setShown] = useState(0);
  return (
    <details
      class="record-list"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && shown === 0) setShown(AT_A_TIME);
      }}
    >
      <summary>
        {title} ({ids.length})
      </summary>
      <ul>
        {ids.slice(0, shown).map((id) => (
          <li key={id}>
            <RecordWords id={id} />
          </li>
        ))}
      </ul>
      {shown > 0 && ids.length > shown && (
        <button
          type="button"
          class="button"
          onClick={() => {
            setShown(shown + AT_A_TIME);
          }}
        >
          Show more
        </button>
      )}
    </details>
  );
}

function RecordWords({ id }: { readonly id: string }) {
  const { reading } = useQuery(NODE, { id });
  const node = reading.is === 'refused' ? null : (reading.data?.node ?? null);
  return (
    <>
      {node === null ? <code>{id}</code> : recordInWords(node)} <WhyLink id={id} />
    </>
  );
}
