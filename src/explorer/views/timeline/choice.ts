import type { Stretch } from './line.ts';

/** What is looked at, as the address says. */
export interface Chosen {
  readonly actor: string | null;
  readonly label: string | null;
  readonly modality: string | null;
  readonly words: string | null;
  /** Id of the event or episode that is open. */
  readonly item: string | null;
  /** What is in sight; null for everything. */
  readonly sight: Stretch | null;
}

/** What parameters of an address say is looked at. */
export function chosenIn(parameters: Readonly<Record<string, string>>): Chosen {
  const text = (name: string): string | null => {
    const value = parameters[name];
    return value === undefined || value === '' ? null : value;
  };
  const from = Date.parse(parameters.from ?? '');
  const to = Date.parse(parameters.to ?? '');
  return {
    actor: text('actor'),
    label: text('label'),
    modality: text('modality'),
    words: text('words'),
    item: text('item'),
    sight: from < to ? { from, to } : null,
  };
}

/** What is in sight as parameters of an address. */
export function sightParameters(sight: Stretch | null): Record<string, string> {
  if (sight === null) return { from: '', to: '' };
  return { from: new Date(sight.from).toISOString(), to: new Date(sight.to).toISOString() };
}
