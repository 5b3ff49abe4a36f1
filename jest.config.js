const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/esbuild-transform.js' },
  testEnvironment: 'node',
};

export default {
  projects: [
    // No database.
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.unit.test.ts'] },
    // One service for all files, each in a tenant of its own.
    {
      ...shared,
      displayName: 'api',
      testMatch: ['<rootDir>/test/**/*.int.test.ts'],
      globalSetup: '<rootDir>/test/support/shared-setup.js',
      globalTeardown: '<rootDir>/test/support/shared-teardown.js',
    },
    // A store of each worker, wiped by each file.
    {
      ...shared,
      displayName: 'exclusive',
      testMatch: ['<rootDir>/test/**/*.exclusive.test.ts'],
      globalSetup: '<rootDir>/test/support/exclusive-setup.js',
      globalTeardown: '<rootDir>/test/support/exclusive-teardown.js',
    },
    // Too long for every day: npm run test:long.
    {
      ...shared,
      displayName: 'long',
      testMatch: ['<rootDir>/test/**/*.long.test.ts'],
      globalSetup: '<rootDir>/test/support/exclusive-setup.js',
      globalTeardown: '<rootDir>/test/support/exclusive-teardown.js',
    },
  ],
  reporters: ['default', '<rootDir>/test/support/runner/running-files.js'],
  testSequencer: '<rootDir>/test/support/sequencer.js',
  maxWorkers: 2,
  // Modules of files that a worker has run stay in its memory, some 45 MB each; beyond this it is replaced.
  workerIdleMemoryLimit: '700MB',
  // Longer than the longest patience (test/support/patience.ts): what was waited for has to be told. It is of all projects: the runner takes
  // none of a single one.
  testTimeout: 700_000,
};
