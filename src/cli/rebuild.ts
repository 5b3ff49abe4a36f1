import { SingleBar } from 'cli-progress';
import { z } from 'zod';

import { scopeFault } from '../../schemas/scope.ts';
import { INGEST_TELL_EVERY_MS } from '../limits.ts';
import { Wakeup } from '../wakeup.ts';
import { EXIT, UsageError, type CliProcess, type Command, type Flags } from './command.ts';
import { ADDRESS_HELP, ADDRESS_OPTIONS, textOf } from './service-address.ts';
import { askService, refusalMessage } from './service-request.ts';
import { optionLine, settingHelp, settingOptions } from './setting-flags.ts';

/** Time between looks of the command line at a job, milliseconds. */
const CLI_JOB_POLL_MS = 500;

const PATH = '/v1/admin/derived/rederive';

const accepted = z.object({ job_id: z.string() });
const jobAnswer = z.object({
  status: z.enum(['queued', 'running', 'completed']),
  phase: z.string(),
  scopes_done: z.number(),
  scopes_total: z.number(),
  events_done: z.number(),
  events_total: z.number().nullable(),
  events_held: z.number(),
  error: z.string().nullable(),
});
type Job = z.infer<typeof jobAnswer>;

/** `strata rebuild`: has a running service drop what it derived and derive it again, and shows how far that is. */
export const rebuildCommand: Command = {
  name: 'rebuild',
  arguments: [],
  summary: 'Have a running service drop what it derived and derive it again; nothing of the log changes.',
  options: {
    ...settingOptions(['data_dir']),
    ...ADDRESS_OPTIONS,
    scope: { type: 'string' },
    tenant: { type: 'string' },
    job: { type: 'string' },
  },
  optionHelp: [
    optionLine('--scope PATH', 'Only this scope; without it everything (needs the operator key).'),
    optionLine('--tenant ID', 'Tenant of the scope, default `default`; without --scope, only this tenant.'),
    optionLine('--job ID', 'Ask for nothing; show the job with this id to its end.'),
    ...ADDRESS_HELP,
    ...settingHelp(['data_dir']),
  ],
  run: ({ flags }, host) => rebuild(flags, host),
};

async function rebuild(flags: Flags, host: CliProcess): Promise<number> {
  const given = textOf(flags.job);
  if (given !== null) return follow(given, flags, host);
  const answer = await askService(PATH, targetOf(flags), { flags, host });
  if (answer?.status !== 202) return refusalMessage(answer, host);
  const { job_id } = accepted.parse(JSON.parse(answer.text));
  host.stdout.write(`${job_id}\n`);
  return follow(job_id, flags, host);
}

function targetOf(flags: Flags): object {
  const scope = textOf(flags.scope);
  if (scope === null) return { everything: textOf(flags.tenant) === null ? 'store' : 'tenant' };
  const fault = scopeFault(scope);
  if (fault !== null) throw new UsageError(`--scope: ${fault}`);
  return { scope };
}

/** Shows a job until it is over. An interrupt ends the showing; the job goes on in the service. */
async function follow(id: string, flags: Flags, host: CliProcess): Promise<number> {
  const display = createDisplay(host.stderr);
  const stopped = new AbortController();
  const wait = new Wakeup();
  const interrupt = (): void => {
    stopped.abort();
    wait.raise();
  };
  process.once('SIGINT', interrupt);
  try {
    for (;;) {
      const answer = await askService(`${PATH}/${encodeURIComponent(id)}`, null, { flags, host });
      if (answer?.status !== 200) return refusalMessage(answer, host);
      const job = jobAnswer.parse(JSON.parse(answer.text));
      display.show(job);
      if (job.status === 'completed') return ended(job, display, host);
      if (!stopped.signal.aborted) await wait.wait(CLI_JOB_POLL_MS);
      if (stopped.signal.aborted) {
        display.close();
        host.stderr.write(`The job goes on in the service; \`strata rebuild --job ${id}\` shows it again.\n`);
        return EXIT.interrupted;
      }
    }
  } finally {
    process.off('SIGINT', interrupt);
    display.close();
  }
}

function ended(job: Job, display: Display, host: CliProcess): number {
  display.close();
  const held = job.events_held === 0 ? '' : `, ${job.events_held} held`;
  host.stderr.write(`derived ${job.events_done} events of ${job.scopes_done} scopes again${held}\n`);
  return EXIT.ok;
}

interface Display {
  show(job: Job): void;
  /** Harmless when repeated. */
  close(): void;
}

/** A bar on a terminal; else a line now and then. */
function createDisplay(stream: CliProcess['stderr']): Display {
  if (stream.isTTY === true) return createBar(stream);
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    show: (job) => {
      const now = performance.now();
      if (now - reportedAt < INGEST_TELL_EVERY_MS) return;
      reportedAt = now;
      stream.write(`${textAbout(job)}\n`);
    },
    close: () => undefined,
  };
}

function createBar(stream: NodeJS.WritableStream): Display {
  const bar = new SingleBar({
    stream,
    format: '[{bar}] {percentage}% {text}',
    hideCursor: true,
    barsize: 24,
    linewrap: false,
  });
  bar.start(1, 0, { text: '' });
  return {
    show: (job) => {
      const [done, total] = shareOf(job);
      bar.setTotal(Math.max(1, total));
      bar.update(Math.min(done, Math.max(1, total)), { text: textAbout(job) });
    },
    close: () => {
      bar.stop();
    },
  };
}

/** How much of how much is done: of one scope in events, of several in scopes. */
function shareOf(job: Job): [number, number] {
  if (job.status === 'completed') return [1, 1];
  return job.events_total === null
    ? [job.scopes_done, job.scopes_total]
    : [job.events_done, job.events_total];
}

function textAbout({ phase, scopes_done, scopes_total, events_done, events_total, error }: Job): string {
  const events = events_total === null ? `${events_done} events` : `${events_done} of ${events_total} events`;
  const scopes = scopes_total > 1 ? `, ${scopes_done} of ${scopes_total} scopes` : '';
  return `${phase}: ${events}${scopes}${error === null ? '' : `, resting: ${error}`}`;
}
