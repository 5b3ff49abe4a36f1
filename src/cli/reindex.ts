import { loadConfig } from '../config.ts';
import { INGEST_TELL_EVERY_MS } from '../limits.ts';
import { EXIT, type Command } from './command.ts';
import { configInput, settingHelp, settingOptions } from './setting-flags.ts';

/** `strata reindex embeddings`: pins the configured embedding model, and has all vectors made again by it. */
export const reindexCommand: Command = {
  name: 'reindex embeddings',
  arguments: [],
  summary:
    'Have all vectors made again, by the embedding model that is configured now; nothing of the log changes.',
  options: settingOptions(),
  optionHelp: settingHelp(),
  async run({ flags }, host) {
    const config = loadConfig(configInput(flags, host));
    // Loaded here, so that the other commands do not pay for the service.
    const { reindexEmbeddings } = await import('../main/reindex.ts');
    const stopped = new AbortController();
    const interrupt = (): void => {
      stopped.abort();
    };
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    let reportedAt = Number.NEGATIVE_INFINITY;
    try {
      const { pinned, events } = await reindexEmbeddings(config, {
        environment: host.environment,
        signal: stopped.signal,
        tell: ({ shards, shardsDone, events: done }) => {
          const now = performance.now();
          if (now - reportedAt < INGEST_TELL_EVERY_MS && shardsDone < shards) return;
          reportedAt = now;
          host.stderr.write(`${shardsDone} of ${shards} shards, ${done} events\n`);
        },
      });
      if (stopped.signal.aborted) {
        host.stderr.write('Cut short: run it again, or start the service; either goes on from here.\n');
        return EXIT.interrupted;
      }
      host.stderr.write(
        `The vectors of ${events} events were dropped. ${pinned.model} (${pinned.provider}, ${pinned.dimensions} numbers) makes them again while the service runs.\n`,
      );
      return EXIT.ok;
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    }
  },
};
