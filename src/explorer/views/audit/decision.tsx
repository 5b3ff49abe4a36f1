import { Badge } from '../../components/badge.tsx';
import type { AuditRow } from './queries.ts';

/** What a decision of the policy came to. */
export function Decision({ decision }: { readonly decision: AuditRow['decision'] }) {
  return decision === 'allow' ? (
    <Badge icon="check" tone="good">
      allowed
    </Badge>
  ) : (
    <Badge icon="cross" tone="bad">
      refused
    </Badge>
  );
}
