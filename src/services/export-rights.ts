import { StrataError } from '../errors.ts';
import type { View } from '../../schemas/scope.ts';
import type { Call } from './access.ts';
import type { CallerWatch } from './caller-watch.ts';
import type { ReadableSelection, SelectionService } from './scope-selection.ts';

/** Rights to an export that is under way are decided again after so long, milliseconds. */
const DECIDED_EVERY_MS = 5_000;

/** Looks while an export is under way whether its caller may still have it. */
export class ExportRights {
  private readonly parts: {
    readonly selection: SelectionService;
    readonly callers: Pick<CallerWatch, 'watch'>;
  };

  constructor(parts: ExportRights['parts']) {
    this.parts = parts;
  }

  /**
   * Watches over an export. `mayGoOn` throws what ended the token of the caller, `POLICY_DENIED` where he may not export any more, and
   * `AUTHORIZATION_STATE_CHANGED` where he may export something else; `end` lets go of what it holds.
   */
  watch(
    call: Call,
    { scope, view }: { readonly scope: string; readonly view: View },
    begun: ReadableSelection,
  ): { readonly mayGoOn: () => Promise<void>; readonly end: () => void } {
    const { selection, callers } = this.parts;
    let ended: StrataError | null = null;
    let decidedAt = performance.now();
    const end = callers.watch(call.principal, (error) => {
      ended = error;
    });
    const mayGoOn = async (): Promise<void> => {
      if (ended !== null) throw ended;
      if (performance.now() - decidedAt < DECIDED_EVERY_MS) return;
      decidedAt = performance.now();
      const now = await selection.select(call, scope, view, 'export');
      if (coveredBy(now) !== coveredBy(begun))
        throw new StrataError(
          'AUTHORIZATION_STATE_CHANGED',
          'what may be exported has changed since it began',
        );
    };
    return { mayGoOn, end };
  }
}

/** What a selection covers, as text. */
function coveredBy({ scopes, subtrees, withheld }: ReadableSelection): string {
  return JSON.stringify([scopes, subtrees, withheld]);
}
