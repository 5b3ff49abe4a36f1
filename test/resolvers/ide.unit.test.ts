import { readFileSync } from 'node:fs';

import { parse } from 'graphql';

import { createIde } from '../../resolvers/ide/ide.ts';
import { IDE_EXAMPLES, OPEN_AT_FIRST } from '../../resolvers/ide/examples.ts';
import { operationsOf } from '../../resolvers/ide/operations.ts';

const OPERATIONS = operationsOf(IDE_EXAMPLES);

const ide = createIde();
const page = String(ide('/graphql')!.body);
const base = /<base href="([^"]+)">/.exec(page)![1]!;

/** The name of the script that starts a page. */
function optionsOf(html: string): string {
  return /src="(options-\w+\.js)"/.exec(html)![1]!;
}

describe('the page of the IDE', () => {
  it('names nothing outside', () => {
    const places = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, place]) => place!);
    expect(places.length).toBeGreaterThan(5);
    expect(places.filter((place) => /^(\w+:)?\/\//.test(place))).toEqual([]);
  });

  it('finds all it loads, each under its type and to be kept', () => {
    const places = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, place]) => place!);
    for (const place of places.filter((name) => name !== base)) {
      const file = ide(`${base}${place}`);
      expect(file?.contentType).toMatch(/^(text\/(css|javascript)|image\/)/);
      expect(file?.headers['Cache-Control']).toContain('immutable');
    }
  });

  it('may load, send and be framed by nothing else, and has no script inline', () => {
    const policy = ide('/graphql')!.headers['Content-Security-Policy']!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(page).not.toMatch(/<script[^>]*>[^<]/);
  });

  it('is not kept, because the next version names other files', () => {
    expect(ide('/graphql')!.headers['Cache-Control']).toBe('no-cache');
  });
});

describe('files of the IDE', () => {
  it('are those of its directory and no others', () => {
    const outside = [
      '/',
      '/graphql/',
      '/graphql/main.js',
      base,
      `${base}../index.js`,
      `${base}..%2findex.js`,
      `${base}../../package.json`,
      `${base}/etc/passwd`,
      `${base}index.html`,
      `${base}constructor`,
      `${base}assets`,
      `${base}assets/i18n/README.md`,
    ];
    for (const path of outside) expect(ide(path)).toBeNull();
    expect(ide(`${base}main.js`)!.body.length).toBeGreaterThan(1_000_000);
    expect(ide(`${base}assets/i18n/en-US.json`)!.contentType).toMatch(/^application\/json/);
  });

  it('are read from the disk once', () => {
    expect(ide(`${base}main.js`)!.body).toBe(ide(`${base}main.js`)!.body);
  });

  it('do not hold the frame that takes scripts from who embeds it', () => {
    expect(ide(`${base}iframe-sandbox/index.html`)).toBeNull();
    expect(ide(`${base}iframe-sandbox/sandbox.png`)).toBeNull();
  });

  it('stand under a path that changes with what they say', () => {
    const other = String(createIde(IDE_EXAMPLES.slice(1))('/graphql')!.body);
    expect(other).not.toContain(base);
  });
});

describe('the tabs', () => {
  it('start with the key and the socket of the same host', () => {
    const options = String(ide(`${base}${optionsOf(page)}`)!.body);
    expect(options).toContain('Authorization: `Bearer {{key}}`');
    expect(options).toContain("endpointURL: location.origin + '/graphql'");
    expect(options).toContain("subscriptionsEndpoint: location.origin.replace('http', 'ws') + '/graphql'");
    expect(options).not.toContain('address of');
    expect(options).toContain('initialSubscriptionRequestHandlerId: `graphql-ws`');
  });

  it('are lent the credential under the name that the explorer keeps it', () => {
    const script = String(ide(`${base}page-script.js`)!.body);
    const kept = /KEPT_AS = '([^']+)'/.exec(readFileSync('src/explorer/api/session.ts', 'utf8'))![1]!;
    expect(script).toContain(`KEPT_AS = '${kept}'`);
    const key = /key: `([^`]+)`/.exec(String(ide(`${base}${optionsOf(page)}`)!.body))![1]!;
    expect(script).toContain(`UNSET = 'Bearer ${key}'`);
    expect(page.indexOf('page-script.js')).toBeLessThan(page.indexOf('main.js"></script>'));
  });

  it('hold one named operation each, whose name no other has, with the variables that it declares', () => {
    expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
    for (const { name, document, about, variables } of OPERATIONS) {
      const { definitions } = parse(document);
      expect(definitions).toMatchObject([{ kind: 'OperationDefinition', name: { value: name } }]);
      expect(about).not.toBe('');
      const declared = [...document.matchAll(/\$(\w+): \w|\$(\w+): \[/g)].map(([, one, list]) => one ?? list);
      expect(declared).toEqual(expect.arrayContaining(Object.keys(variables)));
    }
  });

  it('that are open at first are operations', () => {
    const options = String(ide(`${base}${optionsOf(page)}`)!.body);
    const names = [...options.matchAll(/initialName: `(\w+)`/g)].map(([, name]) => name);
    expect(names).toEqual(OPEN_AT_FIRST);
  });
});

describe('the list of operations', () => {
  it('leads to a page for each', () => {
    const list = String(ide('/graphql/operations')!.body);
    const places = [...list.matchAll(/<a href="([^"]+)">(\w+)<\/a><small>/g)];
    expect(places.map(([, , name]) => name)).toEqual(OPERATIONS.map(({ name }) => name));
    for (const [, place, name] of places) {
      const own = String(ide(place!)!.body);
      const options = String(ide(`${base}${optionsOf(own)}`)!.body);
      expect(options.match(/initialName: `\w+`/g)).toEqual([`initialName: \`${name}\``]);
    }
    expect(ide('/graphql/operations/Nothing')).toBeNull();
  });
});
