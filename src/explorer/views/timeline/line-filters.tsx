import { goTo, linkWith } from '../../app/location.ts';
import type { Chosen } from './choice.ts';

const FIELDS = [
  { name: 'actor', label: 'Actor', hint: 'user:priya' },
  { name: 'label', label: 'Label', hint: 'any label' },
  { name: 'modality', label: 'Kind', hint: 'conversation' },
  { name: 'words', label: 'Words', hint: 'a text' },
] as const;

/** What the service is asked for: events by actor, label and kind, or events and episodes that hold a text. */
export function LineFilters({ chosen }: { readonly chosen: Chosen }) {
  const isNarrowed = FIELDS.some(({ name }) => chosen[name] !== null);
  return (
    <form
      class="line-filters"
      role="search"
      aria-label="What is shown"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const entries = FIELDS.map(({ name }) => [name, textIn(form, name)] as const);
        goTo(linkWith(Object.fromEntries(entries)));
      }}
    >
      {FIELDS.map(({ name, label, hint }) => (
        <label key={name}>
          <span>{label}</span>
          <input
            name={name}
            key={chosen[name] ?? ''}
            defaultValue={chosen[name] ?? ''}
            placeholder={hint}
            disabled={name !== 'words' && chosen.words !== null}
            spellcheck={false}
            autocomplete="off"
          />
        </label>
      ))}
      <button type="submit" class="button">
        Show
      </button>
      {isNarrowed && (
        <a class="button button-quiet" href={linkWith({ actor: '', label: '', modality: '', words: '' })}>
          All
        </a>
      )}
      {chosen.words !== null && (
        <p class="field-hint">
          Words look through what everybody said: take them away to choose by actor, label or kind.
        </p>
      )}
    </form>
  );
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
