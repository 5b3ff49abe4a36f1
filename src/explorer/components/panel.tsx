import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of a view under a heading of its own. */
export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  /** What stands at the other end of the heading: a button, a number. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
