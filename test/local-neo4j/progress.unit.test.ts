import { PassThrough } from 'node:stream';
import { createProgressDisplay, type ProgressStream } from '../../src/local-neo4j/progress.ts';

function capture(isTTY: boolean): { stream: ProgressStream; text: () => string } {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 120,
    cursorTo: () => true,
    clearLine: () => true,
  });
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { stream, text: () => text };
}

test('without a terminal a plain line now and then, at each phase and at its end', () => {
  const { stream, text } = capture(false);
  let now = 0;
  const display = createProgressDisplay(stream, () => now);
  for (let done = 1; done <= 230; done += 1) {
    now += 100;
    display.show({ phase: 'download', done, total: 230, unit: 'files', detail: `${done}.jar` });
  }
  display.show({ phase: 'start', done: 0, total: 120, unit: 's', detail: 'Neo4j 2026.09.0' });
  display.close();
  expect(text().split('\n')).toEqual([
    'Downloading Neo4j: 1 of 230 files (1.jar)',
    'Downloading Neo4j: 51 of 230 files (51.jar)',
    'Downloading Neo4j: 101 of 230 files (101.jar)',
    'Downloading Neo4j: 151 of 230 files (151.jar)',
    'Downloading Neo4j: 201 of 230 files (201.jar)',
    'Downloading Neo4j: 230 of 230 files (230.jar)',
    'Starting Neo4j: 0 s (Neo4j 2026.09.0)',
    '',
  ]);
});

test('on a terminal a bar', () => {
  const { stream, text } = capture(true);
  const display = createProgressDisplay(stream);
  display.show({ phase: 'copy', done: 0, total: 230, unit: 'files' });
  display.show({ phase: 'copy', done: 230, total: 230, unit: 'files' });
  display.close();
  display.close();
  expect(text()).toContain('Copying Neo4j into the cache [');
  expect(text()).toContain('230/230 files');
});
