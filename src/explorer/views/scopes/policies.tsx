import { Table, type Column } from '../../components/table.tsx';
import type { Policy, ScopeData } from './queries.ts';

type Inherited = NonNullable<ScopeData['scope']>['inheritedPolicy'];

interface Row {
  readonly name: string;
  readonly value: unknown;
  /** The scope that states it, `default` where nobody does, or null for the scope itself. */
  readonly from: string | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Policy', cell: ({ name }) => name },
  { title: 'In force', cell: ({ value }) => <Value value={value} /> },
  {
    title: 'Stated by',
    cell: ({ from }) => (from === null ? 'this scope' : from === 'default' ? 'nobody' : from),
  },
];

/** What holds in a scope, and which scope says so. */
export function Policies({
  resolved,
  inherited,
}: {
  readonly resolved: Policy;
  readonly inherited: Inherited;
}) {
  const rows = [
    rowOf('consolidation', resolved.consolidation, inherited),
    rowOf('conflict_resolution', resolved.conflictResolution, inherited),
    rowOf('audit', resolved.audit, inherited),
    rowOf('retention', resolved.retention, inherited),
    rowOf('default_view', resolved.defaultView, inherited),
    rowOf('cardinality', resolved.cardinality, inherited),
  ];
  return <Table caption="Policies in force" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />;
}

function rowOf(name: string, value: unknown, inherited: Inherited): Row {
  return {
    name: name.replaceAll('_', ' '),
    value,
    from: inherited[name]?.from ?? (isNothing(value) ? 'default' : null),
  };
}

/** What nobody states is told of no scope. */
function isNothing(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function Value({ value }: { readonly value: unknown }) {
  if (value === null) return <span class="soft">by operation</span>;
  if (typeof value === 'string') return <>{value.replaceAll('_', ' ')}</>;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  if (entries.length === 0) return <span class="soft">none</span>;
  return (
    <ul>
      {entries.map(([name, each]) => (
        <li key={name}>
          <code>{name}</code>{' '}
          {each === null ? 'kept' : typeof each === 'string' ? each : JSON.stringify(each)}
        </li>
      ))}
    </ul>
  );
}
