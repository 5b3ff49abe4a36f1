import { useId } from 'preact/hooks';

const SECRET = { type: 'password' } as const;
const PLAIN = { type: 'text' } as const;

/** A field of a form with its label; what is wrong with it stands below it and is read with it. */
export function Field({
  label,
  name,
  isSecret = false,
  value = '',
  hint = null,
  error = null,
  isRequired = false,
  isFirst = false,
}: {
  readonly label: string;
  /** Its name in the form. */
  readonly name: string;
  /** Whether what is typed stays hidden. */
  readonly isSecret?: boolean;
  /** What stands in it at first. */
  readonly value?: string;
  readonly hint?: string | null;
  readonly error?: string | null;
  readonly isRequired?: boolean;
  /** Whether it has the focus when it appears. */
  readonly isFirst?: boolean;
}) {
  const id = useId();
  const notes = [hint === null ? '' : `${id}-hint`, error === null ? '' : `${id}-error`];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(isSecret ? SECRET : PLAIN)}
        id={id}
        name={name}
        defaultValue={value}
        required={isRequired}
        autofocus={isFirst}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== null}
        aria-describedby={notes.join(' ').trim()}
      />
      {hint !== null && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p class="field-error" id={`${id}-error`}>
          {label}: {error}
        </p>
      )}
    </div>
  );
}
