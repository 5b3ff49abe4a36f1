import { useState } from 'preact/hooks';

import type { Refusal } from '../api/errors.ts';
import { signIn, signOut } from '../api/session.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';

/** What a header can carry. */
const VISIBLE = /^[\x21-\x7e]+$/;

/** The page that asks for a key or token. */
export function SignInPage({ why }: { readonly why: Refusal | null }) {
  return (
    <main class="sign-in">
      <h1>Strata</h1>
      <p>See what this memory holds, when it was true, and why.</p>
      <SignInForm why={why} />
    </main>
  );
}

/** The same before a page whose credential has ended; the page goes on behind it. */
export function SignInDialog({ why }: { readonly why: Refusal }) {
  return (
    <Dialog title="Sign in again">
      <p>What is on the page stays as it is and goes on when you are signed in.</p>
      <SignInForm why={why} />
      <button type="button" class="button button-quiet" onClick={signOut}>
        Leave instead
      </button>
    </Dialog>
  );
}

function SignInForm({ why }: { readonly why: Refusal | null }) {
  const [refusal, setRefusal] = useState<string | null>(why === null ? null : saidOf(why));
  const [isTrying, setTrying] = useState(false);
  const tryIt = async (given: string): Promise<void> => {
    if (!VISIBLE.test(given)) {
      setRefusal('letters, digits and signs without spaces are expected');
      return;
    }
    setTrying(true);
    const refused = await signIn(given, new AbortController().signal);
    setTrying(false);
    setRefusal(refused === null ? null : saidOf(refused));
  };
  return (
    <form
      class="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('credential');
        void tryIt(typeof given === 'string' ? given.trim() : '');
      }}
    >
      <Field
        label="Key or token"
        name="credential"
        isSecret
        isRequired
        isFirst
        error={refusal}
        hint="“npx strata key” shows the key of the service. It is kept for this tab only."
      />
      <button type="submit" class="button button-main" disabled={isTrying}>
        {isTrying ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}

function saidOf({ message, code }: Refusal): string {
  return code === 'AWAY' ? message : `${message} (${code})`;
}
