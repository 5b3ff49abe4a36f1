import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { isAbort } from '../api/errors.ts';
import { Empty, Skeleton } from '../components/notice.tsx';
import { VIEWS, type View } from '../views/registry.ts';
import { address, linkTo } from './location.ts';
import { ViewBoundary } from './view-boundary.tsx';

type Loaded =
  | { readonly is: 'loading' }
  | { readonly is: 'failed' }
  | { readonly is: 'ready'; readonly Shown: ComponentType };

/** The view that an address names; the first one where it names none, nothing where it names one that there is not. */
export function viewOf(name: string): View | null {
  return (name === '' ? VIEWS[0] : VIEWS.find(({ path }) => path === name)) ?? null;
}

function loadAgain(): void {
  location.reload();
}

/** The view that the address names. */
export function CurrentView() {
  const { view: name } = address.value;
  const view = viewOf(name);
  useEffect(() => {
    document.title = view === null ? 'Strata' : `${view.title} · Strata`;
  }, [view]);
  if (view !== null) return <LoadedView view={view} key={view.path} />;
  return (
    <Empty title="There is no such view.">
      <p>
        The address names the view “{name}”. <a href={linkTo('home')}>Go to the start</a>
      </p>
    </Empty>
  );
}

function LoadedView({ view }: { readonly view: View }) {
  const [loaded, setLoaded] = useState<Loaded>({ is: 'loading' });
  useEffect(() => {
    view.load().then(
      (Shown) => {
        setLoaded({ is: 'ready', Shown });
      },
      (error: unknown) => {
        if (!isAbort(error)) setLoaded({ is: 'failed' });
      },
    );
  }, [view]);
  if (loaded.is === 'ready')
    return (
      <ViewBoundary view={view}>
        <loaded.Shown />
      </ViewBoundary>
    );
  if (loaded.is === 'loading') return <Skeleton lines={6} />;
  return (
    <Empty title="This view could not be loaded.">
      <p>The service was away, or was upgraded since this page was opened.</p>
      <button type="button" class="button" onClick={loadAgain}>
        Load the page again
      </button>
    </Empty>
  );
}
