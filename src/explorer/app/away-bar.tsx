import { connection } from '../api/connection.ts';
import { hurryUp } from '../api/pause.ts';
import { duration } from '../components/instant.tsx';
import { Icon } from '../components/icon.tsx';

/** Says while the service cannot be reached that it is tried again, and lets nobody wait who does not want to. */
export function AwayBar() {
  const state = connection.value;
  return (
    <div class="away-bar" role="status" aria-live="polite" hidden={state.is === 'online'}>
      {state.is === 'away' && (
        <>
          <Icon name="warning" />
          <span>
            {state.why} The next try comes within {duration(state.nextMs)}.
          </span>
          <button type="button" class="button" onClick={hurryUp}>
            Try now
          </button>
        </>
      )}
    </div>
  );
}
