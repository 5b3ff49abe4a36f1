import { useQuery } from '../../api/use-query.ts';
import { Badge, StatusBadge } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { HEALTH, type Check, type HealthData } from './queries.ts';

const EVERY_MS = 15_000;

/** The parts of the service, the ones that need somebody first, and what would turn each on. */
export function Health() {
  const health = useQuery(HEALTH, {}, { everyMs: EVERY_MS });
  return (
    <Panel
      title="Service"
      aside={<Whole data={health.reading.is === 'refused' ? null : health.reading.data} />}
    >
      <Shown query={health} lines={6}>
        {({ version, adminReady }) => (
          <>
            <ul class="lanes">
              {inOrder(adminReady?.checks ?? {}).map(([name, check]) => (
                <Lane key={name} name={name} check={check} />
              ))}
            </ul>
            <p class="small soft">
              Version {version.version}
              {version.gitSha !== 'unknown' && <> of {version.gitSha.slice(0, 12)}</>}
            </p>
          </>
        )}
      </Shown>
    </Panel>
  );
}

function Whole({ data }: { readonly data: HealthData | null }) {
  const ready = data?.adminReady ?? null;
  if (ready === null) return null;
  if (!ready.ready)
    return (
      <Badge icon="cross" tone="bad">
        not ready
      </Badge>
    );
  return ready.degraded ? (
    <Badge icon="warning" tone="warn">
      works in part
    </Badge>
  ) : (
    <Badge icon="check" tone="good">
      ready
    </Badge>
  );
}

function Lane({ name, check }: { readonly name: string; readonly check: Check }) {
  return (
    <li>
      <details class="lane" open={!check.ok}>
        <summary>
          <Icon name="right" />
          <span class="lane-name">{name.replaceAll('_', ' ')}</span>
          <StatusBadge status={check.status} />
        </summary>
        <div class="lane-text small">
          {check.detail === undefined && check.fix === undefined && (
            <p class="soft">Nothing more is told of it.</p>
          )}
          {check.detail !== undefined && <p class="soft">{check.detail}</p>}
          {check.fix !== undefined && (
            <p>
              {check.status === 'off' ? 'To turn it on: ' : 'To mend it: '}
              {check.fix}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

const ORDER: readonly Check['status'][] = ['down', 'unknown', 'off', 'up'];

function inOrder(checks: Readonly<Record<string, Check>>): readonly (readonly [string, Check])[] {
  return Object.entries(checks).sort(([, a], [, b]) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
}
