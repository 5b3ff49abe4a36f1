import { useId } from 'preact/hooks';

import type { Chosen } from './choice.ts';
import { choose } from './chosen.ts';
import { KINDS, PLURALS } from './words.ts';

/** What narrows the graph: kinds, an entity, a text. A comparison takes kinds only, and what is followed live takes nothing. */
export function Filters({ chosen }: { readonly chosen: Chosen }) {
  return (
    <form
      class="time-filters"
      role="search"
      aria-label="What is shown"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        choose({ entity: textIn(form, 'entity'), q: textIn(form, 'q') });
      }}
    >
      <KindChoices chosen={chosen} />
      <Narrowing chosen={chosen} />
    </form>
  );
}

function KindChoices({ chosen: { types, over, isLive } }: { readonly chosen: Chosen }) {
  const shown = new Set(types ?? KINDS);
  return (
    <fieldset class="choices" disabled={isLive}>
      <legend>Kinds</legend>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={shown.has(kind)}
            onChange={({ currentTarget }) => {
              if (currentTarget.checked) shown.add(kind);
              else shown.delete(kind);
              choose({ types: KINDS.filter((each) => shown.has(each)).join(',') });
            }}
          />
          <span class={`kind kind-${kind}`} aria-hidden="true" />
          {PLURALS[kind]}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={over}
          onChange={({ currentTarget }) => {
            choose({ over: currentTarget.checked ? '1' : '' });
          }}
        />
        what is over too
      </label>
    </fieldset>
  );
}

function Narrowing({ chosen: { entity, q, isLive, against } }: { readonly chosen: Chosen }) {
  const id = useId();
  return (
    <div class="time-narrow">
      <label for={`${id}-entity`}>About</label>
      <input
        id={`${id}-entity`}
        name="entity"
        key={`entity ${entity ?? ''}`}
        defaultValue={entity ?? ''}
        placeholder="an entity"
        disabled={isLive || against !== null}
      />
      <label for={`${id}-q`}>Holding</label>
      <input
        id={`${id}-q`}
        name="q"
        type="search"
        key={`q ${q ?? ''}`}
        defaultValue={q ?? ''}
        placeholder="a text"
        disabled={isLive || against !== null}
      />
      <button type="submit" class="button" disabled={isLive || against !== null}>
        Show
      </button>
      {(entity !== null || q !== null) && (
        <button
          type="button"
          class="button button-quiet"
          onClick={() => {
            choose({ entity: '', q: '' });
          }}
        >
          All
        </button>
      )}
    </div>
  );
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
