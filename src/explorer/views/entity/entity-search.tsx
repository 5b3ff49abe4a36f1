import { usePages } from '../../api/use-pages.ts';
import { address, goTo, linkTo, linkWith, scope } from '../../app/location.ts';
import { Field } from '../../components/field.tsx';
import { Empty } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ENTITIES } from './queries.ts';
import { recordedOnly } from './recorded-only.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** The entities of the scope, or those with some words in one of their names. */
export function EntitySearch() {
  if (scope.value === null)
    return (
      <Empty title="No scope is chosen.">
        <p>Choose one in the bar above: entities are found by their scope.</p>
      </Empty>
    );
  return <Found scope={scope.value} />;
}

function Found({ scope: path }: { readonly scope: string }) {
  const { q = '' } = address.value.parameters;
  const variables = { scope: path, q: q === '' ? null : q, asOf: recordedOnly() };
  const pages = usePages(ENTITIES, variables, ({ entities }) => entities ?? NO_PAGE);
  return (
    <Panel title="Whom or what do you want to know about?">
      <form
        class="entity-search"
        role="search"
        aria-label="Entities"
        onSubmit={(event) => {
          event.preventDefault();
          const words = new FormData(event.currentTarget).get('q');
          goTo(linkWith({ q: typeof words === 'string' ? words.trim() : '' }));
        }}
      >
        <Field label="Words in a name" name="q" value={q} key={q} />
        <button type="submit" class="button button-main">
          Search
        </button>
      </form>
      {pages.state === 'end' && pages.items.length === 0 && (
        <Empty title="Nothing is found.">
          <p>{q === '' ? 'No fact of the scope names an entity yet.' : 'Try a part of the name.'}</p>
        </Empty>
      )}
      <ul class="entity-found" aria-label="Entities, newest first">
        {pages.items.map(({ id, name, aliases, type }) => (
          <li key={id}>
            <a href={linkTo('entity', [], { id })}>{name ?? id}</a>
            <span class="small soft">
              {type}
              {aliases.length > 0 && `, also ${aliases.slice(0, 3).join(', ')}`}
            </span>
          </li>
        ))}
      </ul>
      <Pager pages={pages} />
    </Panel>
  );
}
