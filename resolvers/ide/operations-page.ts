import type { IdeOperation } from './operations.ts';
import { ENDPOINT_PATH } from './options.ts';

/** The page that lists all operations. */
export const OPERATIONS_PATH = `${ENDPOINT_PATH}/operations`;

const STYLE = `
:root { color-scheme: light dark; font: 0.9375rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; }
ul { list-style: none; padding: 0; }
li { margin: 0 0 1rem; }
p { margin: 0; }
small { margin-left: 0.5rem; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 6px; }
`;

/** The list of all operations, by noun, each with what it is for, its document, and the way to a tab of its own. */
export function renderOperations(operations: readonly IdeOperation[]): string {
  const groups = [...new Set(operations.map(({ group }) => group))];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Strata GraphQL operations</title>
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>GraphQL operations</h1>
    <p>A name opens its operation in the <a href="${ENDPOINT_PATH}">IDE</a>, signed in as the <a href="/">explorer</a> is.</p>
    ${groups.map((group) => renderGroup(group, operations)).join('\n    ')}
  </body>
</html>
`;
}

function renderGroup(group: string, operations: readonly IdeOperation[]): string {
  const items = operations.filter((operation) => operation.group === group).map(renderOperation);
  return `<h2>${escaped(group)}</h2>\n    <ul>${items.join('')}</ul>`;
}

function renderOperation({ name, type, about, document }: IdeOperation): string {
  return `<li>
      <a href="${OPERATIONS_PATH}/${name}">${name}</a><small>${type}</small>
      <p>${escaped(about).replaceAll('\n', '<br />')}</p>
      <details><summary>Document of ${name}</summary><pre>${escaped(document)}</pre></details>
    </li>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
