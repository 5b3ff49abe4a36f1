import { useMemo } from 'preact/hooks';

import { usePages } from '../../api/use-pages.ts';
import { address, linkWith } from '../../app/location.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { FactHistory } from './fact-history.tsx';
import { PaceChooser, recordedPace } from './pace.tsx';
import { FACTS, type FactItem } from './queries.ts';
import { recordedOnly } from './recorded-only.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** What is stated of the entity, predicate by predicate; of the chosen one how it was known, and when it was true. */
export function Facts({ scope, subject }: { readonly scope: string; readonly subject: string }) {
  const variables = { scope, subject, predicate: null, asOf: recordedOnly() };
  const pages = usePages(FACTS, variables, ({ facts }) => facts ?? NO_PAGE);
  const predicates = useMemo(() => byPredicate(pages.items), [pages.items]);
  const { predicate = predicates[0]?.[0] } = address.value.parameters;
  return (
    <Panel
      title="Facts"
      aside={predicates.length > 0 && <PaceChooser axis="recorded" drawn={recordedPace()} />}
    >
      {pages.state === 'end' && predicates.length === 0 && <p class="soft">Nothing is stated of it here.</p>}
      <div class="entity-facts">
        {predicates.length > 0 && (
          <ul class="entity-predicates" aria-label="Predicates">
            {predicates.map(([name, facts]) => (
              <li key={name}>
                <a
                  href={linkWith({ predicate: name })}
                  aria-current={name === predicate ? 'true' : undefined}
                >
                  {name.replaceAll('_', ' ')}
                </a>{' '}
                <span class="small soft number">
                  {facts.length}
                  {pages.state !== 'end' && '+'}
                </span>
              </li>
            ))}
          </ul>
        )}
        {predicates.length > 0 && predicate !== undefined && (
          <FactHistory scope={scope} subject={subject} predicate={predicate} key={predicate} />
        )}
      </div>
      <Pager pages={pages} />
    </Panel>
  );
}

/** Facts by predicate, those first that say most. */
function byPredicate(facts: readonly FactItem[]): readonly (readonly [string, readonly FactItem[]])[] {
  const predicates = new Map<string, FactItem[]>();
  for (const fact of facts) predicates.set(fact.predicate, [...(predicates.get(fact.predicate) ?? []), fact]);
  return [...predicates].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
}
