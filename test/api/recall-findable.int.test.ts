import { inDepth } from '../support/depth.ts';
import { unrefused } from '../support/resend.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What was captured with wait=indexed is recalled by its words at once, whatever else is written and read beside it.
// STRATA_TEST_RECALLS says how often in a row; STRATA_TEST_RECALLS=1000 is the run for a change of how the index is written or read.

const TIMES = Number(process.env.STRATA_TEST_RECALLS ?? inDepth(8, 40));
/** Events of one bulk beside it. */
const BULK = 20;
const ROOT = 'org:findable';
/** Rounds at most while company is waited for. */
const MOST = 500;

/** What goes on beside: bulks that were taken, and recalls that found something. */
interface Company {
  sent: number;
  found: number;
}

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

/** What a request is answered; one that a busy service refuses is sent again. */
async function answered(status: number, path: string, body: object): Promise<any> {
  const answer = await unrefused(`an answer of ${path}`, () => service.post(path, body));
  if (answer.status !== status) throw new Error(`${path} is answered ${answer.status}: ${answer.text}`);
  return answer.json;
}

/** Captures bulks until it is told to stop, each when the one before is indexed, so that no backlog grows; counts how many were taken. */
async function bulks(goesOn: () => boolean, company: Company): Promise<void> {
  while (goesOn()) {
    const items = Array.from({ length: BULK }, (_, i) =>
      message(`${ROOT}/team:noise`, `the noise of bulk ${company.sent} says pelican and ${i}`, {
        observed_actor: { id: 'user:noise', session: `s${company.sent % 3}` },
      }),
    );
    await answered(202, '/v1/experience/bulk?wait=indexed', { items });
    company.sent += 1;
  }
}

/** Recalls until it is told to stop; counts how often something came. */
async function recalls(goesOn: () => boolean, company: Company): Promise<void> {
  while (goesOn()) {
    const { layers } = await answered(200, '/v1/recall', { scope: ROOT, query: 'noise pelican' });
    if (layers.events.length > 0) company.found += 1;
  }
}

/** Captures an event and recalls it, from its scope and from above; answers where it was not found. */
async function missedIn(round: number): Promise<string[]> {
  // Runs of letters that no other round has, in the form in which stems are kept.
  const word = `zq${String(round).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}x`;
  const scope = `${ROOT}/user:u${round % 7}`;
  const said = message(scope, `In round ${round} somebody said ${word} and left.`, { idempotency_key: word });
  const { event_id: id } = await answered(202, '/v1/experience?wait=indexed', said);
  const missed: string[] = [];
  for (const from of [scope, ROOT]) {
    const { layers } = await answered(200, '/v1/recall', {
      scope: from,
      query: `who said ${word}?`,
      include: ['events'],
    });
    if (layers.events[0]?.id !== id) missed.push(`${word} from ${from}: ${String(layers.events[0]?.id)}`);
  }
  return missed;
}

it(`an event is recalled by its words as soon as it is acknowledged, ${TIMES} times in a row`, async () => {
  let over = false;
  const goesOn = (): boolean => !over;
  const company: Company = { sent: 0, found: 0 };
  // Without company the run would say little.
  const hasCompany = (): boolean => company.sent > 1 && company.found > 1;
  const rounds = async (): Promise<string[]> => {
    const missed: string[] = [];
    for (let round = 0; round < TIMES || (!hasCompany() && round < MOST); round += 1)
      missed.push(...(await missedIn(round)));
    return missed;
  };
  // All have to end before anything is judged: what still goes on would meet a service that is stopped.
  const outcomes = await Promise.allSettled([
    rounds().finally(() => (over = true)),
    bulks(goesOn, company),
    recalls(goesOn, company),
  ]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  expect(outcomes[0]).toEqual({ status: 'fulfilled', value: [] });
  expect(hasCompany()).toBe(true);
});
