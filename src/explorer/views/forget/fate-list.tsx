import { Badge, type Tone } from '../../components/badge.tsx';
import type { IconName } from '../../components/icon.tsx';
import { WhyLink } from '../../records/why-link.tsx';
import { joinedWith, type Fate, type FateGraph, type FateNode } from './fate.ts';

const FATES: Readonly<Record<Fate, readonly [IconName, Tone, string]>> = {
  goes: ['cross', 'bad', 'goes'],
  revised: ['half', 'warn', 'is revised'],
  stays: ['check', 'calm', 'stays'],
};

/** The graph of a preview as lists by what becomes of the records; what each is joined with is folded below it. */
export function FateList({ graph }: { readonly graph: FateGraph }) {
  const joined = joinedWith(graph);
  return (
    <div class="fate-list">
      {(['goes', 'revised', 'stays'] as const).map((fate) => {
        const some = graph.nodes.filter((node) => node.fate === fate);
        const [icon, tone, words] = FATES[fate];
        return (
          some.length > 0 && (
            <section key={fate} aria-label={words}>
              <p>
                <Badge icon={icon} tone={tone}>
                  {words}
                </Badge>
              </p>
              <ul>
                {some.map(({ id, type, words: text }) => (
                  <li key={id}>
                    <span class="soft">{type}</span> {text} <WhyLink id={id} />
                    <Joined others={joined.get(id) ?? []} />
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function Joined({ others }: { readonly others: readonly FateNode[] }) {
  if (others.length === 0) return null;
  return (
    <details class="fate-joined small">
      <summary>joined with {others.length}</summary>
      <ul>
        {others.map(({ id, type, words, fate }) => (
          <li key={id}>
            <span class="soft">{type}</span> {words}, {FATES[fate][2]}
          </li>
        ))}
      </ul>
    </details>
  );
}
