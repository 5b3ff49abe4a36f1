import { useQuery } from '../../api/use-query.ts';
import { linkTo } from '../../app/location.ts';
import { Badge } from '../../components/badge.tsx';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Policies } from './policies.tsx';
import { COUNTS, SCOPE, type Member } from './queries.ts';
import { Rights } from './rights.tsx';

const MEMBERS: readonly Column<Member>[] = [
  { title: 'Actor', cell: ({ actor }) => actor },
  { title: 'Role', cell: ({ role }) => role },
];

/** One scope: what is in it, who is in it, what holds in it, and what the caller may do in it. */
export function ScopeDetail({ path }: { readonly path: string }) {
  const query = useQuery(SCOPE, { path });
  return (
    <div class="scope-detail">
      <Panel title={path} aside={<a href={linkTo('home', [], { scope: path })}>What happens here</a>}>
        <Shown query={query} lines={4}>
          {({ scope }) =>
            scope && (
              <KeyValue
                entries={[
                  ['Came into being', <Instant key="at" at={scope.createdAt} />],
                  ['By', scope.createdBy],
                  ['By way of', scope.autoProvisioned ? 'its first event' : 'a registration'],
                ]}
              />
            )
          }
        </Shown>
        <Counts scope={path} />
      </Panel>
      <Panel title="Roster">
        <Shown query={query} lines={2}>
          {({ scope }) =>
            scope === null || scope.members.length === 0 ? (
              <p class="soft">It has none of its own: that of the nearest scope above holds, or none.</p>
            ) : (
              <Table
                caption={`Roster of ${path}`}
                columns={MEMBERS}
                rows={scope.members}
                keyOf={({ actor }) => actor}
              />
            )
          }
        </Shown>
      </Panel>
      <Panel title="Policies">
        <Shown query={query} lines={4}>
          {({ scope }) =>
            scope && <Policies resolved={scope.resolvedPolicy} inherited={scope.inheritedPolicy} />
          }
        </Shown>
      </Panel>
      <Rights scope={path} />
    </div>
  );
}

function Counts({ scope }: { readonly scope: string }) {
  const counts = useQuery(COUNTS, { scope });
  return (
    <div class="scope-counts">
      <Shown query={counts} lines={2}>
        {({ derivationStatus: status }) =>
          status && (
            <>
              <KeyValue
                entries={[
                  ['Episodes', status.built.episodes],
                  ['Beliefs', status.built.beliefs],
                  ['Concepts', status.built.concepts],
                  ['Held events', status.held],
                  ['Given up', status.failed],
                ]}
              />
              <p>
                {status.caughtUp ? (
                  <Badge icon="check" tone="good">
                    caught up
                  </Badge>
                ) : (
                  <Badge icon="clock" tone="warn">
                    deriving
                  </Badge>
                )}
              </p>
            </>
          )
        }
      </Shown>
    </div>
  );
}
