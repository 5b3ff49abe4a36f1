import { address, linkWith } from '../../app/location.ts';
import { useAddressForm } from '../../components/address-form.ts';
import { Boxes, Select, textOf, type Choice } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { MANY_OF } from '../../records/record.ts';
import { FUNDED, layersOf } from './asked.ts';

const VIEWS: readonly Choice[] = [
  ['', 'as far as you may'],
  ['local', 'this scope alone'],
  ['descend', 'it and those below'],
  ['lineage', 'those above'],
  ['holistic', 'above and below'],
];
const BUDGETS: readonly Choice[] = [
  ['500', '500 tokens'],
  ['1000', '1,000 tokens'],
  ['', '4,000 tokens'],
  ['16000', '16,000 tokens'],
  ['64000', '64,000 tokens'],
];
const MORE: readonly Choice[] = [
  ['superseded', 'also what holds no longer'],
  ['detail', 'tell how everything was ranked'],
];

/** What is looked for. Asking puts it into the address. */
export function RecallForm() {
  const { parameters } = address.value;
  const form = useAddressForm(JSON.stringify(parameters));
  const { q = '', view = '', when = '', tokens = '' } = parameters;
  const more = MORE.map(([name]) => name).filter((name) => parameters[name] !== undefined);
  const budgets = BUDGETS.some(([value]) => value === tokens)
    ? BUDGETS
    : [...BUDGETS, [tokens, `${tokens} tokens`] as const];
  return (
    <form
      class="recall-form"
      role="search"
      aria-label="Recall"
      key={form.key}
      onSubmit={(event) => {
        event.preventDefault();
        form.go(linkWith(askedBy(new FormData(event.currentTarget))));
      }}
    >
      <div class="recall-question">
        <Field
          label="What is looked for"
          name="q"
          value={q}
          hint="In words, never search syntax. Empty: the newest."
        />
        <button type="submit" class="button button-main">
          Recall
        </button>
      </div>
      <details class="recall-more" open={more.length + view.length + when.length + tokens.length > 0}>
        <summary>Where, when and how much</summary>
        <div class="recall-fields">
          <Select label="Where" name="view" value={view} choices={VIEWS} />
          <Field
            label="Observed"
            name="when"
            value={when}
            hint="A phrase: last week, between May 1 and May 10, 2025."
          />
          <Select label="Budget" name="tokens" value={tokens} choices={budgets} />
        </div>
        <Boxes
          label="Layers"
          name="layers"
          chosen={layersOf(parameters)}
          choices={FUNDED.map((layer) => [layer, MANY_OF[layer]])}
        />
        <Boxes label="More" name="more" chosen={more} choices={MORE} />
      </details>
    </form>
  );
}

function askedBy(form: FormData): Record<string, string> {
  const layers = FUNDED.filter((layer) => form.getAll('layers').includes(layer));
  const more = form.getAll('more');
  const q = textOf(form, 'q');
  return {
    q,
    ask: q === '' ? 'newest' : '',
    view: textOf(form, 'view'),
    when: textOf(form, 'when'),
    tokens: textOf(form, 'tokens'),
    layers: layers.length === FUNDED.length ? '' : layers.join(),
    superseded: more.includes('superseded') ? 'yes' : '',
    detail: more.includes('detail') ? 'full' : '',
  };
}
