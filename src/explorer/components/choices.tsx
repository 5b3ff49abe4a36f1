import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

import './choices.css';

/** One of several: its value and what it is called. */
export type Choice = readonly [value: string, title: string];

/** A field that takes one of a few values. */
export function Select({
  label,
  name,
  value,
  choices,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly choices: readonly Choice[];
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {choices.map(([each, title]) => (
          <option value={each} selected={each === value} key={each}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Several of a few: a box for each. */
export function Boxes({
  label,
  name,
  chosen,
  choices,
}: {
  readonly label: string;
  readonly name: string;
  readonly chosen: readonly string[];
  readonly choices: readonly Choice[];
}) {
  return (
    <fieldset class="boxes">
      <legend>{label}</legend>
      {choices.map(([value, title]) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

/** One of a few, each with what it means. */
export function Radios({
  label,
  name,
  value,
  choices,
  choose,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, title: string, meaning: ComponentChildren])[];
  readonly choose: (value: string) => void;
}) {
  return (
    <fieldset class="radios">
      <legend>{label}</legend>
      {choices.map(([each, title, meaning]) => (
        <label key={each} class="radio">
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === value}
            onChange={() => {
              choose(each);
            }}
          />
          <span>
            <span class="radio-title">{title}</span>
            <span class="small soft">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What a form says under a name; empty for nothing. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
