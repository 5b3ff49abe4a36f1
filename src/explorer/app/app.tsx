import { useEffect } from 'preact/hooks';

import { missed } from '../api/connection.ts';
import { isAbort, type Refusal } from '../api/errors.ts';
import { pause, pauseAfter } from '../api/pause.ts';
import { begin, caller, session } from '../api/session.ts';
import { Toasts } from '../components/toast.tsx';
import { AwayBar } from './away-bar.tsx';
import { Navigation } from './navigation.tsx';
import { SignInDialog, SignInPage } from './sign-in.tsx';
import { TopBar } from './top-bar.tsx';
import { CurrentView } from './current-view.tsx';
import './theme.ts';

/** The whole page. */
export function App() {
  useEffect(() => {
    const gone = new AbortController();
    void beginWhenReached(gone.signal);
    return () => {
      gone.abort();
    };
  }, []);
  const state = session.value;
  if (state.is === 'beginning') return <AwayBar />;
  if (state.is === 'out') return <SignInPage why={state.why} />;
  // Another caller begins with a page of his own: what the one before has read goes with his.
  return <Page ended={state.is === 'ended' ? state.why : null} key={caller.value} />;
}

/** All that somebody sees who is in; `ended` tells why his credential is not taken any more. */
function Page({ ended }: { readonly ended: Refusal | null }) {
  return (
    <>
      <a class="skip-link" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <TopBar />
      <AwayBar />
      <div class="frame">
        <Navigation />
        <main id="main" tabIndex={-1}>
          <CurrentView />
        </main>
      </div>
      <Toasts />
      {ended !== null && <SignInDialog why={ended} />}
    </>
  );
}

/** The address holds the view, so that the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

async function beginWhenReached(signal: AbortSignal): Promise<void> {
  try {
    for (let failures = 1; ; failures += 1) {
      const outcome = await begin(signal);
      if (outcome.is !== 'away') return;
      const ms = pauseAfter(failures, outcome.refusal.retryAfterSeconds);
      missed(outcome.refusal, ms);
      await pause(ms, signal);
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
}
