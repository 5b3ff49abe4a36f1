import { RIGHTS, type RightsData } from '../../api/queries.ts';
import { useQuery } from '../../api/use-query.ts';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';

type Decisions = NonNullable<RightsData['effectivePolicy']>['decisions'];

/** What the caller may do in a scope, by family of capabilities, and which tier refuses what he may not. */
export function Rights({ scope }: { readonly scope: string }) {
  const rights = useQuery(RIGHTS, { scope });
  return (
    <Panel title="What you may do">
      <Shown query={rights} lines={4}>
        {({ effectivePolicy: policy }) =>
          policy && (
            <>
              <p class="soft rights-level">
                You are <code>{policy.actor}</code>; the rosters make you {policy.naturalLevel} here.
              </p>
              <ul class="rights">
                {familiesOf(policy.decisions).map(([family, decisions]) => (
                  <li key={family}>
                    <h3>{family}</h3>
                    <ul>
                      {decisions.map(([capability, { decision, decided_by_tier: tier }]) => (
                        <li key={capability} class={`right right-${decision}`}>
                          <Icon name={decision === 'allow' ? 'check' : 'cross'} />
                          <span class="sr-only">{decision === 'allow' ? 'allowed: ' : 'refused: '}</span>
                          {capability}
                          {decision === 'deny' && <span class="soft small"> by {tier}</span>}
                        </li>
                      ))}
                    </ul>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function familiesOf(decisions: Decisions): readonly (readonly [string, [string, Decisions[string]][]])[] {
  const families = new Map<string, [string, Decisions[string]][]>();
  for (const [capability, decision] of Object.entries(decisions)) {
    const family = capability.split('.')[0] ?? capability;
    families.set(family, [...(families.get(family) ?? []), [capability, decision]]);
  }
  return [...families];
}
