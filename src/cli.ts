import { runCli } from './cli/run.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  directory: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
