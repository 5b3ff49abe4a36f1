import { useEffect, useRef, useState } from 'preact/hooks';

import { isAbort, refusalOf, type Refusal } from '../../api/errors.ts';
import { follow } from '../../api/follow.ts';
import { CHANGES, type GraphChange } from './queries.ts';

/** So many changes are applied to what was read at most; then it is read again. */
const MOST = 200;

/** What changed in a graph since it was read. */
export interface Changes {
  readonly changes: readonly GraphChange[];
  readonly refusal: Refusal | null;
  /** Whether the caller may not follow the scope any more. */
  readonly isOver: boolean;
}

/** Follows the graph of a scope while `isOn`; `readAgain` is asked for where changes cannot be told node by node. */
export function useChanges(
  scope: string,
  {
    isOn,
    over,
    readAgain,
  }: { readonly isOn: boolean; readonly over: boolean; readonly readAgain: () => void },
): Changes {
  const [changes, setChanges] = useState<readonly GraphChange[]>([]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isOver, setOver] = useState(false);
  const count = useRef(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const gone = new AbortController();
    let last: string | null = null;
    const begin = (): void => {
      count.current = 0;
      setChanges([]);
      readAgain();
    };
    const take = ({ graphChanged: change }: { readonly graphChanged: GraphChange }): boolean => {
      last = change.lifecycleId;
      count.current += 1;
      if (change.readAgain || count.current > MOST) begin();
      else setChanges((before) => [...before, change]);
      setOver(change.event === 'policy_revoked');
      return change.event !== 'policy_revoked';
    };
    setRefusal(null);
    setOver(false);
    follow(CHANGES, () => ({ scope, over, since: last }), { take, signal: gone.signal }).catch(
      (error: unknown) => {
        if (!isAbort(error)) setRefusal(refusalOf(error));
      },
    );
    return () => {
      gone.abort();
      setChanges([]);
    };
  }, [scope, isOn, over]);
  return { changes, refusal, isOver };
}
