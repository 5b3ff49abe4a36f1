import type { ComponentChildren } from 'preact';

import { linkTo } from '../app/location.ts';
import { viewPaths } from '../app/view-paths.ts';

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
  if (!viewPaths.value.includes('why')) return null;
  return (
    <a class="small why-link" href={linkTo('why', [id], scope === undefined ? {} : { scope })}>
      {children}
      <span class="sr-only"> of {id}</span>
    </a>
  );
}
