import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef } from 'preact/hooks';

import { refusalOf } from '../api/errors.ts';
import { ErrorNotice } from '../components/notice.tsx';
import type { View } from '../views/registry.ts';
import type { Address } from './address.ts';
import { address, linkTo } from './location.ts';

/**
 * Shows a view. Where it throws, a notice stands in its place until somebody tries again or the address changes; the error is reported
 * to the browser as one that nobody caught, so that it stands in the console.
 */
export function ViewBoundary({
  view: { path, title },
  children,
}: {
  readonly view: View;
  readonly children: ComponentChildren;
}) {
  const { value: shown } = address;
  const failedAt = useRef<Address | null>(null);
  const [error, retry] = useErrorBoundary((thrown: unknown) => {
    failedAt.current = address.peek();
    reportError(thrown);
  }) as [unknown, () => void];
  if (error === undefined || failedAt.current !== shown) return <>{children}</>;
  return (
    <>
      <ErrorNotice refusal={refusalOf(error)} retry={retry} />
      <p>
        The rest of the page goes on.{' '}
        <a href={linkTo(path)}>Open {title} with nothing chosen but the scope and the instants</a>
      </p>
    </>
  );
}
