import { readFileSync } from 'node:fs';

import { nodesOf } from '../support/runner/node-of-image.ts';

describe('the Node of the image', () => {
  it('is one, which builds it and runs it, of a line that is supported for long', () => {
    const [version = '', ...others] = nodesOf(readFileSync('Dockerfile', 'utf8'));
    expect(others).toEqual([]);
    const line = Number(version.split('.')[0]);
    // Even lines become those of long-term support; that of 20 is past its end.
    expect(line % 2).toBe(0);
    expect(line).toBeGreaterThan(20);
  });

  it('is told of every stage that builds on one, once', () => {
    const stages = [
      'FROM node:24.1.0-slim AS build',
      'FROM node:24.1.0',
      'FROM node:26.0.1-slim',
      'FROM neo4j:5.26.0',
    ];
    expect(nodesOf(stages.join('\n'))).toEqual(['24.1.0', '26.0.1']);
  });
});
