import { FORGET_LAYERS, type ForgetLayer } from '../../../schemas/forget.ts';
import { eventually } from '../../support/wait.ts';
import { DRILL_PATIENCE_MS, type World } from './world.ts';

/** What a removal said beforehand. */
export interface Foreseen {
  /** Ids of what goes, by layer. */
  readonly gone: Readonly<Record<ForgetLayer, readonly string[]>>;
  /** How many records are revised. */
  readonly revised: Readonly<Record<ForgetLayer, number>>;
}

/** A way to have something removed. */
export interface Removal {
  readonly name: string;
  /** What stays of what it concerns: nothing, the events with what is theirs, whatever was not selected itself, or what no reading shows. */
  readonly leaves: 'nothing' | 'events' | 'unselected' | 'unread';
  /** Whether it goes by a selector; else it is of the whole scope, or of the events by their ids. */
  readonly selects: boolean;
  /** Removes; answers what it foresaw, null where it says nothing of that. */
  readonly run: (world: World, selection: Record<string, unknown>) => Promise<Foreseen | null>;
}

/** What a forget would do. */
async function foreseen(world: World, body: Record<string, unknown>): Promise<Foreseen> {
  const shown = await world.sent('POST', '/v1/forget/preview', { scope: world.scope, ...body });
  if (shown.ids_truncated !== false) throw new Error(`${world.scope}: a preview that shows not all`);
  return { gone: shown.ids, revised: shown.estimated_revised };
}

const forget = (name: string, cascade: string, leaves: Removal['leaves'], more: object = {}): Removal => ({
  name,
  leaves,
  selects: true,
  run: async (world, selection) => {
    const body = { ...selection, cascade, ...more };
    const said = await foreseen(world, body);
    const { deleted } = await world.sent('POST', '/v1/forget', { scope: world.scope, ...body });
    for (const layer of FORGET_LAYERS)
      if (deleted[layer] !== said.gone[layer].length)
        throw new Error(
          `${world.scope}: ${deleted[layer]} ${layer} deleted, ${said.gone[layer].length} foreseen`,
        );
    return said;
  },
});

export const REMOVALS: readonly Removal[] = [
  forget('redact_events', 'redact_events', 'nothing'),
  {
    name: 'erasure',
    leaves: 'nothing',
    selects: true,
    run: async (world, selection) => {
      const said = await foreseen(world, { ...selection, cascade: 'redact_events' });
      const { erasure_id } = await world.sent('POST', '/v1/erasures', { scope: world.scope, ...selection });
      world.things.erasure = erasure_id as string;
      await eventually(
        `${world.scope}: an erasure`,
        async () => {
          const { completed_at } = await world.sent('GET', `/v1/erasures/${erasure_id}`);
          return completed_at !== null;
        },
        DRILL_PATIENCE_MS,
      );
      return said;
    },
  },
  forget('derived_only', 'derived_only', 'events'),
  forget('none', 'none', 'unselected'),
  forget('suppress', 'redact_events', 'nothing', { suppress: true }),
  {
    name: 'cancel',
    leaves: 'unread',
    selects: false,
    run: async (world) => {
      for (const id of world.planted) {
        const answer = await world.asked('POST', `/v1/lifecycle/memory-event/${id}/cancel`, { body: {} });
        if (answer.status >= 300 && answer.status !== 404) throw new Error(`${world.scope}: ${answer.text}`);
      }
      await world.settled();
      return null;
    },
  },
  {
    name: 'deletion of the scope',
    leaves: 'nothing',
    selects: false,
    run: async (world) => {
      await world.sent('DELETE', `/v1/scopes?path=${encodeURIComponent(world.scope)}&records=forget`);
      return null;
    },
  },
  {
    name: 'sweep of retention',
    leaves: 'nothing',
    selects: false,
    run: async (world) => {
      const { client } = world.tools;
      const sweep = { scope: world.scope, older_than_secs: 1, dry_run: false };
      // One sweep of a tenant runs at a time, and what was captured a moment ago is kept by it.
      await eventually(
        `${world.scope}: a sweep`,
        async () => {
          const { status, json } = await client.post('/v1/admin/retention/sweep', sweep);
          if (status >= 400 && status !== 409 && status !== 503)
            throw new Error(`${world.scope}: a sweep is answered ${JSON.stringify(json)}`);
          const { items } = await world.sent('GET', `/v1/events?scope=${encodeURIComponent(world.scope)}`);
          return (items as unknown[]).length === 0;
        },
        DRILL_PATIENCE_MS,
        500,
      );
      return null;
    },
  },
];
