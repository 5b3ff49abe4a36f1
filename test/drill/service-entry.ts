// A service as a process of its own, with the quick profile: prints where it is, lives until SIGTERM, Ctrl-C or a kill.
import { loadConfig } from '../../src/config.ts';
import { startService } from '../../src/main.ts';

const service = await startService(loadConfig({ directory: process.cwd(), environment: process.env }), {
  profile: 'throwaway',
  environment: process.env,
  say: () => undefined,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void service.stop());
process.stdout.write(`${JSON.stringify({ url: service.url, databasePid: service.databasePid() })}\n`);
