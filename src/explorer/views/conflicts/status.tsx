import { Badge, type Tone } from '../../components/badge.tsx';
import type { IconName } from '../../components/icon.tsx';
import type { Statement, Status } from './queries.ts';
import { STATUS_WORDS } from './sides.ts';

const STATUSES: Readonly<Record<Status, readonly [IconName, Tone]>> = {
  open: ['question', 'warn'],
  manually_resolved: ['check', 'good'],
  dismissed: ['dash', 'calm'],
  withdrawn: ['dash', 'calm'],
};

/** Where a conflict stands. */
export function ConflictBadge({ status }: { readonly status: Status }) {
  const [icon, tone] = STATUSES[status];
  return (
    <Badge icon={icon} tone={tone}>
      {STATUS_WORDS[status]}
    </Badge>
  );
}

const STATEMENTS: Readonly<Record<Statement['status'], readonly [IconName, Tone, string]>> = {
  active: ['check', 'good', 'counts now'],
  superseded: ['dash', 'calm', 'another value followed'],
  displaced: ['cross', 'calm', 'holds at no time'],
};

/** What became of a statement. */
export function StatementBadge({ status }: { readonly status: Statement['status'] }) {
  const [icon, tone, words] = STATEMENTS[status];
  return (
    <Badge icon={icon} tone={tone}>
      {words}
    </Badge>
  );
}
