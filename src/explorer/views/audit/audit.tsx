import { useState } from 'preact/hooks';

import { usePages } from '../../api/use-pages.ts';
import { address, linkTo, linkWith, scope } from '../../app/location.ts';
import { useAddressForm } from '../../components/address-form.ts';
import { Boxes, Select, textOf, type Choice } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { Instant } from '../../components/instant.tsx';
import { Empty } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { Table, type Column } from '../../components/table.tsx';
import './audit.css';
import { ChainPanel } from './chain.tsx';
import { Decision } from './decision.tsx';
import { AUDIT, type AuditRow } from './queries.ts';
import { RowPanel } from './row.tsx';
import { UsagePanel } from './usage.tsx';
import { wantedBy } from './wanted.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** Who did what, whether the log of it is whole, and what models cost. */
export function Audit() {
  const [row] = address.value.rest;
  return (
    <div class="view">
      <header class="view-head">
        <h1>Audit</h1>
        <p class="soft">
          Who did what and what was refused, whether the log of it is whole, and what models cost.
        </p>
      </header>
      <div class="audit-grid">
        <div class="audit-main">
          {row !== undefined && <RowPanel id={row} key={row} />}
          <Log chosen={row ?? null} />
        </div>
        <div class="audit-side">
          <ChainPanel />
          <UsagePanel />
        </div>
      </div>
    </div>
  );
}

function Log({ chosen }: { readonly chosen: string | null }) {
  const { parameters } = address.value;
  const pages = usePages(AUDIT, wantedBy(scope.value, parameters), ({ audit }) => audit ?? NO_PAGE);
  return (
    <Panel
      title="Audit log"
      aside={
        <button type="button" class="button" onClick={pages.reload}>
          Read again
        </button>
      }
    >
      <Filters />
      {pages.state === 'end' && pages.items.length === 0 ? (
        <Empty title="There is no such row.">
          <p>
            There is one for each request that wrote, or was refused; without{' '}
            <code>audit.read.cross_actor</code> you see your own.
          </p>
        </Empty>
      ) : (
        <Table
          caption="Rows of the audit log, newest first"
          columns={columns(chosen)}
          rows={pages.items}
          keyOf={({ id }) => id}
        />
      )}
      <Pager pages={pages} />
    </Panel>
  );
}

function columns(chosen: string | null): readonly Column<AuditRow>[] {
  const { parameters } = address.value;
  const kept = Object.fromEntries(FILTERS.map((name) => [name, parameters[name] ?? '']));
  return [
    {
      title: 'When',
      cell: ({ id, ts }) => (
        <a
          href={linkTo('audit', [id], kept)}
          aria-current={id === chosen ? 'true' : undefined}
          class="audit-when"
        >
          <Instant at={ts} />
        </a>
      ),
    },
    { title: 'Who', cell: ({ actor }) => actor ?? 'somebody unknown' },
    { title: 'Did', cell: ({ endpoint }) => <span class="audit-endpoint">{endpoint}</span> },
    { title: 'Where', cell: ({ scope: path }) => (path === null ? '–' : <code>{path}</code>) },
    { title: 'Decision', cell: ({ decision }) => <Decision decision={decision} /> },
    { title: 'Status', cell: ({ responseStatus }) => responseStatus, isNumber: true },
  ];
}

const FILTERS = ['actor', 'capability', 'decision', 'since', 'below', 'period', 'role'] as const;
const DECISIONS: readonly Choice[] = [
  ['', 'any'],
  ['allow', 'allowed'],
  ['deny', 'refused'],
];

function Filters() {
  const { actor = '', capability = '', decision = '', since = '', below } = address.value.parameters;
  const path = scope.value;
  const written = useAddressForm(JSON.stringify(address.value.parameters));
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      class="audit-filters"
      role="search"
      aria-label="Which rows"
      key={written.key}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const from = textOf(form, 'since');
        const isInstant = from === '' || !Number.isNaN(Date.parse(from));
        setError(isInstant ? null : 'is no date and no instant');
        if (!isInstant) return;
        written.go(
          linkWith({
            actor: textOf(form, 'actor'),
            capability: textOf(form, 'capability'),
            decision: textOf(form, 'decision'),
            since: from,
            below: path === null || form.has('below') ? '' : 'no',
          }),
        );
      }}
    >
      <Field label="Actor" name="actor" value={actor} />
      <Field label="Capability" name="capability" value={capability} hint="Such as scope.write." />
      <Select label="Decision" name="decision" value={decision} choices={DECISIONS} />
      <Field label="Since" name="since" value={since} hint="A date or an instant." error={error} />
      {path !== null && (
        <Boxes
          label={`Of ${path}`}
          name="below"
          chosen={below === 'no' ? [] : ['yes']}
          choices={[['yes', 'and what lies below it']]}
        />
      )}
      <button type="submit" class="button">
        Filter
      </button>
    </form>
  );
}
