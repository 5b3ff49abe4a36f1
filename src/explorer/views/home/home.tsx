import { useQuery } from '../../api/use-query.ts';
import { scope } from '../../app/location.ts';
import { Shown } from '../../components/shown.tsx';
import { Activity } from './activity.tsx';
import { ExampleOffer } from './example-offer.tsx';
import { Health } from './health.tsx';
import './home.css';
import { LiveFrames } from './live-frames.tsx';
import { FIRST_SCOPES } from './queries.ts';

/** At most so many parts of the tree are shown where no scope is chosen: each asks the service twice. */
const ROOTS_AT_MOST = 4;

/** How the service is, what came in, and what happens now. */
export function Home() {
  const scopes = useQuery(FIRST_SCOPES, {});
  return (
    <div class="view">
      <header class="view-head">
        <h1>Home</h1>
        <p class="soft">How the service is, what came in during the last hour, and what happens now.</p>
      </header>
      <div class="home-grid">
        <div class="home-column">
          <Shown query={scopes} lines={5}>
            {({ scopes: page }) => {
              const paths = (page?.nodes ?? []).map(({ path }) => path);
              if (paths.length === 0) return <ExampleOffer done={scopes.reload} />;
              return shownRoots(paths).map((path) => <Activity scope={path} key={path} />);
            }}
          </Shown>
        </div>
        <div class="home-column">
          <Health />
          <LiveFrames scope={scope.value} key={scope.value} />
        </div>
      </div>
    </div>
  );
}

/** The chosen scope; without one the first scopes that lie below no other one of the list. */
function shownRoots(paths: readonly string[]): readonly string[] {
  if (scope.value !== null) return [scope.value];
  const isBelow = (path: string, other: string): boolean => path.startsWith(`${other}/`);
  return paths.filter((path) => !paths.some((other) => isBelow(path, other))).slice(0, ROOTS_AT_MOST);
}
