import { useState } from 'preact/hooks';

import { linkWith } from '../../app/location.ts';
import { Icon } from '../../components/icon.tsx';
import type { Branch } from './tree.ts';

/** From this depth on, branches are folded until somebody opens them, or the chosen scope lies in them. */
const OPEN_DEPTH = 2;

/** Scopes as lists in lists: a link chooses one, a button beside it folds what lies below. */
export function ScopeTree({
  branches,
  chosen,
  label,
  depth = 0,
}: {
  readonly branches: readonly Branch[];
  readonly chosen: string | null;
  readonly label: string;
  readonly depth?: number;
}) {
  return (
    <ul class="scope-tree" aria-label={label}>
      {branches.map((branch) => (
        <Twig key={branch.path} branch={branch} chosen={chosen} depth={depth} />
      ))}
    </ul>
  );
}

function Twig({
  branch,
  chosen,
  depth,
}: {
  readonly branch: Branch;
  readonly chosen: string | null;
  readonly depth: number;
}) {
  const { path, name, item, children } = branch;
  const holdsChosen = chosen?.startsWith(`${path}/`) === true;
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH || holdsChosen);
  return (
    <li>
      <div class="scope-line">
        {children.length === 0 ? (
          <span class="scope-fold" />
        ) : (
          <button
            type="button"
            class="scope-fold"
            aria-expanded={isOpen}
            aria-label={`What lies below ${path}`}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        )}
        <a
          class="scope-name"
          href={linkWith({ scope: path })}
          aria-current={chosen === path ? 'true' : undefined}
        >
          {name}
        </a>
        {item !== null && (
          <span class="small soft number">
            {item.eventCount}
            {item.eventCountCapped && '+'} {item.eventCount === 1 ? 'event' : 'events'}
            {item.memberCount > 0 && `, ${item.memberCount} in the roster`}
          </span>
        )}
      </div>
      {isOpen && children.length > 0 && (
        <ScopeTree branches={children} chosen={chosen} label={`Below ${path}`} depth={depth + 1} />
      )}
    </li>
  );
}
