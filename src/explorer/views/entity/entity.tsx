import { useQuery } from '../../api/use-query.ts';
import { address, asOf, linkTo, linkWith, scope } from '../../app/location.ts';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { Empty } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { Beliefs } from './beliefs.tsx';
import { Concepts } from './concepts.tsx';
import { EntitySearch } from './entity-search.tsx';
import './entity.css';
import { Facts } from './facts.tsx';
import { ENTITY, type EntityWhole } from './queries.ts';
import { recordedOnly } from './recorded-only.ts';
import { Relations } from './relations.tsx';

/** What is known of one entity, on both axes of time. */
export function Entity() {
  const { id = '' } = address.value.parameters;
  return (
    <div class="view">
      <header class="view-head">
        <h1>Entity</h1>
        <p class="soft">
          What is known of somebody or something, when it is true, and since when it is known.
        </p>
      </header>
      {id === '' ? <EntitySearch /> : <EntityOf id={id} key={id} />}
    </div>
  );
}

function EntityOf({ id }: { readonly id: string }) {
  const query = useQuery(ENTITY, { id, scope: scope.value, asOf: recordedOnly() });
  const { reading } = query;
  if (reading.is === 'refused' && reading.refusal.code === 'NOT_FOUND')
    return (
      <Empty title="There is no such entity.">
        <p>
          Nothing that you may read names <code>{id}</code>
          {scope.value !== null && ` in ${scope.value}`}
          {asOf.value?.recorded !== undefined && ' as known at that instant'}.
        </p>
        <p>
          <a href={linkTo('entity')}>Look for another one</a>
        </p>
      </Empty>
    );
  return (
    <Shown query={query} lines={6}>
      {({ entity }) =>
        entity && (
          <>
            <Names entity={entity} />
            <InScope entity={entity} />
          </>
        )
      }
    </Shown>
  );
}

function Names({ entity }: { readonly entity: EntityWhole }) {
  const { id, name, aliases, type, scopes, links } = entity;
  return (
    <Panel title={name ?? id} aside={<a href={linkTo('entity')}>Another entity</a>}>
      <KeyValue
        entries={[
          ['Kind', type],
          ['Other names', aliases.length === 0 ? 'none' : aliases.join(', ')],
          ['Id', <code key="id">{id}</code>],
          ['Named in', <Scopes key="scopes" scopes={scopes} />],
          ...links.map(
            (link) =>
              [
                'Stands for as well',
                <span key={link.linkId}>
                  <code>{link.entity}</code> in {link.scope}, since <Instant at={link.recordedAt} />, by{' '}
                  {link.linkedBy}
                </span>,
              ] as const,
          ),
        ]}
      />
    </Panel>
  );
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <>
      {scopes.map((path, i) => (
        <span key={path}>
          {i > 0 && ', '}
          <a href={linkWith({ scope: path })}>{path}</a>
        </span>
      ))}
    </>
  );
}

/** What is stated is stated in a scope: where only one names the entity, in that. */
function InScope({ entity: { id, scopes } }: { readonly entity: EntityWhole }) {
  const path = scope.value ?? (scopes.length === 1 ? scopes[0] : undefined);
  if (path === undefined)
    return (
      <Empty title="No scope is chosen.">
        <p>
          The entity is named in several. Choose one: <Scopes scopes={scopes} />
        </p>
      </Empty>
    );
  return (
    <>
      <Facts scope={path} subject={id} key={`facts ${path}`} />
      <Relations scope={path} id={id} />
      <Beliefs scope={path} about={id} />
      <Concepts scope={path} topic={id} />
    </>
  );
}
