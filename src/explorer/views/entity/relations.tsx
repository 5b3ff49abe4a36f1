import { usePages } from '../../api/use-pages.ts';
import { asOf, linkTo } from '../../app/location.ts';
import { Instant } from '../../components/instant.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { RELATIONS, type Relation } from './queries.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

const COLUMNS: readonly Column<Relation>[] = [
  {
    title: 'Entity',
    cell: ({ entity: { id, name } }) => <a href={linkTo('entity', [], { id })}>{name ?? id}</a>,
  },
  {
    title: 'Relation',
    cell: ({ predicate, direction }) =>
      `${direction === 'in' ? '← ' : '→ '}${predicate.replaceAll('_', ' ')}${direction === 'in' ? ' (says of this one)' : ''}`,
  },
  { title: 'True from', cell: ({ validFrom }) => <Instant at={validFrom} precision="day" /> },
  {
    title: 'Until',
    cell: ({ validTo }) => (validTo === null ? 'no end' : <Instant at={validTo} precision="day" />),
  },
  { title: 'Why', cell: ({ factId }) => <a href={linkTo('why', [], { id: factId })}>Why</a> },
];

/** What relates the entity to others, at the instants that are looked at. */
export function Relations({ scope, id }: { readonly scope: string; readonly id: string }) {
  const pages = usePages(
    RELATIONS,
    { id, scope, asOf: asOf.value },
    ({ entityEdges }) => entityEdges ?? NO_PAGE,
  );
  return (
    <Panel title="Relations">
      {pages.state === 'end' && pages.items.length === 0 && (
        <p class="soft">Nothing relates it to another entity at the instants that you look at.</p>
      )}
      {pages.items.length > 0 && (
        <Table caption="Relations" columns={COLUMNS} rows={pages.items} keyOf={({ factId }) => factId} />
      )}
      <Pager pages={pages} />
    </Panel>
  );
}
