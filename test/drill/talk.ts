import { send } from '../support/client.ts';
import { eventually } from '../support/wait.ts';

const BULK = 100;
/** How long a bulk that a busy service refuses is sent again, milliseconds. */
const PATIENCE_MS = 120_000;

/** Captures everything in its order, in bulks that go to the services by turns; `halfway` is called once in the middle. */
export async function ingest(
  urls: readonly string[],
  talk: readonly object[],
  halfway: () => Promise<void>,
): Promise<void> {
  const bulks = Math.ceil(talk.length / BULK);
  for (let bulk = 0; bulk < bulks; bulk += 1) {
    if (bulk === bulks >> 1) await halfway();
    const body = { items: talk.slice(bulk * BULK, (bulk + 1) * BULK) };
    await eventually(
      `bulk ${bulk}`,
      async () => {
        const answer = await send(urls[bulk % urls.length] ?? '', 'POST', '/v1/experience/bulk', { body });
        if (answer.status !== 202 && answer.status !== 503) {
          throw new Error(`bulk ${bulk} is answered ${answer.status} ${answer.text.slice(0, 500)}`);
        }
        return answer.status === 202;
      },
      PATIENCE_MS,
    );
  }
}
