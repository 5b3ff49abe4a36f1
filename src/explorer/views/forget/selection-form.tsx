import type { RefObject } from 'preact';

import { address, linkWith } from '../../app/location.ts';
import { useAddressForm } from '../../components/address-form.ts';
import { Boxes, Radios, Select, type Choice } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { MissingRights, useMissing } from '../../components/missing-rights.tsx';
import { LAYERS, MANY_OF } from '../../records/record.ts';
import { CAPABILITY, filledIn, HOWS, howOf, layersOf, type Parameters } from './selection.ts';

const AXES: readonly Choice[] = [
  ['', 'observed, or beginning to hold'],
  ['recorded', 'recorded'],
];

/** What is to be forgotten, and how far. What is chosen stands in the address. */
export function SelectionForm({
  scope,
  root,
  isBusy,
  look,
}: {
  readonly scope: string;
  /** Where the form is found. */
  readonly root: RefObject<HTMLFormElement | null>;
  /** Whether it is being looked. */
  readonly isBusy: boolean;
  /** Called with what is chosen, which stands in the address from now on. */
  readonly look: (chosen: Parameters) => void;
}) {
  const { parameters } = address.value;
  const form = useAddressForm(JSON.stringify(parameters));
  const how = howOf(parameters);
  const missing = useMissing(scope, [CAPABILITY[how], ...(how === 'erase' ? [] : ['scope.read.local'])]);
  const mayLook = missing === null || missing.length === 0;
  return (
    <form
      class="selection"
      ref={root}
      aria-label="What is to be forgotten"
      key={form.key}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = chosenBy(event.currentTarget);
        form.go(linkWith(chosen));
        look(chosen);
      }}
    >
      <Conditions />
      <Radios
        label="How far"
        name="how"
        value={how}
        choices={HOWS}
        choose={(value) => {
          if (root.current !== null) form.go(linkWith({ ...chosenBy(root.current), how: value }));
        }}
      />
      {how !== 'erase' && (
        <Boxes
          label="Layers in which records are selected"
          name="layers"
          chosen={layersOf(parameters)}
          choices={LAYERS.map((layer) => [layer, MANY_OF[layer]])}
        />
      )}
      <MissingRights missing={missing} what="do that" />
      <div class="form-end">
        <button type="submit" class="button button-main" disabled={!mayLook || isBusy}>
          Look what would go
        </button>
        <span class="small soft">Nothing is forgotten yet.</span>
      </div>
    </form>
  );
}

function Conditions() {
  const { entity, subject, predicate, labels, ids, from, to, axis, all } = address.value.parameters;
  return (
    <>
      <div class="conditions">
        <Field
          label="About"
          name="entity"
          value={entity ?? ''}
          hint="An entity, by name or id, as subject or object."
        />
        <Field
          label="Label"
          name="labels"
          value={labels ?? ''}
          hint="Several by commas: events that carry all."
        />
        <Field label="Records" name="ids" value={ids ?? ''} hint="Ids of any layer, at most 100." />
      </div>
      <details
        class="conditions-more"
        open={[from, to, subject, predicate].some((value) => value !== undefined)}
      >
        <summary>Times, subject and predicate</summary>
        <div class="conditions">
          <Field label="From" name="from" value={from ?? ''} hint="A date, or an instant of RFC 3339." />
          <Field label="Until" name="to" value={to ?? ''} hint="Not itself among it." />
          <Select label="These times are when it was" name="axis" value={axis ?? ''} choices={AXES} />
          <Field label="With this subject" name="subject" value={subject ?? ''} />
          <Field label="Predicate" name="predicate" value={predicate ?? ''} hint="Such as lives_in." />
        </div>
      </details>
      <p class="small soft">Every condition that you fill in has to hold.</p>
      <Boxes
        label="Or"
        name="all"
        chosen={all === 'yes' ? ['yes'] : []}
        choices={[['yes', 'everything in this scope, whatever is filled in above']]}
      />
    </>
  );
}

/** What the form says; an erasure that was looked at is left. */
function chosenBy(form: HTMLFormElement): Record<string, string> {
  return { ...filledIn(new FormData(form)), erasure: '' };
}
