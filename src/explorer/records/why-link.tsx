import type { ComponentChildren } from 'preact';

import { linkTo } from '../app/location.ts';

/** The way to what a record rests on. */
export function WhyLink({
  id,
  scope,
  children = 'Why',
}: {
  readonly id: string;
  /** The scope that the record is in, where it is another one than the view looks at. */
  readonly scope?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <a class="small why-link" href={linkTo('why', [], scope === undefined ? { id } : { id, scope })}>
      {children}
      <span class="sr-only"> of {id}</span>
    </a>
  );
}
