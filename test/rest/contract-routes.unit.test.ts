import { isDeepStrictEqual } from 'node:util';

import { createIde } from '../../resolvers/ide/ide.ts';
import { OPERATION_IDS, operationOf } from '../../schemas/operation.ts';
import { ABSENT, CONTRACT_ROUTES, toCome, type ContractRoute } from './contract-routes.ts';
import { startRig, type Answered, type Rig } from './harness.ts';

const nameOf = ({ method, path }: ContractRoute): string => `${method} ${path}`;
/** A path with something in place of each parameter; the schema is one that there is. */
const filled = (path: string): string =>
  path.replace('/schemas/{name}', '/schemas/error').replaceAll(/\{\w+\}/g, 'some_1');

/** Method and path of every operation, without the names of its parameters: what is at another's parameter is not there by itself. */
const OPERATIONS: ReadonlySet<string> = new Set(
  OPERATION_IDS.map(operationOf).flatMap(({ method, path, alias = path }) =>
    [path, alias].map((one) => unnamed(`${method} ${one}`)),
  ),
);

function unnamed(route: string): string {
  return route.replaceAll(/\{\w+\}/g, '{}');
}

const isOperation = (route: ContractRoute): boolean => OPERATIONS.has(unnamed(nameOf(route)));

const THERE = CONTRACT_ROUTES.filter((route) => !toCome.includes(nameOf(route)));

describe('the routes of the contract', () => {
  let rig: Rig;
  let nowhere: Answered;
  beforeAll(async () => {
    rig = await startRig({ ide: createIde() });
    nowhere = await rig.send('GET', '/v1/nothing');
  });
  afterAll(() => rig.stop());

  const ask = async ({ method, path }: ContractRoute): Promise<Answered> => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
    const headers = { 'Content-Type': 'application/json' };
    return rig.send(method, filled(path), { headers, ...body });
  };
  const essence = ({ status, json }: Answered): unknown => [status, json?.error_code, json?.message];

  it('stand in the list once each', () => {
    const names = CONTRACT_ROUTES.map(nameOf);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(toCome.filter((name, i) => !names.includes(name) || toCome.indexOf(name) !== i)).toEqual([]);
  });

  it('are those of the code plane under the 21 paths that its clients know', () => {
    const paths = CONTRACT_ROUTES.map(({ path }) => path).filter((path) => path.startsWith('/v1/code/'));
    expect(new Set(paths).size).toBe(21);
  });

  it('are told from what is at no path by its answer', () => {
    expect(essence(nowhere)).toEqual([404, 'NOT_FOUND', 'there is nothing at this path']);
  });

  it.each(THERE.map((route) => [nameOf(route), route.named, route] as const))(
    '%s is there (%s)',
    async (_name, _named, route) => {
      const answer = await ask(route);
      expect(essence(answer)).not.toEqual(essence(nowhere));
      expect(answer.status).not.toBe(405);
      expect(isOperation(route)).toBe(route.path !== '/graphql');
    },
  );

  it('are not there where they are still to come: whoever adds one takes it off that list', async () => {
    for (const route of CONTRACT_ROUTES.filter((one) => !THERE.includes(one))) {
      const { status, ...answer } = await ask(route);
      // Another method of its path may be there already.
      const isNowhere = status === 405 || isDeepStrictEqual(essence({ status, ...answer }), essence(nowhere));
      expect([nameOf(route), isOperation(route), isNowhere]).toEqual([nameOf(route), false, true]);
    }
  });

  it.each(ABSENT.map((route) => [nameOf(route), route.status, route] as const))(
    '%s is %i, as the contract says',
    async (_name, status, route) => {
      const answer = await ask(route);
      expect(answer.status).toBe(status);
      if (status === 404) expect(essence(answer)).toEqual(essence(nowhere));
    },
  );
});
