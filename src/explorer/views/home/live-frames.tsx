import { useEffect, useRef, useState } from 'preact/hooks';

import { isAbort, refusalOf, type Refusal } from '../../api/errors.ts';
import { follow } from '../../api/follow.ts';
import { useQuery } from '../../api/use-query.ts';
import { Icon } from '../../components/icon.tsx';
import { Instant } from '../../components/instant.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { FRAMES, NEWEST_FRAME, type Frame } from './queries.ts';

const KEPT = 50;

/** Frames as they happen, of a scope and what lies below it, or of all that the caller may read. Paused, it shows what it missed later. */
export function LiveFrames({ scope }: { readonly scope: string | null }) {
  const followed = scope === null ? null : `${scope}/*`;
  const { reading: newest } = useQuery(NEWEST_FRAME, { scope: followed });
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isPaused, setPaused] = useState(false);
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (isPaused || newest.is !== 'ready') return undefined;
    last.current ??= newest.data.lifecycle?.pageInfo.endCursor ?? null;
    const gone = new AbortController();
    const variables = () => ({ scope: followed, since: last.current });
    const take = ({ lifecycle: frame }: { readonly lifecycle: Frame }): boolean => {
      last.current = nextFrom(frame);
      if (frame.event !== 'lagging') setFrames((before) => [frame, ...before].slice(0, KEPT));
      return frame.event !== 'policy_revoked';
    };
    follow(FRAMES, variables, { take, signal: gone.signal }).catch((error: unknown) => {
      if (!isAbort(error)) setRefusal(refusalOf(error));
    });
    return () => {
      gone.abort();
    };
  }, [followed, isPaused, newest]);
  const refused = newest.is === 'refused' ? newest.refusal : refusal;
  return (
    <Panel
      title="Live"
      aside={
        <button
          type="button"
          class="button"
          onClick={() => {
            setPaused(!isPaused);
          }}
        >
          <Icon name={isPaused ? 'play' : 'pause'} />
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      }
    >
      {refused !== null && <ErrorNotice refusal={refused} />}
      {refused === null && frames.length === 0 && <p class="soft">What happens from now on appears here.</p>}
      <ol class="frames" aria-label="Frames, newest first">
        {frames.map((frame) => (
          <FrameLine frame={frame} key={frame.lifecycleId} />
        ))}
      </ol>
    </Panel>
  );
}

/** Where to go on behind a frame. */
function nextFrom({ event, data, lifecycleId }: Frame): string {
  return event === 'lagging' && typeof data.resume_from === 'string' ? data.resume_from : lifecycleId;
}

function FrameLine({ frame }: { readonly frame: Frame }) {
  const { event, scope, ts, data } = frame;
  return (
    <li class="frame-line">
      <span class={`frame-dot frame-${event}`} aria-hidden="true" />
      <span class="frame-name">{event.replaceAll('_', ' ')}</span>
      <span class="small soft">
        {scope ?? 'no scope'} · <Instant at={ts} precision="ago" />
      </span>
      {typeof data.event_id === 'string' && <code class="frame-id">{data.event_id}</code>}
    </li>
  );
}
