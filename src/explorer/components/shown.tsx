import type { ComponentChildren } from 'preact';

import { connection } from '../api/connection.ts';
import type { Query } from '../api/use-query.ts';
import { ErrorNotice, Note, Skeleton } from './notice.tsx';

/** A reading in whatever state it is: its data, grey lines until they are there, why they were refused, or that the service is away. */
export function Shown<Data>({
  query: { reading, reload },
  lines = 3,
  children,
}: {
  readonly query: Query<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ComponentChildren;
}) {
  if (reading.is === 'refused') return <ErrorNotice refusal={reading.refusal} retry={reload} />;
  if (reading.data !== null) return <>{children(reading.data)}</>;
  if (connection.value.is === 'away')
    return <Note>{connection.value.why} This goes on as soon as it does.</Note>;
  return <Skeleton lines={lines} />;
}
