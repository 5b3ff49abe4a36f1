import { useQuery } from '../api/use-query.ts';
import { SCOPE_PATHS } from '../app/queries.ts';
import { linkWith } from '../app/location.ts';
import { Empty } from './notice.tsx';
import { Shown } from './shown.tsx';

const SHOWN = 12;

/** What a view shows that needs a scope where none is chosen: the first ones to choose from. */
export function ChooseScope({ what }: { readonly what: string }) {
  const scopes = useQuery(SCOPE_PATHS, {});
  return (
    <Empty title="No scope is chosen.">
      <p>{what} Choose one here, or name it at the top.</p>
      <Shown query={scopes} lines={2}>
        {({ scopes: { nodes } }) => (
          <ul class="choose-scope">
            {nodes.slice(0, SHOWN).map(({ path }) => (
              <li key={path}>
                <a class="button" href={linkWith({ scope: path })}>
                  <code>{path}</code>
                </a>
              </li>
            ))}
            {nodes.length === 0 && <li>There is no scope yet that you may read.</li>}
          </ul>
        )}
      </Shown>
    </Empty>
  );
}
