import { OPERATION_IDS, operationOf } from '../../schemas/operation.ts';
import { heldLoad } from '../support/load.ts';
import { startRig } from './harness.ts';

const PROBES = [
  '/v1/health',
  '/v1/ready',
  '/v1/admin/health',
  '/v1/admin/ready',
  '/v1/admin/metrics',
  '/v1/admin/version',
];

describe('an overloaded service', () => {
  it('refuses whatever is new before it looks at it, but for what monitoring asks', async () => {
    const { shedder, overload, recover, refused } = heldLoad();
    const rig = await startRig({ shedder });
    overload();
    const answered: string[] = [];
    const rest = OPERATION_IDS.map(operationOf);
    for (const { method, path } of rest) {
      const { status, json, headers } = await rig.send(method, path.replaceAll(/\{\w+\}/g, 'x'));
      if (status !== 503) answered.push(path);
      else {
        expect(json).toMatchObject({ error_code: 'SERVER_BUSY', retriable: true });
        expect(headers['retry-after']).toBe('1');
      }
    }
    expect([...new Set(answered)].sort()).toEqual([...PROBES].sort());
    expect(refused).toHaveLength(rest.length - PROBES.length);
    expect((await rig.send('POST', '/v1/experience', { anonymous: true })).status).toBe(503);
    recover();
    expect((await rig.send('POST', '/v1/experience', { anonymous: true })).status).toBe(401);
    await rig.stop();
  });

  it('refuses GraphQL in the shape of GraphQL', async () => {
    const { shedder, overload, refused } = heldLoad();
    const rig = await startRig({ shedder });
    overload();
    for (const method of ['GET', 'POST']) {
      const { status, json, headers } = await rig.send(method, '/graphql?query={health{status}}');
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('1');
      expect(json.errors[0].extensions).toMatchObject({
        code: 'SERVER_BUSY',
        details: { reason: 'event_loop_delay', limit_ms: 100 },
      });
    }
    expect(refused).toEqual(['graphql', 'graphql']);
    await rig.stop();
  });
});
