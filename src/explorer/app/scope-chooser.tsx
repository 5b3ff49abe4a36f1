import { useId } from 'preact/hooks';

import { useQuery } from '../api/use-query.ts';
import { address, goTo, linkTo, scope } from './location.ts';
import { SCOPE_PATHS } from './queries.ts';

/** Which scope is looked at: one of those that there are, or any path that is typed. */
export function ScopeChooser() {
  const id = useId();
  const { reading, reload } = useQuery(SCOPE_PATHS, {});
  const paths = reading.is === 'refused' ? [] : (reading.data?.scopes.nodes ?? []);
  const choose = (typed: string): void => {
    const path = typed.trim();
    // What else the address says is about the scope before, such as one of its conflicts.
    if (path !== (scope.peek() ?? '')) goTo(linkTo(address.peek().view, [], { scope: path }));
  };
  return (
    <form
      class="chooser"
      role="search"
      aria-label="Scope"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('scope');
        choose(typeof typed === 'string' ? typed : '');
      }}
    >
      <label for={id}>Scope</label>
      <input
        id={id}
        name="scope"
        list={`${id}-paths`}
        key={scope.value}
        defaultValue={scope.value ?? ''}
        placeholder="all that you may read"
        autoComplete="off"
        spellcheck={false}
        onFocus={reload}
        onChange={(event) => {
          choose(event.currentTarget.value);
        }}
      />
      <datalist id={`${id}-paths`}>
        {paths.map(({ path }) => (
          <option value={path} key={path} />
        ))}
      </datalist>
    </form>
  );
}
