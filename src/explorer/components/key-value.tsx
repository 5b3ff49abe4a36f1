import type { ComponentChildren } from 'preact';

/** Names with what belongs to each. */
export function KeyValue({
  entries,
}: {
  readonly entries: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="key-value">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
