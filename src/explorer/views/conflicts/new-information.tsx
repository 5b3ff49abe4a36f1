import { useEach } from '../../api/use-each.ts';
import { Select } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { Skeleton } from '../../components/notice.tsx';
import { STATED_VALUE, type Conflict } from './queries.ts';
import { isAboutSubjects, sidesOf } from './sides.ts';
import { kindInWords, kindsOf, type ValueKind } from './value-kind.ts';

const ENTITY_HINT = 'An entity by its name or id; one that is not known yet gets what you write as both.';

/** What holds instead of all sides, as a value of a kind that they have, and when. */
export function NewInformation({
  conflict,
  errorOf,
}: {
  readonly conflict: Conflict;
  /** What is wrong with the field of a name. */
  readonly errorOf: (name: string) => string | null;
}) {
  const kinds = useKinds(conflict);
  if (kinds === null) return <Skeleton lines={3} />;
  const [kind, ...others] = kinds;
  const hint = others.length === 0 ? `As on the sides: ${kindInWords(kind)}.` : null;
  return (
    <>
      <Field
        label="What holds"
        name="value"
        hint={kinds.includes('entity') ? ENTITY_HINT : hint}
        error={errorOf('value') ?? errorOf('object') ?? errorOf('subject')}
        isRequired
      />
      {others.length === 0 ? (
        <input type="hidden" name="kind" value={kind} />
      ) : (
        <Select
          label="What that is"
          name="kind"
          value={kind}
          choices={kinds.map((each) => [each, kindInWords(each)])}
        />
      )}
      <Field
        label="Since when"
        name="validFrom"
        hint="A date or an instant; empty: in place of all of them."
        error={errorOf('valid_from') ?? errorOf('validFrom')}
      />
      <Field
        label="Until when"
        name="validTo"
        hint="Empty: it has no end."
        error={errorOf('valid_to') ?? errorOf('validTo')}
      />
    </>
  );
}

/** What the sides are; null until it is known. */
function useKinds(conflict: Conflict): readonly [ValueKind, ...ValueKind[]] | null {
  const isEntity = isAboutSubjects(conflict);
  const list = isEntity
    ? []
    : sidesOf(conflict).flatMap(({ statements: [first] }) => (first === undefined ? [] : [{ id: first.id }]));
  const { answers, done } = useEach(STATED_VALUE, list);
  if (isEntity) return ['entity'];
  return done < list.length ? null : kindsOf(answers.flatMap((answer) => answer?.fact?.object ?? []));
}
