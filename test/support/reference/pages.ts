import { settingsTable } from '../../../src/config/document.ts';
import { metricsTable } from '../../../src/metrics/catalogue.ts';
import { commandReference, exitCodes } from './commands.ts';
import { documentCodes, errorsTable } from './errors.ts';
import { rootFields } from './graphql.ts';
import { limitsTable } from './limits.ts';
import { kindsOfErrors, restReference } from './rest.ts';

/** A part of a page that is made from the code: between `<!-- name -->` and `<!-- /name -->`. */
export interface GeneratedPart {
  readonly page: `docs/reference/${string}.md`;
  readonly name: string;
  readonly text: () => string;
}

/** Every part of the documentation that `npm run tables` writes. */
export const GENERATED: readonly GeneratedPart[] = [
  { page: 'docs/reference/configuration.md', name: 'settings', text: settingsTable },
  { page: 'docs/reference/metrics.md', name: 'metrics', text: metricsTable },
  { page: 'docs/reference/limits.md', name: 'limits', text: limitsTable },
  { page: 'docs/reference/errors.md', name: 'errors', text: errorsTable },
  { page: 'docs/reference/errors.md', name: 'document errors', text: documentCodes },
  { page: 'docs/reference/command-line.md', name: 'commands', text: commandReference },
  { page: 'docs/reference/command-line.md', name: 'exit codes', text: exitCodes },
  { page: 'docs/reference/rest.md', name: 'errors of kinds', text: kindsOfErrors },
  { page: 'docs/reference/rest.md', name: 'operations', text: restReference },
  { page: 'docs/reference/graphql.md', name: 'root fields', text: rootFields },
];

/** What stands in a page between the marks of a part, and where; null where a page has no such marks. */
export function partOf(page: string, name: string): { start: number; end: number; text: string } | null {
  const open = `<!-- ${name} -->\n`;
  const at = page.indexOf(open);
  const start = at + open.length;
  const end = page.indexOf(`<!-- /${name} -->`, start);
  return at < 0 || end < 0 ? null : { start, end, text: page.slice(start, end) };
}
