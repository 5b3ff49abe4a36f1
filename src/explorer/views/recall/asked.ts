import type { AsOf } from '../../api/document.ts';
import type { Layer } from '../../records/record.ts';
import type { AnswerInput, RecallInput } from './queries.ts';

/** The layers in the order in which the service brings them, the first funded first. */
export const FUNDED: readonly Layer[] = ['facts', 'beliefs', 'episodes', 'understanding', 'events'];

/** The parameters of the address that say what is asked. */
export type Parameters = Readonly<Record<string, string>>;

/** The layers that an address names; all of them where it names none. */
export function layersOf(parameters: Parameters): readonly Layer[] {
  const named = (parameters.layers ?? '').split(',');
  const chosen = FUNDED.filter((layer) => named.includes(layer));
  return chosen.length === 0 ? FUNDED : chosen;
}

/** Whether an address asks for anything: an empty question asks for the newest. */
export function isAsked(parameters: Parameters): boolean {
  return parameters.q !== undefined || parameters.ask === 'newest';
}

/** What an address asks for, as the contract takes it. What is not said there is left to the service. */
export function recallInput(scope: string, parameters: Parameters, asOf: AsOf | null): RecallInput {
  const { q = '', view = '', when = '', tokens = '', superseded, detail } = parameters;
  const layers = layersOf(parameters);
  const temporal = {
    ...(when === '' ? {} : { natural: when }),
    ...(asOf === null ? {} : { asOf }),
  };
  return {
    scope,
    ...(q === '' ? {} : { query: q }),
    ...(view === '' ? {} : { view }),
    ...(layers.length === FUNDED.length ? {} : { include: layers }),
    ...(Object.keys(temporal).length === 0 ? {} : { temporal }),
    ...(tokens === '' ? {} : { budgets: { maxTokens: Number(tokens) } }),
    ...(superseded === 'yes' ? { includeSuperseded: true } : {}),
    ...(detail === 'full' ? { diagnostics: 'full' as const } : {}),
  };
}

/** The same as a question to a model. */
export function answerInput({ query = '', diagnostics: _, ...rest }: RecallInput): AnswerInput {
  return { ...rest, question: query };
}
