import type { InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

/** A field of a form with its label; what is wrong with it stands below it and is read with it. */
export function Field({
  label,
  hint,
  error,
  ...input
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
} & Omit<InputHTMLAttributes, 'label'>) {
  const id = useId();
  const wrong = error ?? null;
  const notes = [hint === undefined ? '' : `${id}-hint`, wrong === null ? '' : `${id}-error`];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...input} id={id} aria-invalid={wrong !== null} aria-describedby={notes.join(' ').trim()} />
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong !== null && (
        <p class="field-error" id={`${id}-error`}>
          {label}: {wrong}
        </p>
      )}
    </div>
  );
}
