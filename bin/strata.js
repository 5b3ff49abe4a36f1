#!/usr/bin/env node
// Runs the command line from its TypeScript sources; the image runs the compiled files instead.
import { existsSync } from 'node:fs';

// In development graphql-js checks each value that it is handed.
process.env.NODE_ENV ??= 'production';

const compiled = new URL('../dist/src/cli.js', import.meta.url);
const source = new URL('../src/cli.ts', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import(compiled.href);
}
