import { useEffect } from 'preact/hooks';

import { missed } from '../api/connection.ts';
import { isAbort } from '../api/errors.ts';
import { pause, pauseAfter } from '../api/pause.ts';
import { begin, session } from '../api/session.ts';
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
  const { is } = session.value;
  if (is === 'beginning') return <AwayBar />;
  if (is === 'out') return <SignInPage why={session.value.why} />;
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
      {is === 'ended' && <SignInDialog why={session.value.why} />}
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
