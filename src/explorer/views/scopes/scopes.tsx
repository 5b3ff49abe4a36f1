import { usePages } from '../../api/use-pages.ts';
import { scope } from '../../app/location.ts';
import { Empty } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ScopeDetail } from './scope-detail.tsx';
import { ScopeTree } from './scope-tree.tsx';
import { SCOPES } from './queries.ts';
import './scopes.css';
import { treeOf } from './tree.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** The tree of scopes, and of the chosen one who is in it, what is in it, and what the caller may do there. */
export function Scopes() {
  const pages = usePages(SCOPES, {}, ({ scopes }) => scopes ?? NO_PAGE);
  const chosen = scope.value;
  return (
    <div class="view">
      <header class="view-head">
        <h1>Scopes</h1>
        <p class="soft">The scopes that you may read, who is in them, and what holds there.</p>
      </header>
      <div class="scopes-grid">
        <Panel title="Tree">
          {pages.state === 'end' && pages.items.length === 0 && (
            <Empty title="There is no scope yet.">
              <p>A scope comes into being by its first event.</p>
            </Empty>
          )}
          <ScopeTree branches={treeOf(pages.items)} chosen={chosen} label="Scopes" />
          <Pager pages={pages} />
        </Panel>
        {chosen === null ? (
          <Empty title="No scope is chosen.">
            <p>Choose one in the tree.</p>
          </Empty>
        ) : (
          <ScopeDetail path={chosen} key={chosen} />
        )}
      </div>
    </div>
  );
}
