import { useQuery } from '../../api/use-query.ts';
import { scope } from '../../app/location.ts';
import { Empty } from '../../components/notice.tsx';
import { Shown } from '../../components/shown.tsx';
import { Activity } from './activity.tsx';
import { ExampleOffer } from './example-offer.tsx';
import { rootsOf, seesEmptyStore } from './first-scopes.ts';
import { Health } from './health.tsx';
import './home.css';
import { LiveFrames } from './live-frames.tsx';
import { FIRST_SCOPES } from './queries.ts';

/** How the service is, what came in, and what happens now. */
export function Home() {
  return (
    <div class="view">
      <header class="view-head">
        <h1>Home</h1>
        <p class="soft">How the service is, what came in during the last hour, and what happens now.</p>
      </header>
      <div class="home-grid">
        <div class="home-column">
          <Activities />
        </div>
        <div class="home-column">
          <Health />
          <LiveFrames scope={scope.value} key={scope.value} />
        </div>
      </div>
    </div>
  );
}

/** What goes on in the chosen scope; without one in the first ones that there are. */
function Activities() {
  const scopes = useQuery(FIRST_SCOPES, {});
  const { reading, reload } = scopes;
  const found = reading.is === 'refused' ? null : reading.data;
  if (found !== null && seesEmptyStore(found)) return <ExampleOffer done={reload} />;
  if (scope.value !== null) return <Activity scope={scope.value} key={scope.value} />;
  return (
    <Shown query={scopes} lines={5}>
      {(shown) => {
        const roots = rootsOf(shown);
        if (roots.length > 0) return roots.map((path) => <Activity scope={path} key={path} />);
        return (
          <div class="panel">
            <Empty title="There is no scope yet that you may read.">
              <p>Name one at the top where you know of one.</p>
            </Empty>
          </div>
        );
      }}
    </Shown>
  );
}
