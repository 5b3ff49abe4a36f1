import { usePages } from '../../api/use-pages.ts';
import { address, asOf, goTo, linkTo, linkWith, scope } from '../../app/location.ts';
import { Field } from '../../components/field.tsx';
import { Empty } from '../../components/notice.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { STARTS, type RecordKind } from './queries.ts';

const KINDS: readonly RecordKind[] = ['fact', 'belief', 'concept', 'episode', 'event'];
const DERIVED: readonly RecordKind[] = ['fact', 'belief', 'concept'];
const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** What may be asked about: the newest records of the scope, or those with some words. */
export function WhyStart() {
  if (scope.value === null)
    return (
      <Empty title="No scope is chosen.">
        <p>Choose one in the bar above, then a record of it. Records link here from the other views too.</p>
      </Empty>
    );
  return <Starts scope={scope.value} />;
}

function Starts({ scope: path }: { readonly scope: string }) {
  const { q = '', kind = '' } = address.value.parameters;
  const known = KINDS.filter((one) => one === kind);
  const pages = usePages(
    STARTS,
    { scope: path, q: q === '' ? null : q, types: known.length === 0 ? DERIVED : known, asOf: asOf.value },
    ({ graph }) => graph ?? NO_PAGE,
  );
  return (
    <Panel title="What do you want to know about?">
      <form
        class="why-search"
        role="search"
        aria-label="Records"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          goTo(linkWith({ q: textIn(form, 'q'), kind: textIn(form, 'kind') }));
        }}
      >
        <Field label="Words in it" name="q" value={q} key={q} />
        <label class="field">
          <span>Kind</span>
          <select name="kind" defaultValue={kind} key={kind}>
            <option value="">facts, beliefs, concepts</option>
            {KINDS.map((one) => (
              <option value={one} key={one} selected={one === kind}>
                {one}s
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="button button-main">
          Search
        </button>
      </form>
      {pages.state === 'end' && pages.items.length === 0 && (
        <Empty title="Nothing is found.">
          <p>
            {q === ''
              ? 'Nothing of this kind was derived in the scope.'
              : 'Try fewer words, or another kind.'}
          </p>
        </Empty>
      )}
      <ul class="why-starts" aria-label="Records, newest first">
        {pages.items.map(({ id, type, summary }) => (
          <li key={id}>
            <span class="why-kind">{type}</span>
            <a href={linkTo('why', [], { id })}>{summary}</a>
          </li>
        ))}
      </ul>
      <Pager pages={pages} />
    </Panel>
  );
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
