import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/**
 * A picture with the same in words beside it: the list is what a screen reader and a keyboard use, so it says everything that the
 * picture shows. It may be folded away, never left out.
 */
export function Picture({
  title,
  list,
  children,
}: {
  readonly title: string;
  readonly list: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <figure class="picture" aria-labelledby={id}>
      <figcaption id={id} class="sr-only">
        {title}
      </figcaption>
      <div class="picture-drawing" aria-hidden="true">
        {children}
      </div>
      <details class="picture-list" open>
        <summary>The same as a list</summary>
        {list}
      </details>
    </figure>
  );
}
